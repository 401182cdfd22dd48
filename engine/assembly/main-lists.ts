import { KEY_COUNT, openMasks } from './key-masks';
import { allocate, allocateRest, reserve } from './memory';
import { listBytes, postingAt, POSTING_BYTES, slotOf } from './postings';

/**
 * The main lists of a block of pictures, in an instance of their own: those of lists.ts, once they are many, are merged into them. A list
 * lies in one piece, so that a look-up among many pictures waits for memory once and not for each of many short lists:
 *
 *     directory  where each of 256 keys ends (uint16, in a list of more than 65,535 postings uint32)
 *     codes      with the rests, by key: code << 16 | rest (uint32)
 *     slots      (24 bits)
 *
 *     base       the lists one after the other
 *     arriving   those that are merged into them, in the same form
 *     scratch    a list of the base while it is merged, or swept
 *
 * A merge goes on in place, list by list from the last. Until its end the first lists are in the base and among the arriving ones.
 */
const LONG_LIST_POSTINGS: u32 = 0x10000;
const LIST_BYTES: usize = 8; // start in memory, postings
/** Bytes behind a list that are read with its last ones. */
const SLACK_BYTES: usize = 32;
const INVALID_LISTS: u32 = 0xffffffff;

let count: u32 = 0; // of lists
export let lists: usize = 0; // tables, each with an end
export let arrivals: usize = 0;
let base: usize = 0;
let end: usize = 0; // of the base

// while lists are merged
export let mergedFrom: u32 = 0; // lists from here on are merged; all of them where it is 0
let mergedEnd: usize = 0; // end of the next merged list
let filled: usize = 0; // end of the lists that have arrived

/** Makes `number` empty lists. Once in an instance's life, instead of `openLists`. */
export function openMain(number: u32): void {
  const table = LIST_BYTES * <usize>(number + 1);
  lists = allocate(2 * table);
  arrivals = lists + table;
  memory.fill(lists, 0, 2 * table);
  count = number;
  base = allocateRest();
  end = base;
  filled = base;
  place(lists, base);
  openMasks();
}

/** Bytes of a list of so many postings. */
function sizeOf(n: u32): usize {
  return n ? directoryOf(n) + POSTING_BYTES * <usize>n : 0;
}

export function directoryOf(n: u32): usize {
  return <usize>(n < LONG_LIST_POSTINGS ? 2 * KEY_COUNT : 4 * KEY_COUNT);
}

/** Where a key ends in a list of `n`. */
export function endOf(list: usize, n: u32, key: u32): u32 {
  return n < LONG_LIST_POSTINGS ? <u32>load<u16>(list + 2 * <usize>key) : load<u32>(list + 4 * <usize>key);
}

function putEnd(list: usize, n: u32, key: u32, end: u32): void {
  if (n < LONG_LIST_POSTINGS) store<u16>(list + 2 * <usize>key, <u16>end);
  else store<u32>(list + 4 * <usize>key, end);
}

export function startAt(table: usize, number: u32): usize {
  return <usize>load<u32>(table + LIST_BYTES * <usize>number);
}

export function postingsOf(table: usize, number: u32): u32 {
  return load<u32>(table + LIST_BYTES * <usize>number, 4);
}

/** Puts lists one after the other. @returns the end of the last */
function place(table: usize, from: usize): usize {
  for (let number: u32 = 0; number < count; number++) {
    store<u32>(table + LIST_BYTES * <usize>number, <u32>from);
    from += sizeOf(postingsOf(table, number));
  }
  store<u32>(table + LIST_BYTES * <usize>count, <u32>from);
  return from;
}

/** Bytes in use, in all. */
export function usedByMain(): usize {
  return max(end, filled) + SLACK_BYTES;
}

/** Memory for the caller above the lists, until the next call that changes them. */
export function spareInMain(bytes: usize): usize {
  const at = (usedByMain() + 15) & ~15;
  reserve(at + bytes);
  return at;
}

/** Where the table of the lists is, 8 bytes each, of which the last four say how many postings a list has. */
export function mainTableAt(): usize {
  return lists;
}

/** The same of the arriving ones. */
export function arrivingTableAt(): usize {
  return arrivals;
}

export function mainAt(): usize {
  return base;
}

export function mainBytes(): usize {
  return end - base;
}

/** Makes room for the lists whose lengths the table of the arriving ones has. Nothing is being merged. */
export function expect(): void {
  let merged = base;
  for (let number: u32 = 0; number < count; number++) {
    merged += sizeOf(postingsOf(lists, number) + postingsOf(arrivals, number));
  }
  mergedEnd = merged;
  filled = place(arrivals, (merged + 31) & ~15);
  reserve(usedByMain());
}

/**
 * Takes lists in, which are seen from `beginMerging` on.
 *
 * @param first  of these lists
 * @param last   the end of them
 * @param from   as in the base of lists.ts
 * @param slots  uint32 for each slot there: the slot here, below 2^24
 */
export function arrive(first: u32, last: u32, from: usize, slots: usize): void {
  for (let number = first; number < last; number++) {
    const n = postingsOf(arrivals, number);
    if (n == 0) continue;
    const list = startAt(arrivals, number);
    const codes = list + directoryOf(n);
    let key: u32 = 0;
    for (let i: u32 = 0; i < n; i++) {
      const posting = postingAt(from, n, i);
      for (const own = <u32>(posting >> 48); key < own; key++) putEnd(list, n, key, i);
      store<u32>(codes + 4 * <usize>i, <u32>(posting >> 16));
      putSlot(codes + 4 * <usize>n, i, load<u32>(slots + 4 * <usize>slotOf(posting)));
    }
    for (; key < KEY_COUNT; key++) putEnd(list, n, key, n);
    from += listBytes(n);
  }
}

function putSlot(slots: usize, i: u32, slot: u32): void {
  store<u16>(slots + 3 * <usize>i, <u16>slot);
  store<u8>(slots + 3 * <usize>i, <u8>(slot >> 16), 2);
}

export function slotAt(slots: usize, i: u32): u32 {
  return load<u32>(slots + 3 * <usize>i) & 0xffffff;
}

/** All lists have arrived. */
export function beginMerging(): void {
  mergedFrom = count;
  end = mergedEnd;
}

/** Merges so many postings and lists. @returns whether none is left */
export function merge(postingsAndLists: u32): bool {
  for (let done: u32 = 0; mergedFrom > 0 && done < postingsAndLists; done++) {
    mergedFrom--;
    const added = postingsOf(arrivals, mergedFrom);
    const n = postingsOf(lists, mergedFrom);
    const start = startAt(lists, mergedFrom);
    mergedEnd -= sizeOf(n + added);
    if (added == 0) {
      if (mergedEnd != start) memory.copy(mergedEnd, start, sizeOf(n));
    } else {
      const copy = spareInMain(sizeOf(n) + SLACK_BYTES);
      memory.copy(copy, start, sizeOf(n));
      combine(copy, n, startAt(arrivals, mergedFrom), added);
    }
    const list = lists + LIST_BYTES * <usize>mergedFrom;
    store<u32>(list, <u32>mergedEnd);
    store<u32>(list, n + added, 4);
    done += n + added;
  }
  if (mergedFrom > 0) return false;
  filled = base;
  return true;
}

/** Merges two lists to where theirs will be, key by key. */
function combine(one: usize, n: u32, other: usize, added: u32): void {
  const all = n + added;
  const codes = mergedEnd + directoryOf(all);
  const ones = one + directoryOf(n);
  const others = other + directoryOf(added);
  for (let key: u32 = 0; key < KEY_COUNT; key++) {
    putEnd(mergedEnd, all, key, (n ? endOf(one, n, key) : 0) + endOf(other, added, key));
  }
  // each is copied with a few bytes behind its end, over which the next is written
  interleave(one, n, ones, other, added, others, 4, codes);
  interleave(one, n, ones + 4 * <usize>n, other, added, others + 4 * <usize>added, 3, codes + 4 * <usize>all);
}

/** Copies numbers of so many bytes, of each key those of both lists. */
function interleave(
  one: usize,
  n: u32,
  ones: usize,
  other: usize,
  added: u32,
  others: usize,
  bytes: usize,
  to: usize,
): void {
  const last = to + bytes * <usize>(n + added);
  let i: u32 = 0;
  let k: u32 = 0;
  for (let key: u32 = 0; key < KEY_COUNT; key++) {
    if (n) {
      const next = endOf(one, n, key);
      to = copyTo(to, ones + bytes * <usize>i, bytes * <usize>(next - i), last);
      i = next;
    }
    const next = endOf(other, added, key);
    to = copyTo(to, others + bytes * <usize>k, bytes * <usize>(next - k), last);
    k = next;
  }
}

/** Copies, to `last` at most. @returns the end of the copy */
function copyTo(to: usize, from: usize, bytes: usize, last: usize): usize {
  const end = to + bytes;
  for (; to < end && to + 16 <= last; to += 16, from += 16) v128.store(to, v128.load(from));
  for (; to < end; to++, from++) store<u8>(to, load<u8>(from));
  return end;
}

// while lists are swept
let swept: u32 = 0; // lists before this one are
let kept: usize = 0; // end of those lists

/**
 * Takes out every posting of the slots whose byte in `dead` (in `spareInMain` memory) is not 0, so many postings and lists a call. Nothing is
 * being merged, and nothing may be searched before the end.
 *
 * @param slots  bytes in `dead`
 * @returns whether that was the end
 */
export function sweepMain(dead: usize, slots: u32, postingsAndLists: u32): bool {
  if (swept == 0) kept = base;
  for (let done: u32 = 0; swept < count; swept++) {
    if (done >= postingsAndLists) return false;
    const n = postingsOf(lists, swept);
    const start = startAt(lists, swept);
    const left = alive(start, n, dead);
    if (left == n) memory.copy(kept, start, sizeOf(n));
    else if (left > 0) keepAlive(start, n, left, dead, dead + <usize>slots);
    store<u32>(lists + LIST_BYTES * <usize>swept, <u32>kept);
    store<u32>(lists + LIST_BYTES * <usize>swept, left, 4);
    kept += sizeOf(left);
    done += 1 + n;
  }
  end = kept;
  filled = base;
  swept = 0;
  return true;
}

/** How many postings are of other slots. */
function alive(list: usize, n: u32, dead: usize): u32 {
  const slots = list + directoryOf(n) + 4 * <usize>n;
  let left = n;
  for (let i: u32 = 0; i < n; i++) if (load<u8>(dead + <usize>slotAt(slots, i))) left--;
  return left;
}

/** Copies those to `kept`, by way of the memory at `copy`. */
function keepAlive(list: usize, n: u32, left: u32, dead: usize, copy: usize): void {
  reserve(copy + sizeOf(n) + SLACK_BYTES);
  memory.copy(copy, list, sizeOf(n));
  const codes = copy + directoryOf(n);
  const slots = codes + 4 * <usize>n;
  const to = kept + directoryOf(left);
  let i: u32 = 0;
  let k: u32 = 0;
  for (let key: u32 = 0; key < KEY_COUNT; key++) {
    for (const next = endOf(copy, n, key); i < next; i++) {
      const slot = slotAt(slots, i);
      if (load<u8>(dead + <usize>slot)) continue;
      store<u32>(to + 4 * <usize>k, load<u32>(codes + 4 * <usize>i));
      putSlot(to + 4 * <usize>left, k++, slot);
    }
    putEnd(kept, left, key, k);
  }
}

/** Makes room for lists whose lengths the table has. @returns whether they have so many bytes */
export function layMain(bytes: usize): bool {
  let all: u64 = 0;
  for (let number: u32 = 0; number < count; number++) {
    const n = postingsOf(lists, number);
    all += <u64>(n ? directoryOf(n) : 0) + <u64>POSTING_BYTES * <u64>n;
  }
  if (all != <u64>bytes) return false;
  end = place(lists, base);
  filled = base;
  reserve(usedByMain());
  return true;
}

/**
 * Checks restored lists from one on: that the ends of the keys rise to the length of the list, and that slots are below `slots`.
 *
 * @param from  0 at first, then what the last call returned
 * @returns the list to go on with; 0xffffffff where something is wrong, the number of the lists at the end
 */
export function acceptMain(from: u32, slots: u32, postingsAndLists: u32): u32 {
  let done: u32 = 0;
  for (let number = from; number < count; number++) {
    if (done >= postingsAndLists) return number;
    const n = postingsOf(lists, number);
    if (n == 0) continue;
    const list = startAt(lists, number);
    let before: u32 = 0;
    for (let key: u32 = 0; key < KEY_COUNT; key++) {
      const next = endOf(list, n, key);
      if (next < before || next > n) return INVALID_LISTS;
      before = next;
    }
    if (before != n) return INVALID_LISTS;
    const held = list + directoryOf(n) + 4 * <usize>n;
    for (let i: u32 = 0; i < n; i++) if (slotAt(held, i) >= slots) return INVALID_LISTS;
    done += 1 + n;
  }
  return count;
}
