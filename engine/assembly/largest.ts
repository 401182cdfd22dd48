/** Exponent and three bits of the fraction of a float are its class; numbers of low classes need no sorting. */
const CLASS_SHIFT = 20;
const CLASS_COUNT = 2048;
const DIGIT_VALUES = 256;
const counts = memory.data(4 * 2048, 16);

/**
 * The places of the largest of some numbers, largest first, equal ones in order of place: by classes, then a radix sort of what is left.
 * @param values   n floats, none negative, n at most 65,536
 * @param stride   bytes from one to the next
 * @param most     how many are wanted
 * @param out      their places as uint16
 * @param scratch  16 * n bytes
 * @returns how many were written: `most`, or n where that is less
 */
export function largest(values: usize, stride: i32, n: i32, most: i32, out: usize, scratch: usize): i32 {
  const least = most < n ? leastClass(values, stride, n, most) : 0;
  let keys = scratch;
  let count: usize = 0;
  for (let i = 0; i < n; i++) {
    const bits = load<u32>(values);
    // written anyway, and kept if it counts: a branch would often be guessed wrong
    store<u64>(keys + count, ((<u64>bits) << 32) | <u64>i);
    count += <usize>(bits >>> CLASS_SHIFT >= <u32>least) << 3;
    values += stride;
  }
  let sorted = scratch + count;
  for (let digit: usize = 4; digit < 8; digit++) {
    byDigit(keys, sorted, count, digit);
    const free = keys;
    keys = sorted;
    sorted = free;
  }
  const kept = min(most, <i32>(count >> 3));
  for (let i = 0; i < kept; i++) store<u16>(out + (<usize>i << 1), <u16>load<u64>(keys + (<usize>i << 3)));
  return kept;
}

/** The highest class above which, it included, lie at least `most` numbers. */
function leastClass(values: usize, stride: i32, n: i32, most: i32): i32 {
  memory.fill(counts, 0, 4 * CLASS_COUNT);
  let least: u32 = 0;
  for (let i = 0; i < n; i++) {
    const own = load<u32>(values) >>> CLASS_SHIFT;
    least = max(least, own);
    const at = counts + (own << 2);
    store<i32>(at, load<i32>(at) + 1);
    values += stride;
  }
  for (let above = load<i32>(counts + (least << 2)); above < most && least > 0; above += load<i32>(counts + (least << 2))) least--;
  return least;
}

/** Copies numbers of 8 bytes in order of one of their bytes, highest first, equal ones in the order they had. */
function byDigit(from: usize, to: usize, bytes: usize, digit: usize): void {
  memory.fill(counts, 0, 4 * DIGIT_VALUES);
  for (let at = from; at < from + bytes; at += 8) {
    const own = counts + (<usize>load<u8>(at + digit) << 2);
    store<i32>(own, load<i32>(own) + 8);
  }
  let place = to;
  for (let own = counts + 4 * DIGIT_VALUES; own > counts;) {
    own -= 4;
    const room = load<usize>(own);
    store<usize>(own, place);
    place += room;
  }
  for (let at = from; at < from + bytes; at += 8) {
    const own = counts + (<usize>load<u8>(at + digit) << 2);
    const target = load<usize>(own);
    store<u64>(target, load<u64>(at));
    store<usize>(own, target + 8);
  }
}
