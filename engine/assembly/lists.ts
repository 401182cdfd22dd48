/**
 * The lists of the recent pictures of a block, in this instance's memory: above the caller's, and up to its end. A list has the postings of a
 * visual word. A posting is a feature of a picture: 40 bits of its signature, of which the upper 8 are the key, the next 16 the code and
 * the others the rest, and the slot of the picture.
 *
 *     base     the postings list after list, in a list by key, code, rest and slot: all keys (uint8), then for each 16 postings, in the end
 *              fewer, their codes, their rests and their slots (uint16), so that a near posting costs one or two lines of the cache
 *     buffer   the write buffer: the last postings, each: key, code, rest and slot (uint64), next of its list (uint32, 0 for none)
 *     old      the buffer before, while it is merged
 *     scratch  the postings of one list of it (uint64), then those of the list in the base
 *
 * A full buffer is replaced by a new one. Each picture added then merges a part of the old one into the base, in place, so
 * that no picture waits for the whole merge.
 */
const BUFFERED_POSTING_BYTES: usize = 12;
const LIST_BYTES: usize = 16; // start in the base, first and last in the buffer (counted from 1), first in the buffer being merged
/** A buffer holds this part of the base, and never less than `MIN_BUFFERED_POSTINGS`: few postings are out of line, and merging is rare. */
const BASE_TO_BUFFER_RATIO: u32 = 96;
const MIN_BUFFERED_POSTINGS: u32 = 4096;
const POSTING_BYTES: usize = 7;
/** Postings that are compared at once, a power of two; so many may be read behind the last. */
const LANE_COUNT: u32 = 16;

let heap: usize = 0;
let count: u32 = 0; // of lists
let lists: usize = 0;
let base: usize = 0;
let settled: u32 = 0; // postings in the base
let buffer: usize = 0;
let late: u32 = 0; // postings in the buffer
let most: u32 = 0; // capacity of the buffer

// while a buffer is merged
let old: usize = 0; // where it lies
let held: u32 = 0; // postings in it
let turn: u32 = 0; // lists from here on are merged; all of them where it is 0
let end: u32 = 0; // end of the list before, where it still is
let free: u32 = 0; // and where it will be
let pace: u32 = 0; // postings and lists to merge for each posting inserted
let frozen: bool = false; // nothing is merged, so that base and buffer stay where they are

/** Memory for the caller, never given back. All of it is claimed before the lists are opened. */
export function claim(bytes: usize): usize {
  if (lists) unreachable();
  const at = heap ? heap : (__heap_base + 15) & ~15;
  heap = (at + bytes + 15) & ~15;
  reserve(heap);
  return at;
}

/** Makes `number` empty lists. Once in an instance's life. */
export function openLists(number: u32): void {
  const at = claim(LIST_BYTES * <usize>(number + 1));
  memory.fill(at, 0, LIST_BYTES * <usize>(number + 1));
  count = number;
  lists = at;
  base = heap;
  openBuffer();
}

/** Bytes in use, in all; the space of a merged buffer stays until lists are swept. */
export function usedBytes(): usize {
  return scratch() + 8 * <usize>held;
}

function scratch(): usize {
  return (buffer + BUFFERED_POSTING_BYTES * <usize>(most + held) + 7) & ~7;
}

/** Memory for the caller above the lists, until something is inserted. */
export function spare(bytes: usize): usize {
  const at = (usedBytes() + 15) & ~15;
  reserve(at + bytes);
  return at;
}

export function reserve(end: usize): void {
  const have = (<usize>memory.size()) << 16;
  if (end <= have) return;
  const pages = <i32>((end - have + 0xffff) >> 16);
  if (memory.grow(max(pages, <i32>min<usize>(have >> 21, 1024))) < 0 && memory.grow(pages) < 0) unreachable();
}

/** Opens an empty buffer behind the base. */
function openBuffer(): void {
  late = 0;
  most = max(max(MIN_BUFFERED_POSTINGS, count >> 2), settled / BASE_TO_BUFFER_RATIO);
  buffer = (listAt(settled) + 2 * <usize>LANE_COUNT + 7) & ~7;
  reserve(usedBytes());
}

/** Where a list is that begins with this posting. */
function listAt(start: u32): usize {
  return base + POSTING_BYTES * <usize>start;
}

/** Where the codes are of the postings that are compared together with the i-th of a list of `n`. */
function groupAt(list: usize, n: u32, i: u32): usize {
  return list + <usize>n + 6 * <usize>(i & ~(LANE_COUNT - 1));
}

/** From a code of this group to the rest, and from the rest to the slot. */
function strideOf(n: u32, i: u32): usize {
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

function putPosting(list: usize, n: u32, i: u32, posting: u64): void {
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

function listOf(number: u32): usize {
  return lists + LIST_BYTES * <usize>number;
}

/** Where a list ends in the base. */
function endOf(number: u32): u32 {
  return number + 1 == turn ? end : load<u32>(listOf(number), LIST_BYTES);
}

function lateAt(number: u32, within: usize): usize {
  return within + BUFFERED_POSTING_BYTES * <usize>(number - 1);
}

/** Adds a picture's `n` features. @param slot  below 2^16  @param features  n × (word: uint16, 40 bits of the signature: key uint16, code and rest uint32) */
export function insert(slot: u32, features: usize, n: i32): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    if (late == most) {
      if (frozen) enlargeBuffer();
      else beginMerge();
    }
    late++;
    const list = listOf(load<u16>(features + 8 * i));
    const last = load<u32>(list, 8);
    if (last) store<u32>(lateAt(last, buffer), late, 8);
    else store<u32>(list, late, 4);
    store<u32>(list, late, 8);
    const at = lateAt(late, buffer);
    const bits = ((<u64>load<u16>(features + 8 * i, 2)) << 32) | (<u64>load<u32>(features + 8 * i, 4));
    store<u64>(at, (bits << 16) | (<u64>slot));
    store<u32>(at, 0, 8);
  }
  goOnMerging(pace * <u32>n);
}

/** Brings the buffers into the base, so many postings and lists a call. @returns whether all are, or the lists are frozen */
export function settle(postingsAndLists: u32): bool {
  if (frozen) return true;
  if (turn == 0) {
    if (late == 0) return true;
    beginMerge();
  }
  goOnMerging(postingsAndLists);
  return turn == 0 && late == 0;
}

/** Makes a frozen buffer larger; nothing lies above it. */
function enlargeBuffer(): void {
  most += max(MIN_BUFFERED_POSTINGS, most >> 2);
  reserve(usedBytes());
}

/**
 * Ends the merge that is under way, so many postings and lists a call, and then freezes the lists: what is inserted afterwards follows
 * what is there. Nothing may be swept before `thaw`.
 *
 * @returns whether they are frozen
 */
export function freeze(postingsAndLists: u32): bool {
  goOnMerging(postingsAndLists);
  if (turn > 0) return false;
  held = 0;
  frozen = true;
  return true;
}

export function thaw(): void {
  frozen = false;
}

/** Of frozen lists: where the table of the lists is, the base, the buffer; all for a copy. */
export function tableAt(): usize {
  return lists;
}

export function baseAt(): usize {
  return base;
}

export function bufferAt(): usize {
  return buffer;
}

/** Postings in the base, and in the buffer. */
export function settledPostings(): u32 {
  return load<u32>(listOf(count));
}

export function latePostings(): u32 {
  return late;
}

/** Makes room in empty lists for a base and a buffer of so many postings, which the caller fills with their table, and then calls `accept`. */
export function restore(basePostings: u32, bufferPostings: u32): void {
  settled = basePostings;
  openBuffer();
  late = bufferPostings;
  if (late > most) most = late;
  reserve(usedBytes());
}

/**
 * Checks restored lists from one on: that each is sorted, within the base, of slots below `slots`, and chains within the buffer.
 *
 * @param from  0 at first, then what the last call returned
 * @returns the list to go on with; 0xffffffff where something is wrong, the number of the lists and one at the end
 */
export function accept(from: u32, slots: u32, postingsAndLists: u32): u32 {
  if (from == 0 && (load<u32>(lists) != 0 || load<u32>(listOf(count)) != settled)) return u32.MAX_VALUE;
  let done: u32 = 0;
  for (let number = from; number < count; number++) {
    if (done >= postingsAndLists) return number;
    const list = listOf(number);
    const first = load<u32>(list);
    const next = load<u32>(list, LIST_BYTES);
    if (next < first || next > settled || load<u32>(list, 12) != 0) return u32.MAX_VALUE;
    let before: u64 = 0;
    for (let i: u32 = 0; i < next - first; i++) {
      const posting = postingAt(listAt(first), next - first, i);
      if (posting < before || slotOf(posting) >= slots) return u32.MAX_VALUE;
      before = posting;
    }
    done += 1 + next - first;
    const last = load<u32>(list, 8);
    let at = load<u32>(list, 4);
    if (at > late || last > late || (at == 0) != (last == 0)) return u32.MAX_VALUE;
    while (at) {
      const place = lateAt(at, buffer);
      const posting = load<u64>(place);
      if (slotOf(posting) >= slots || posting >> 56 != 0) return u32.MAX_VALUE;
      if (at == last) store<u32>(place, 0, 8); // the copy may have one that was inserted later
      const following = load<u32>(place, 8);
      if ((following == 0) != (at == last) || (following && (following <= at || following > last)))
        return u32.MAX_VALUE;
      at = following;
      done++;
    }
  }
  return count + 1;
}

function beginMerge(): void {
  goOnMerging(u32.MAX_VALUE);
  for (let number: u32 = 0; number < count; number++) {
    const list = listOf(number);
    store<u32>(list, load<u32>(list, 4), 12);
    store<u64>(list, 0, 4);
  }
  const full = buffer;
  held = late;
  turn = count;
  end = settled;
  settled += held;
  free = settled;
  store<u32>(listOf(count), settled);
  openBuffer();
  old = lateAt(most + 1, buffer);
  memory.copy(old, full, BUFFERED_POSTING_BYTES * <usize>held);
  pace = 1 + (2 * (settled + count)) / most; // done when half of the new buffer is full
}

/**
 * Brings the buffer into the base, list by list from the last: each moves up by what the buffer has for it and those before
 * it, so nothing is written over that is still to be read.
 */
function goOnMerging(postingsAndLists: u32): void {
  for (let done: u32 = 0; turn > 0 && done < postingsAndLists; done++) {
    const list = listOf(--turn);
    const start = load<u32>(list);
    const added = sorted(load<u32>(list, 12));
    const n = end - start;
    free -= n + added;
    combine(start, n, added);
    store<u32>(list, free);
    store<u32>(list, 0, 12);
    end = start;
    done += n + added;
  }
}

/** Sorts the postings of a list of the old buffer into the scratch memory. @returns how many there are */
function sorted(first: u32): u32 {
  const into = scratch();
  let n: u32 = 0;
  for (let at = first; at; n++) {
    const late = lateAt(at, old);
    const posting = load<u64>(late);
    let to = into + 8 * <usize>n;
    for (; to > into && load<u64>(to - 8) > posting; to -= 8) store<u64>(to, load<u64>(to - 8));
    store<u64>(to, posting);
    at = load<u32>(late, 8);
  }
  return n;
}

/** Merges a list and the scratch memory to where the list will be. */
function combine(start: u32, n: u32, added: u32): void {
  if (added == 0) {
    if (free != start) memory.copy(listAt(free), listAt(start), POSTING_BYTES * <usize>n);
    return;
  }
  const more = scratch();
  const list = more + 8 * <usize>added;
  reserve(list + POSTING_BYTES * <usize>n);
  memory.copy(list, listAt(start), POSTING_BYTES * <usize>n);
  const to = listAt(free);
  let i: u32 = 0;
  for (let k: u32 = 0; k < added; k++) {
    const next = load<u64>(more + 8 * <usize>k);
    for (; i < n && postingAt(list, n, i) <= next; i++) putPosting(to, n + added, i + k, postingAt(list, n, i));
    putPosting(to, n + added, i + k, next);
  }
  for (; i < n; i++) putPosting(to, n + added, i + added, postingAt(list, n, i));
}

// while lists are swept
let swept: u32 = 0; // lists before this one are
let kept: u32 = 0; // postings of those lists
let next: u32 = 0; // where the next list still begins

/**
 * Takes out every posting of the slots whose byte in `dead` (in `spare` memory, of settled lists) is not 0, so many postings and lists
 * a call. Nothing may be inserted or searched before the end.
 *
 * @param slots  bytes in `dead`
 * @returns whether that was the end
 */
export function sweep(dead: usize, slots: u32, postingsAndLists: u32): bool {
  for (let done: u32 = 0; swept < count; swept++) {
    if (done >= postingsAndLists) return false;
    const list = listOf(swept);
    const n = load<u32>(list, LIST_BYTES) - next;
    store<u32>(list, kept);
    const left = alive(listAt(next), n, dead);
    if (left == n) memory.copy(listAt(kept), listAt(next), POSTING_BYTES * <usize>n);
    else keepAlive(listAt(next), n, left, dead, dead + <usize>slots);
    kept += left;
    next += n;
    done += 1 + n;
  }
  store<u32>(listOf(count), kept);
  settled = kept;
  held = 0;
  swept = 0;
  kept = 0;
  next = 0;
  openBuffer();
  return true;
}

/** How many postings are of other slots. */
function alive(list: usize, n: u32, dead: usize): u32 {
  let left = n;
  for (let i: u32 = 0; i < n; i++) if (load<u8>(dead + <usize>slotOf(postingAt(list, n, i)))) left--;
  return left;
}

/** Copies those to `kept`, by way of the memory at `copy`. */
function keepAlive(list: usize, n: u32, left: u32, dead: usize, copy: usize): void {
  reserve(copy + POSTING_BYTES * <usize>n);
  memory.copy(copy, list, POSTING_BYTES * <usize>n);
  const to = listAt(kept);
  let k: u32 = 0;
  for (let i: u32 = 0; i < n; i++) {
    const posting = postingAt(copy, n, i);
    if (!load<u8>(dead + <usize>slotOf(posting))) putPosting(to, left, k++, posting);
  }
}

/** Of the lanes of `readList` the distances. */
const distances = memory.data(16, 16);
/** Where the next slot goes that gets its first vote. */
let voted: usize = 0;

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
    if (load<u32>(list, 12)) readLate(load<u32>(list, 12), old, entry, nearness, given, i + 1);
    if (load<u32>(list, 4)) readLate(load<u32>(list, 4), buffer, entry, nearness, given, i + 1);
  }
  return votedSince(slots);
}

/** Before votes are given: where slots go that get their first, behind `count` of them. */
export function openVotes(slots: usize, count: u32): void {
  voted = slots + 4 * <usize>count;
}

/** How many slots have votes. */
export function votedSince(slots: usize): u32 {
  return <u32>((voted - slots) >> 2);
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

function readLate(first: u32, within: usize, entry: usize, nearness: usize, given: usize, giver: u32): void {
  const bits = ((<u64>load<u16>(entry, 2)) << 32) | (<u64>load<u32>(entry, 4));
  for (let at = first; at;) {
    const late = lateAt(at, within);
    const posting = load<u64>(late);
    const differing = (posting >> 16) ^ bits;
    const all = <u32>popcnt<u64>(differing);
    if (
      <u32>popcnt<u64>(differing >> 32) <= <u32>load<u8>(entry, 12) &&
      <u32>popcnt<u64>(differing >> 16) <= <u32>load<u8>(entry, 13) &&
      all <= <u32>load<u8>(entry, 14)
    ) {
      give(given, slotOf(posting), giver, gainOf(entry, nearness, all));
    }
    at = load<u32>(late, 8);
  }
}

export function gainOf(entry: usize, nearness: usize, off: u32): u32 {
  return (load<u32>(entry, 8) * load<u16>(nearness + 2 * <usize>off)) >> 6;
}

export function give(given: usize, slot: u32, giver: u32, gain: u32): void {
  if (gain == 0) return;
  const at = given + 8 * <usize>slot;
  const last = load<u32>(at);
  if (last == 0) {
    store<u32>(voted, slot);
    voted += 4;
  }
  if ((last & 0xffff) != giver) {
    store<u32>(at, giver | (gain << 16));
    store<u32>(at, load<u32>(at, 4) + gain, 4);
  } else if (gain > last >> 16) {
    store<u32>(at, giver | (gain << 16));
    store<u32>(at, load<u32>(at, 4) + gain - (last >> 16), 4);
  }
}

/**
 * Keeps the most votes of all variants, and clears those of this one.
 *
 * @param given  as `vote` left it
 * @param slots  with votes in this variant
 * @param count  of these slots
 * @param best   uint32 for each slot
 * @param every  the slots with votes in a variant before, each once, and room for the others
 * @param known  of these
 * @returns how many slots `every` has afterwards
 */
export function keepMost(given: usize, slots: usize, count: u32, best: usize, every: usize, known: u32): u32 {
  for (let i: usize = 0; i < <usize>count; i++) {
    const slot = <usize>load<u32>(slots + 4 * i);
    const votes = load<u32>(given + 8 * slot, 4);
    store<u64>(given + 8 * slot, 0);
    const before = load<u32>(best + 4 * slot);
    if (before == 0) {
      store<u32>(every + 4 * <usize>known, <u32>slot);
      known++;
    }
    if (votes > before) store<u32>(best + 4 * slot, votes);
  }
  return known;
}

/** Scores below this one have a bin each, and higher ones share one bin with 2^9. */
const SINGLE_SCORE_BINS: u32 = 1 << 15;
const SCORE_BINS: u32 = 1 << 16;

// @ts-expect-error a decorator
@inline
function binOf(score: u32): u32 {
  return score < SINGLE_SCORE_BINS ? score : SINGLE_SCORE_BINS + min(SINGLE_SCORE_BINS - 1, score >> 9);
}

/**
 * The score of each slot: 1024 × votes / norm, rounded down; 0 where the norm is 0.
 *
 * @param slots  with votes, uint32
 * @param count  of these
 * @param votes  uint32 for each slot
 * @param norms  uint16 for each slot
 * @param scores uint32 for each of the slots listed
 * @param bins   2^16 uint32: how many scores each bin has, to which these are added
 */
export function scores(slots: usize, count: u32, votes: usize, norms: usize, scores: usize, bins: usize): void {
  for (let i: usize = 0; i < <usize>count; i++) {
    const slot = <usize>load<u32>(slots + 4 * i);
    const norm = load<u16>(norms + 2 * slot);
    const score = norm == 0 ? 0 : <u32>min((1024 * <f64>load<u32>(votes + 4 * slot)) / <f64>norm, <f64>u32.MAX_VALUE);
    store<u32>(scores + 4 * i, score);
    const bin = bins + 4 * <usize>binOf(score);
    store<u32>(bin, load<u32>(bin) + 1);
  }
}

/**
 * Lists the slots with the highest scores: at least `limit`, where there are so many above 0, and all that tie with the lowest of them.
 *
 * @param slots  uint32
 * @param count  of these
 * @param scores uint32 for each
 * @param bins   as `scores` left them
 * @param limit  above 0
 * @param least  above 0: slots of lower scores are not listed
 * @param out    room for all of them: (slot, score), both uint32
 * @returns how many there are
 */
export function select(
  slots: usize,
  count: u32,
  scores: usize,
  bins: usize,
  limit: u32,
  least: u32,
  out: usize,
): u32 {
  let bin = SCORE_BINS;
  for (let held: u32 = 0; bin > 1 && held < limit;) held += load<u32>(bins + 4 * <usize>--bin);
  let to = out;
  for (let i: usize = 0; i < <usize>count; i++) {
    const score = load<u32>(scores + 4 * i);
    if (score < least || binOf(score) < bin) continue;
    store<u32>(to, load<u32>(slots + 4 * i));
    store<u32>(to, score, 4);
    to += 8;
  }
  return <u32>((to - out) >> 3);
}
