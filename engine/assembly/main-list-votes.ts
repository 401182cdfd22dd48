import { masks, within } from './key-masks';
import { arrivals, directoryOf, endOf, lists, postingsOf, slotAt, startAt, mergedFrom } from './main-lists';
import { gainOf, give, openVotes, votedSince } from './votes';

const LANE_COUNT: u32 = 8;
/** Of the lanes of `readList` in how many bits of code and rest they differ. */
const distances = memory.data(16, 16);
/** Postings of a list that are near: which, later their slots, and in how many bits they differ; both uint32. */
const found = memory.data(8192, 16);
const MAX_FOUND: u32 = 1024;
/** As `vote` of list-votes.ts, of slots below those that `given` has room for. */
export function voteInMain(
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
    const number = <u32>load<u16>(entry);
    readList(lists, number, entry, nearness, given, i + 1);
    if (number < mergedFrom) readList(arrivals, number, entry, nearness, given, i + 1);
  }
  return votedSince(slots);
}

function readList(table: usize, number: u32, entry: usize, nearness: usize, given: usize, giver: u32): void {
  const n = postingsOf(table, number);
  if (n == 0) return;
  const list = startAt(table, number);
  const codes = list + directoryOf(n);
  const slots = codes + 4 * <usize>n;
  const key = <u32>load<u16>(entry, 2);
  const own = i32x4.splat(<i32>load<u32>(entry, 4));
  const codeReach = <u32>load<u8>(entry, 13);
  const reach = <u32>load<u8>(entry, 14);
  let near: u32 = 0; // postings found
  const keys = load<u32>(within + 4 * <usize>min<u32>(load<u8>(entry, 12), min(min(codeReach, reach), 8)));
  for (let m: u32 = 0; m < keys; m++) {
    const mask = <u32>load<u8>(masks + <usize>m);
    const each = key ^ mask;
    const to = endOf(list, n, each);
    let at = each ? endOf(list, n, each - 1) : 0;
    const keyOff = popcnt(mask);
    const codeLeft = i16x8.splat(<i16>(((codeReach - keyOff) << 8) | 0xff));
    const left = i16x8.splat(<i16>(reach - keyOff));
    for (; at < to; at += LANE_COUNT) {
      const low = v128.xor(v128.load(codes + 4 * <usize>at), own);
      const high = v128.xor(v128.load(codes + 4 * <usize>at, 16), own);
      // of each posting how many bits of the rest and of the code differ, a byte each
      const off = i8x16.narrow_i16x8_u(
        i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(low)),
        i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(high)),
      );
      const all = i16x8.extadd_pairwise_i8x16_u(off);
      const codeNear = i16x8.eq(i8x16.le_u(off, codeLeft), i16x8.splat(-1));
      let possible = i16x8.bitmask(v128.and(codeNear, i16x8.le_u(all, left)));
      if (to - at < LANE_COUNT) possible &= (1 << (to - at)) - 1;
      if (!possible) continue;
      v128.store(distances, all);
      for (; possible; possible &= possible - 1) {
        const lane = <u32>ctz(possible);
        const next = found + 8 * <usize>near;
        near++;
        store<u32>(next, at + lane);
        store<u32>(next, keyOff + <u32>load<u16>(distances + 2 * <usize>lane), 4);
      }
      if (near > MAX_FOUND - LANE_COUNT) {
        giveAll(slots, near, entry, nearness, given, giver);
        near = 0;
      }
    }
  }
  giveAll(slots, near, entry, nearness, given, giver);
}

/** Gives what was found. All slots are read first, with the votes of each, so that the waits for memory overlap. */
function giveAll(slots: usize, count: u32, entry: usize, nearness: usize, given: usize, giver: u32): void {
  const last = found + 8 * <usize>count;
  let votes: u32 = 0;
  for (let at = found; at < last; at += 8) {
    const slot = slotAt(slots, load<u32>(at));
    store<u32>(at, slot);
    votes |= load<u32>(given + 8 * <usize>slot);
  }
  store<u32>(distances, votes);
  for (let at = found; at < last; at += 8) {
    give(given, load<u32>(at), giver, gainOf(entry, nearness, load<u32>(at, 4)));
  }
}
