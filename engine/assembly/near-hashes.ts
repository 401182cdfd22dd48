/**
 * Lists the hashes of 256 bits that differ from one in few bits, by their order. Most differ in too many bits of the first half
 * already; the second halves lie apart, so that theirs are not read.
 *
 * @param firsts   `n` of 16 bytes, at most 65,536
 * @param seconds  as many
 * @param most     differing bits of a listed hash
 * @param out      uint32, room for `n`: the differing bits, times 65,536, and the place of the hash
 */
export function nearHashes(firsts: usize, seconds: usize, n: i32, query: usize, most: i32, out: usize): i32 {
  const a = load<u64>(query);
  const b = load<u64>(query, 8);
  const c = load<u64>(query, 16);
  const d = load<u64>(query, 24);
  let found = 0;
  for (let i = 0; i < n; i++) {
    const at = (<usize>i) << 4;
    const half = popcnt(load<u64>(firsts + at) ^ a) + popcnt(load<u64>(firsts + at, 8) ^ b);
    if (<i32>half > most) continue;
    const all = half + popcnt(load<u64>(seconds + at) ^ c) + popcnt(load<u64>(seconds + at, 8) ^ d);
    if (<i32>all > most) continue;
    store<u32>(out + ((<usize>found) << 2), (<u32>all << 16) | i);
    found++;
  }
  return found;
}
