import { buffer, endOf, bufferedAt, listAt, listOf, oldBuffer } from './lists';
import { groupAt, LANE_COUNT, slotOf, strideOf } from './postings';
import { gainOf, give, openVotes, votedSince } from './votes';

/** Of the lanes of `readList` the distances. */
const distances = memory.data(16, 16);
/**
 * Counts votes: each entry gives each slot the largest gain of its postings, once. It finds postings of its word by the number of bits in
 * which they differ, and gains its weight times that of the number, in 1/64. A list that is read again at once is in the cache, so entries
 * are best in the order of their words.
 *
 * @param entries  (word: uint16; 40 bits: key uint16, code and rest uint32; weight: uint32; bits of the key, of key and code, and of all
 *                 that may differ: uint8; 0) each
 * @param from     the first entry
 * @param to       the end of the entries, at most 65,535
 * @param nearness the weight of each number of bits, uint16; gains are below 2^16
 * @param given    ((entry + 1 that gave last) | its gain << 16, votes) for each slot, both uint32; 0 before the first entry
 * @param slots    the slots with votes so far, uint32, and room for the others
 * @param count    of these slots
 * @returns their number afterwards
 */
export function vote(
  entries: usize,
  from: u32,
  to: u32,
  nearness: usize,
  given: usize,
  slots: usize,
  count: u32,
): u32 {
  openVotes(slots, count);
  for (let i = from; i < to; i++) {
    const entry = entries + 16 * <usize>i;
    readList(entry, nearness, given, i + 1);
    const list = listOf(load<u16>(entry));
    if (load<u32>(list, 12)) readBuffered(load<u32>(list, 12), oldBuffer, entry, nearness, given, i + 1);
    if (load<u32>(list, 4)) readBuffered(load<u32>(list, 4), buffer, entry, nearness, given, i + 1);
  }
  return votedSince(slots);
}

function readList(entry: usize, nearness: usize, given: usize, giver: u32): void {
  const number = <u32>load<u16>(entry);
  const bits = load<u32>(entry, 4);
  const start = load<u32>(listOf(number));
  const n = endOf(number) - start;
  const keys = listAt(start);
  const key = i8x16.splat(<i8>load<u16>(entry, 2));
  const code = i16x8.splat(<i16>(bits >> 16));
  const keyReach = i8x16.splat(load<i8>(entry, 12));
  const codeReach = i8x16.splat(load<i8>(entry, 13));
  const reach = <u32>load<u8>(entry, 14);
  for (let at: u32 = 0; at < n; at += LANE_COUNT) {
    const keysOff = i8x16.popcnt(v128.xor(v128.load(keys + <usize>at), key));
    const possible = i8x16.le_u(keysOff, keyReach);
    if (!v128.any_true(possible)) continue;
    const codes = groupAt(keys, n, at);
    const low = v128.xor(v128.load(codes), code);
    const high = v128.xor(v128.load(codes, 16), code);
    const codesOff = i8x16.narrow_i16x8_u(
      i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(low)),
      i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(high)),
    );
    const off = i8x16.add(keysOff, codesOff);
    let near = i8x16.bitmask(v128.and(possible, i8x16.le_u(off, codeReach)));
    if (n - at < LANE_COUNT) near &= (1 << (n - at)) - 1;
    if (!near) continue;
    v128.store(distances, off);
    const stride = strideOf(n, at);
    const rests = codes + stride;
    for (; near; near &= near - 1) {
      const lane = <usize>ctz(near);
      const rest = rests + 2 * lane;
      const all = <u32>load<u8>(distances + lane) + popcnt<u32>((<u32>load<u16>(rest)) ^ (bits & 0xffff));
      if (all <= reach) give(given, load<u16>(rest + stride), giver, gainOf(entry, nearness, all));
    }
  }
}

function readBuffered(first: u32, within: usize, entry: usize, nearness: usize, given: usize, giver: u32): void {
  const bits = ((<u64>load<u16>(entry, 2)) << 32) | (<u64>load<u32>(entry, 4));
  for (let at = first; at;) {
    const place = bufferedAt(at, within);
    const posting = load<u64>(place);
    const differing = (posting >> 16) ^ bits;
    const all = <u32>popcnt<u64>(differing);
    if (
      <u32>popcnt<u64>(differing >> 32) <= <u32>load<u8>(entry, 12) &&
      <u32>popcnt<u64>(differing >> 16) <= <u32>load<u8>(entry, 13) &&
      all <= <u32>load<u8>(entry, 14)
    ) {
      give(given, slotOf(posting), giver, gainOf(entry, nearness, all));
    }
    at = load<u32>(place, 8);
  }
}
