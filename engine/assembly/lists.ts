/**
 * The term lists of one partition, in this instance's memory: above the caller's, and up to its end. A term has 28 bits: the upper 16
 * are the number of its list, the lower 12 are in the posting: term << 20 | picture. A list is sorted, so a term is a run in it.
 *
 *     base     list after list: n postings (uint32)
 *     buffer   the write buffer: the last postings, each: posting, next of its list (0 for none)
 *     old      the buffer before, while it is merged
 *     scratch  the postings of one list of it
 *
 * A full buffer is replaced by a new one. Each picture added then merges a part of the old one into the base, in place, so
 * that no picture waits for the whole merge.
 */
const LATE: usize = 8;
const LIST: usize = 16; // start in the base, first and last in the buffer (counted from 1), first in the buffer being merged
/** A buffer holds this part of the base, and never less than `LEAST`: few postings are out of line, and merging is rare. */
const SHARE: u32 = 48;
const LEAST: u32 = 4096;
const LOW: u32 = 12;
const ABOVE: u32 = 20;
const PICTURE: u32 = (1 << ABOVE) - 1;

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
  const at = claim(LIST * <usize>(number + 1));
  memory.fill(at, 0, LIST * <usize>(number + 1));
  count = number;
  lists = at;
  base = heap;
  openBuffer();
}

/** Bytes in use, in all; the space of a merged buffer stays until lists are swept. */
export function usedBytes(): usize {
  return scratch() + 4 * <usize>held;
}

function scratch(): usize {
  return buffer + LATE * <usize>(most + held);
}

/** Memory for the caller above the lists, until something is inserted. */
export function spare(bytes: usize): usize {
  const at = (usedBytes() + 15) & ~15;
  reserve(at + bytes);
  return at;
}

function reserve(end: usize): void {
  const have = (<usize>memory.size()) << 16;
  if (end <= have) return;
  const pages = <i32>((end - have + 0xffff) >> 16);
  if (memory.grow(max(pages, <i32>min<usize>(have >> 21, 1024))) < 0 && memory.grow(pages) < 0) unreachable();
}

function openBuffer(): void {
  late = 0;
  most = max(max(LEAST, count >> 2), settled / SHARE);
  buffer = (base + 4 * <usize>(settled + most) + 7) & ~7;
  reserve(usedBytes());
}

function listOf(number: u32): usize {
  return lists + LIST * <usize>number;
}

/** Where a list ends in the base. */
function endOf(number: u32): u32 {
  return number + 1 == turn ? end : load<u32>(listOf(number), LIST);
}

function lateAt(number: u32, within: usize): usize {
  return within + LATE * <usize>(number - 1);
}

function postingAt(at: u32): u32 {
  return load<u32>(base + 4 * <usize>at);
}

/** Adds a picture's `n` terms. @param picture  below 2^20  @param terms  n × uint32 */
export function insert(picture: u32, terms: usize, n: i32): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    if (late == most) {
      if (frozen) enlarge();
      else beginMerge();
    }
    late++;
    const term = load<u32>(terms + 4 * i);
    const list = listOf(term >> LOW);
    const last = load<u32>(list, 8);
    if (last) store<u32>(lateAt(last, buffer), late, 4);
    else store<u32>(list, late, 4);
    store<u32>(list, late, 8);
    const at = lateAt(late, buffer);
    store<u32>(at, (term << ABOVE) | picture);
    store<u32>(at, 0, 4);
  }
  goOnMerging(pace * <u32>n);
}

/**
 * Brings the buffers into the base, so many postings and lists a call, in two rounds: the one that was under way, then the
 * other. Nothing may be inserted before the end.
 *
 * @param round  0 at first, then what the last call returned
 * @returns 2 when nothing is left to do
 */
export function merge(round: i32, postingsAndLists: u32): i32 {
  const begins = round == 0 && turn == 0;
  if (begins) beginMerge();
  goOnMerging(postingsAndLists);
  if (turn > 0) return begins ? 1 : round;
  return begins || round == 1 ? 2 : 0;
}

/** Makes a frozen buffer larger; nothing lies above it. */
function enlarge(): void {
  most += max(LEAST, most >> 2);
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
 * Checks restored lists from one on: that each is sorted, within the base, of pictures below `end`, and chains within the buffer.
 *
 * @param from  0 at first, then what the last call returned
 * @returns the list to go on with; 0xffffffff where something is wrong, the number of the lists and one at the end
 */
export function accept(from: u32, end: u32, postingsAndLists: u32): u32 {
  if (from == 0 && (load<u32>(lists) != 0 || load<u32>(listOf(count)) != settled)) return u32.MAX_VALUE;
  let done: u32 = 0;
  for (let number = from; number < count; number++) {
    if (done >= postingsAndLists) return number;
    const list = listOf(number);
    const first = load<u32>(list);
    const next = load<u32>(list, LIST);
    if (next < first || next > settled || load<u32>(list, 12) != 0) return u32.MAX_VALUE;
    let before: u32 = 0;
    for (let at = first; at < next; at++) {
      const posting = postingAt(at);
      if (posting < before || (posting & PICTURE) >= end) return u32.MAX_VALUE;
      before = posting;
    }
    done += 1 + next - first;
    const last = load<u32>(list, 8);
    let at = load<u32>(list, 4);
    if (at > late || last > late || (at == 0) != (last == 0)) return u32.MAX_VALUE;
    while (at) {
      const place = lateAt(at, buffer);
      if ((load<u32>(place) & PICTURE) >= end) return u32.MAX_VALUE;
      if (at == last) store<u32>(place, 0, 4); // the copy may have one that was inserted later
      const following = load<u32>(place, 4);
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
  settled += late;
  free = settled;
  store<u32>(listOf(count), settled);
  openBuffer();
  old = lateAt(most + 1, buffer);
  memory.copy(old, full, LATE * <usize>held);
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
    const posting = load<u32>(late);
    let to = into + 4 * <usize>n;
    for (; to > into && load<u32>(to - 4) > posting; to -= 4) store<u32>(to, load<u32>(to - 4));
    store<u32>(to, posting);
    at = load<u32>(late, 4);
  }
  return n;
}

/** Merges a list and the scratch memory to where the list will be, from the end. */
function combine(start: u32, n: u32, added: u32): void {
  const from = scratch();
  let left = n;
  let more = added;
  while (more > 0) {
    const next = load<u32>(from + 4 * <usize>(more - 1));
    const to = base + 4 * <usize>(free + left + more - 1);
    if (left > 0 && postingAt(start + left - 1) > next) {
      store<u32>(to, postingAt(start + left - 1));
      left--;
    } else {
      store<u32>(to, next);
      more--;
    }
  }
  if (free != start) memory.copy(base + 4 * <usize>free, base + 4 * <usize>start, 4 * <usize>left);
}

// while lists are swept
let swept: u32 = 0; // lists before this one are
let kept: u32 = 0; // postings of those lists
let next: u32 = 0; // where the next list still begins

/**
 * Takes out every posting of the pictures whose byte in `dead` (in `spare` memory, after a `merge`) is not 0, so many
 * postings and lists a call. Nothing may be inserted or searched before the end.
 *
 * @returns whether that was the end
 */
export function sweep(dead: usize, postingsAndLists: u32): bool {
  for (let done: u32 = 0; swept < count; swept++) {
    if (done >= postingsAndLists) return false;
    const list = listOf(swept);
    const end = load<u32>(list, LIST);
    store<u32>(list, kept);
    for (let at = next; at < end; at++) {
      const posting = postingAt(at);
      if (load<u8>(dead + <usize>(posting & PICTURE))) continue;
      store<u32>(base + 4 * <usize>kept, posting);
      kept++;
    }
    done += 1 + end - next;
    next = end;
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

/** Sets of at most two of 12 bits, as they lie in a posting; those of no, one and two bits one after the other. */
const sets: StaticArray<u32> = [
  0x00000000, 0x00100000, 0x00200000, 0x00400000, 0x00800000, 0x01000000, 0x02000000, 0x04000000, 0x08000000,
  0x10000000, 0x20000000, 0x40000000, 0x80000000,
];
/** A list of fewer postings is read from end to end, a longer one run by run. */
const SHORT: u32 = 4096;

/**
 * Counts votes: each feature gives each picture the largest gain of its entries, once. An entry has a word and bits; it gains by the
 * number of bits in which the picture's term differs: 0, 1 or 2.
 *
 * @param entries  features × each × (term as uint32, 3 × gain as uint32 below 2^16), gains falling
 * @param from     the first feature
 * @param to       the end of the features, at most 65,535
 * @param given    ((feature + 1 that gave last) | its gain << 16, votes) for each picture, both uint32; 0 before the first feature
 */
export function vote(entries: usize, each: u32, from: u32, to: u32, given: usize): void {
  for (let feature = from; feature < to; feature++) {
    for (let i = each * feature; i < each * (feature + 1); i++) {
      const entry = entries + 16 * <usize>i;
      const term = load<u32>(entry);
      const number = term >> LOW;
      const bits = term << ABOVE;
      const start = load<u32>(listOf(number));
      const end = endOf(number);
      if (end - start < SHORT) {
        readAll(bits, start, end, entry, given, feature + 1);
      } else {
        for (let a = 0; a <= 12; a++) {
          const first = bits ^ unchecked(sets[a]);
          readRun(first, start, end, load<u32>(entry + (a ? 8 : 4)), given, feature + 1);
          if (a == 0) continue;
          for (let b = a + 1; b <= 12; b++) {
            readRun(first ^ unchecked(sets[b]), start, end, load<u32>(entry, 12), given, feature + 1);
          }
        }
      }
      for (let buffers = 0; buffers < 2; buffers++) {
        const within = buffers ? buffer : old;
        for (let at = load<u32>(listOf(number) + (buffers ? 4 : 12)); at;) {
          const late = lateAt(at, within);
          judge(load<u32>(late), bits, entry, given, feature + 1);
          at = load<u32>(late, 4);
        }
      }
    }
  }
}

/** Eight postings at a time, most of which are of no use. */
function readAll(bits: u32, start: u32, end: u32, entry: usize, given: usize, feature: u32): void {
  let at = base + 4 * <usize>start;
  const last = base + 4 * <usize>end;
  const wanted = i32x4.splat(<i32>bits);
  const three = i16x8.splat(3);
  for (; at + 32 <= last; at += 32) {
    const low = i32x4.shr_u(v128.xor(v128.load(at), wanted), <i32>ABOVE);
    const high = i32x4.shr_u(v128.xor(v128.load(at, 16), wanted), <i32>ABOVE);
    const off = i16x8.extadd_pairwise_i8x16_u(i8x16.popcnt(i16x8.narrow_i32x4_u(low, high)));
    for (let near = i16x8.bitmask(i16x8.lt_s(off, three)); near; near &= near - 1) {
      judge(load<u32>(at + 4 * <usize>ctz(near)), bits, entry, given, feature);
    }
  }
  for (; at < last; at += 4) judge(load<u32>(at), bits, entry, given, feature);
}

function judge(posting: u32, bits: u32, entry: usize, given: usize, feature: u32): void {
  const off = popcnt<u32>((posting ^ bits) >> ABOVE);
  if (off > 2) return;
  give(given, posting & PICTURE, feature, load<u32>(entry + 4 * <usize>off, 4));
}

/** The postings of one term. */
function readRun(lowest: u32, start: u32, end: u32, gain: u32, given: usize, feature: u32): void {
  const highest = lowest | PICTURE;
  for (let at = firstFrom(lowest, start, end); at < end; at++) {
    const posting = postingAt(at);
    if (posting > highest) return;
    give(given, posting & PICTURE, feature, gain);
  }
}

function give(given: usize, picture: u32, feature: u32, gain: u32): void {
  const at = given + 8 * <usize>picture;
  const last = load<u32>(at);
  if ((last & 0xffff) != feature) {
    store<u32>(at, feature | (gain << 16));
    store<u32>(at, load<u32>(at, 4) + gain, 4);
  } else if (gain > last >> 16) {
    store<u32>(at, feature | (gain << 16));
    store<u32>(at, load<u32>(at, 4) + gain - (last >> 16), 4);
  }
}

/** The first place from `low` on whose posting is not below; `high` for none. */
function firstFrom(posting: u32, low: u32, high: u32): u32 {
  while (low < high) {
    const middle = (low + high) >> 1;
    if (postingAt(middle) < posting) low = middle + 1;
    else high = middle;
  }
  return low;
}

/** Keeps the most votes of all variants: best[i] = max(best[i], votes of picture i). @param best  n × uint32 */
export function keepMost(given: usize, n: u32, best: usize): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    const votes = load<u32>(given + 8 * i, 4);
    if (votes > load<u32>(best + 4 * i)) store<u32>(best + 4 * i, votes);
  }
}
