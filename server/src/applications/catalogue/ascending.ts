/** Sorts different numbers in place; dense ones by marking them in a list of bits, in linear time. */
export function ascending(numbers: Uint32Array): Uint32Array {
  if (numbers.length === 0) return numbers;
  let [lowest, highest] = [2 ** 32, 0];
  for (const number of numbers) {
    lowest = Math.min(lowest, number);
    highest = Math.max(highest, number);
  }
  const words = Math.floor((highest - lowest) / 32) + 1;
  if (words > 4 * numbers.length) return numbers.sort();
  const bits = new Uint32Array(words);
  for (const number of numbers) bits[(number - lowest) >>> 5]! |= 1 << ((number - lowest) & 31);
  let n = 0;
  for (let word = 0; word < words; word++) {
    for (let left = bits[word]!; left !== 0; left &= left - 1) {
      numbers[n++] = lowest + 32 * word + 31 - Math.clz32(left & -left);
    }
  }
  return numbers;
}
