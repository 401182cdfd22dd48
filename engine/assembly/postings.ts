/**
 * The postings of a list as recent lists have them: all keys (uint8), then for each 16 postings, in the end fewer, their codes, their rests
 * and their slots (uint16), so that a near posting costs one or two lines of the cache. A posting as one number: key, code, rest and
 * slot (uint64), in whose order postings are.
 */
export const POSTING_BYTES: usize = 7;
/** Postings that are compared at once, a power of two; so many may be read behind the last. */
export const LANE_COUNT: u32 = 16;

/** Where the codes are of the postings that are compared together with the i-th of a list of `n`. */
export function groupAt(list: usize, n: u32, i: u32): usize {
  return list + <usize>n + 6 * <usize>(i & ~(LANE_COUNT - 1));
}

/** From a code of this group to the rest, and from the rest to the slot. */
export function strideOf(n: u32, i: u32): usize {
  return 2 * <usize>min(LANE_COUNT, n - (i & ~(LANE_COUNT - 1)));
}

/** Key, code, rest and slot of a posting of a list of `n` as one number, in whose order postings are. */
export function postingAt(list: usize, n: u32, i: u32): u64 {
  const stride = strideOf(n, i);
  const code = groupAt(list, n, i) + 2 * <usize>(i & (LANE_COUNT - 1));
  const bits = ((<u64>load<u8>(list + <usize>i)) << 16) | (<u64>load<u16>(code));
  return (bits << 32) | ((<u64>load<u16>(code + stride)) << 16) | (<u64>load<u16>(code + 2 * stride));
}

/** Bytes of a list of so many postings in the base. */
export function listBytes(n: u32): usize {
  return POSTING_BYTES * <usize>n;
}

export function putPosting(list: usize, n: u32, i: u32, posting: u64): void {
  const stride = strideOf(n, i);
  const code = groupAt(list, n, i) + 2 * <usize>(i & (LANE_COUNT - 1));
  store<u8>(list + <usize>i, <u8>(posting >> 48));
  store<u16>(code, <u16>(posting >> 32));
  store<u16>(code + stride, <u16>(posting >> 16));
  store<u16>(code + 2 * stride, <u16>posting);
}

export function slotOf(posting: u64): u32 {
  return <u32>posting & 0xffff;
}
