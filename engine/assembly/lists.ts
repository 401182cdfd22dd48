import { allocate, allocateRest, reserve } from './memory';
import { listBytes, POSTING_BYTES, LANE_COUNT, postingAt, putPosting, slotOf } from './postings';

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
let count: u32 = 0; // of lists
let lists: usize = 0;
let base: usize = 0;
let settled: u32 = 0; // postings in the base
export let buffer: usize = 0;
let buffered: u32 = 0; // postings in the buffer
let bufferCapacity: u32 = 0; // capacity of the buffer

// while a buffer is merged
export let oldBuffer: usize = 0; // where it lies
let oldPostings: u32 = 0; // postings in it
let mergedFrom: u32 = 0; // lists from here on are merged; all of them where it is 0
let unmergedEnd: u32 = 0; // end of the list before, where it still is
let mergedEnd: u32 = 0; // and where it will be
let mergedPerInsertion: u32 = 0; // postings and lists to merge for each posting inserted
let frozen: bool = false; // nothing is merged, so that base and buffer stay where they are

/** Makes `number` empty lists. Once in an instance's life. */
export function openLists(number: u32): void {
  const at = allocate(LIST_BYTES * <usize>(number + 1));
  memory.fill(at, 0, LIST_BYTES * <usize>(number + 1));
  count = number;
  lists = at;
  base = allocateRest();
  openBuffer();
}

/** Bytes in use, in all; the space of a merged buffer stays until lists are swept. */
export function usedBytes(): usize {
  return scratch() + 8 * <usize>oldPostings;
}

function scratch(): usize {
  return (buffer + BUFFERED_POSTING_BYTES * <usize>(bufferCapacity + oldPostings) + 7) & ~7;
}

/** Memory for the caller above the lists, until something is inserted. */
export function spare(bytes: usize): usize {
  const at = (usedBytes() + 15) & ~15;
  reserve(at + bytes);
  return at;
}

/** Opens an empty buffer behind the base. */
function openBuffer(): void {
  buffered = 0;
  bufferCapacity = max(max(MIN_BUFFERED_POSTINGS, count >> 2), settled / BASE_TO_BUFFER_RATIO);
  buffer = (listAt(settled) + 2 * <usize>LANE_COUNT + 7) & ~7;
  reserve(usedBytes());
}

/** Where a list is that begins with this posting. */
export function listAt(start: u32): usize {
  return base + POSTING_BYTES * <usize>start;
}

export function listOf(number: u32): usize {
  return lists + LIST_BYTES * <usize>number;
}

/** Where a list ends in the base. */
export function endOf(number: u32): u32 {
  return number + 1 == mergedFrom ? unmergedEnd : load<u32>(listOf(number), LIST_BYTES);
}

export function bufferedAt(number: u32, within: usize): usize {
  return within + BUFFERED_POSTING_BYTES * <usize>(number - 1);
}

/** Adds a picture's `n` features. @param slot  below 2^16  @param features  n × (word: uint16, 40 bits of the signature: key uint16, code and rest uint32) */
export function insert(slot: u32, features: usize, n: i32): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    if (buffered == bufferCapacity) {
      if (frozen) enlargeBuffer();
      else beginMerge();
    }
    buffered++;
    const list = listOf(load<u16>(features + 8 * i));
    const last = load<u32>(list, 8);
    if (last) store<u32>(bufferedAt(last, buffer), buffered, 8);
    else store<u32>(list, buffered, 4);
    store<u32>(list, buffered, 8);
    const at = bufferedAt(buffered, buffer);
    const bits = ((<u64>load<u16>(features + 8 * i, 2)) << 32) | (<u64>load<u32>(features + 8 * i, 4));
    store<u64>(at, (bits << 16) | (<u64>slot));
    store<u32>(at, 0, 8);
  }
  goOnMerging(mergedPerInsertion * <u32>n);
}

/** Brings the buffers into the base, so many postings and lists a call. @returns whether all are, or the lists are frozen */
export function settle(postingsAndLists: u32): bool {
  if (frozen) return true;
  if (mergedFrom == 0) {
    if (buffered == 0) return true;
    beginMerge();
  }
  goOnMerging(postingsAndLists);
  return mergedFrom == 0 && buffered == 0;
}

/** Makes a frozen buffer larger; nothing lies above it. */
function enlargeBuffer(): void {
  bufferCapacity += max(MIN_BUFFERED_POSTINGS, bufferCapacity >> 2);
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
  if (mergedFrom > 0) return false;
  oldPostings = 0;
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

export function bufferedPostings(): u32 {
  return buffered;
}

/** Makes room in empty lists for a base and a buffer of so many postings, which the caller fills with their table, and then calls `accept`. */
export function restore(basePostings: u32, bufferPostings: u32): void {
  settled = basePostings;
  openBuffer();
  buffered = bufferPostings;
  if (buffered > bufferCapacity) bufferCapacity = buffered;
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
    if (at > buffered || last > buffered || (at == 0) != (last == 0)) return u32.MAX_VALUE;
    while (at) {
      const place = bufferedAt(at, buffer);
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
  oldPostings = buffered;
  mergedFrom = count;
  unmergedEnd = settled;
  settled += oldPostings;
  mergedEnd = settled;
  store<u32>(listOf(count), settled);
  openBuffer();
  oldBuffer = bufferedAt(bufferCapacity + 1, buffer);
  memory.copy(oldBuffer, full, BUFFERED_POSTING_BYTES * <usize>oldPostings);
  mergedPerInsertion = 1 + (2 * (settled + count)) / bufferCapacity; // done when half of the new buffer is full
}

/**
 * Brings the buffer into the base, list by list from the last: each moves up by what the buffer has for it and those before
 * it, so nothing is written over that is still to be read.
 */
function goOnMerging(postingsAndLists: u32): void {
  for (let done: u32 = 0; mergedFrom > 0 && done < postingsAndLists; done++) {
    const list = listOf(--mergedFrom);
    const start = load<u32>(list);
    const added = sorted(load<u32>(list, 12));
    const n = unmergedEnd - start;
    mergedEnd -= n + added;
    combine(start, n, added);
    store<u32>(list, mergedEnd);
    store<u32>(list, 0, 12);
    unmergedEnd = start;
    done += n + added;
  }
}

/** Sorts the postings of a list of the old buffer into the scratch memory. @returns how many there are */
function sorted(first: u32): u32 {
  const into = scratch();
  let n: u32 = 0;
  for (let at = first; at; n++) {
    const place = bufferedAt(at, oldBuffer);
    const posting = load<u64>(place);
    let to = into + 8 * <usize>n;
    for (; to > into && load<u64>(to - 8) > posting; to -= 8) store<u64>(to, load<u64>(to - 8));
    store<u64>(to, posting);
    at = load<u32>(place, 8);
  }
  return n;
}

/** Merges a list and the scratch memory to where the list will be. */
function combine(start: u32, n: u32, added: u32): void {
  if (added == 0) {
    if (mergedEnd != start) memory.copy(listAt(mergedEnd), listAt(start), POSTING_BYTES * <usize>n);
    return;
  }
  const more = scratch();
  const list = more + 8 * <usize>added;
  reserve(list + POSTING_BYTES * <usize>n);
  memory.copy(list, listAt(start), POSTING_BYTES * <usize>n);
  const to = listAt(mergedEnd);
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
  oldPostings = 0;
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
