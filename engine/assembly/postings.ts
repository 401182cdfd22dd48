/**
 * The inverted lists of one partition, in this instance's memory: above the caller's, and up to its end.
 *
 *     base       for each word in turn: n signatures (uint64), then n × (picture, place), both uint32
 *     clearance  space for the postings of the buffer
 *     buffer     the write buffer: the last postings, each: signature, picture, place, next of its word (0 for none)
 *     old        the buffer before, while it is merged
 *
 * So a query reads the signatures of a word in one go, and the rest of a posting only where the signatures are alike.
 * A full buffer is replaced by a new one. Each picture added then merges a part of the old one into the base, in place, so
 * that no picture waits for the whole merge.
 */
const POSTING: usize = 16;
const LATE: usize = 20;
const LIST: usize = 16; // start in the base, first and last in the buffer (counted from 1), first in the buffer being merged
/** A buffer holds this part of the base, and never less than `LEAST`: few postings are out of line, and merging is rare. */
const SHARE: u32 = 48;
const LEAST: u32 = 4096;

let heap: usize = 0;
let words: u32 = 0;
let lists: usize = 0;
let base: usize = 0;
let settled: u32 = 0; // postings in the base
let buffer: usize = 0;
let late: u32 = 0; // postings in the buffer
let most: u32 = 0; // capacity of the buffer

// while a buffer is merged
let old: usize = 0; // where it lies
let held: u32 = 0; // postings in it
let turn: u32 = 0; // words from here on are merged; all of them where it is 0
let end: u32 = 0; // end of the list before, where it still is
let free: u32 = 0; // and where it will be
let pace: u32 = 0; // postings and words to merge for each posting inserted

/** Memory for the caller, never given back. All of it is claimed before the lists are opened. */
export function claim(bytes: usize): usize {
  if (lists) unreachable();
  const at = heap ? heap : (__heap_base + 15) & ~15;
  heap = (at + bytes + 15) & ~15;
  reserve(heap);
  return at;
}

/** Makes `count` empty lists. Once in an instance's life. */
export function openLists(count: u32): void {
  const at = claim(LIST * <usize>(count + 1));
  memory.fill(at, 0, LIST * <usize>(count + 1));
  words = count;
  lists = at;
  base = heap;
  openBuffer();
}

/** Bytes in use, in all; the space of a merged buffer stays until lists are swept. */
export function usedBytes(): usize {
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
  most = max(LEAST, settled / SHARE);
  buffer = base + POSTING * <usize>(settled + most);
  reserve(usedBytes());
}

function listOf(word: u32): usize {
  return lists + LIST * <usize>word;
}

/** Where the list of a word ends in the base. */
function endOf(word: u32): u32 {
  return word + 1 == turn ? end : load<u32>(listOf(word), LIST);
}

function lateAt(number: u32, within: usize = buffer): usize {
  return within + LATE * <usize>(number - 1);
}

/** Adds a picture's `n` postings. @param entries  n × (word as uint64, signature as uint64)  @param places  n × uint32 */
export function insert(picture: u32, entries: usize, places: usize, n: i32): void {
  for (let i: usize = 0; i < <usize>n; i++) {
    if (late == most) beginMerge();
    late++;
    const list = listOf(load<u32>(entries + 16 * i));
    const last = load<u32>(list, 8);
    if (last) store<u32>(lateAt(last), late, 16);
    else store<u32>(list, late, 4);
    store<u32>(list, late, 8);
    const at = lateAt(late);
    store<u64>(at, load<u64>(entries + 16 * i, 8));
    store<u32>(at, picture, 8);
    store<u32>(at, load<u32>(places + 4 * i), 12);
    store<u32>(at, 0, 16);
  }
  goOnMerging(pace * <u32>n);
}

/**
 * Brings the buffers into the base, so many postings and words a call, in two rounds: the one that was under way, then the
 * other. Nothing may be inserted before the end.
 *
 * @param round  0 at first, then what the last call returned
 * @returns 2 when nothing is left to do
 */
export function merge(round: i32, postingsAndWords: u32): i32 {
  const begins = round == 0 && turn == 0;
  if (begins) beginMerge();
  goOnMerging(postingsAndWords);
  if (turn > 0) return begins ? 1 : round;
  return begins || round == 1 ? 2 : 0;
}

function beginMerge(): void {
  goOnMerging(u32.MAX_VALUE);
  for (let word: u32 = 0; word < words; word++) {
    const list = listOf(word);
    store<u32>(list, load<u32>(list, 4), 12);
    store<u64>(list, 0, 4);
  }
  const full = buffer;
  held = late;
  turn = words;
  end = settled;
  settled += late;
  free = settled;
  store<u32>(listOf(words), settled);
  openBuffer();
  old = lateAt(most + 1);
  memory.copy(old, full, LATE * <usize>held);
  pace = 1 + (2 * (settled + words)) / most; // done when half of the new buffer is full
}

/**
 * Brings the buffer into the base, list by list from the last: each moves up by what the buffer has for it and those before
 * it, so nothing is written over that is still to be read.
 */
function goOnMerging(postingsAndWords: u32): void {
  for (let done: u32 = 0; turn > 0 && done < postingsAndWords; done++) {
    const list = listOf(--turn);
    const start = load<u32>(list);
    const first = load<u32>(list, 12);
    let added: u32 = 0;
    for (let at = first; at; at = load<u32>(lateAt(at, old), 16)) added++;
    const n = end - start;
    free -= n + added;
    const from = base + POSTING * <usize>start;
    const to = base + POSTING * <usize>free;
    const signatures = to + 8 * <usize>n;
    const rest = signatures + 8 * <usize>(n + added);
    moveUp(rest - 8 * <usize>n, from + 8 * <usize>n, n);
    moveUp(to, from, n);
    for (let at = first, i: usize = 0; at; i++) {
      const posting = lateAt(at, old);
      store<u64>(signatures + 8 * i, load<u64>(posting));
      store<u64>(rest + 8 * i, load<u64>(posting, 8));
      at = load<u32>(posting, 16);
    }
    store<u32>(list, free);
    store<u32>(list, 0, 12);
    end = start;
    done += n + added;
  }
}

/** Moves n × 8 bytes to where they are or further up. */
function moveUp(to: usize, from: usize, n: u32): void {
  if (to == from) return;
  for (let i = 8 * <usize>n; i > 0;) {
    i -= 8;
    store<u64>(to + i, load<u64>(from + i));
  }
}

// while lists are swept
let swept: u32 = 0; // words before this one are
let kept: u32 = 0; // postings of those words
let next: u32 = 0; // where the next list still begins

/**
 * Takes out every posting of the pictures whose byte in `dead` (in `spare` memory, after a `merge`) is not 0, so many
 * postings and words a call. Nothing may be inserted or searched before the end.
 *
 * @returns whether that was the end
 */
export function sweep(dead: usize, postingsAndWords: u32): bool {
  for (let done: u32 = 0; swept < words; swept++) {
    if (done >= postingsAndWords) return false;
    const list = listOf(swept);
    const end = load<u32>(list, LIST);
    const n = <usize>(end - next);
    const from = base + POSTING * <usize>next;
    const rest = from + 8 * n;
    const to = base + POSTING * <usize>kept;
    let stay: usize = 0;
    for (let i: usize = 0; i < n; i++) {
      if (load<u8>(dead + <usize>load<u32>(rest + 8 * i))) continue;
      store<u64>(to + 8 * stay, load<u64>(from + 8 * i));
      stay++;
    }
    let put = to + 8 * stay;
    for (let i: usize = 0; i < n; i++) {
      const posting = load<u64>(rest + 8 * i);
      if (load<u8>(dead + <usize>(<u32>posting))) continue;
      store<u64>(put, posting);
      put += 8;
    }
    store<u32>(list, kept);
    kept += <u32>stay;
    next = end;
    done += 1 + <u32>n;
  }
  store<u32>(listOf(words), kept);
  settled = kept;
  held = 0;
  swept = 0;
  kept = 0;
  next = 0;
  openBuffer();
  return true;
}

/**
 * The postings that are like the entries of a query: those of its word with a signature close by, at most `most` of one
 * picture. By entry, and in the order in which they were inserted. A call continues where the last one stopped: when `capacity`
 * postings are written or `quota` were compared. The cursor is at `count` when there are no more.
 *
 * @param entries  count × (word, signature), as `words` writes them
 * @param reach    largest Hamming distance
 * @param cursor   2 × uint32: the entry, and how many of its postings were compared; 0 at first
 * @param given    uint32 a picture: how many of its postings were written; 0 at first
 * @param quota    postings to compare before the call returns, at least 1; an entry counts as one more
 * @param out      capacity × 3 uint32: entry | distance << 16, picture, place
 * @returns how many were written
 */
export function near(
  entries: usize,
  count: u32,
  reach: i32,
  cursor: usize,
  given: usize,
  most: u32,
  quota: u32,
  out: usize,
  capacity: i32,
): i32 {
  let found = 0;
  let left = quota;
  let seen = load<u32>(cursor, 4);
  for (let e = load<u32>(cursor); e < count; e++) {
    if (left == 0) return stop(cursor, e, seen, found);
    const entry = entries + 16 * <usize>e;
    const signature = load<u64>(entry, 8);
    const list = listOf(load<u32>(entry));
    const start = load<u32>(list);
    const n = endOf(load<u32>(entry)) - start;
    const signatures = base + POSTING * <usize>start;
    const rest = signatures + 8 * <usize>n;
    if (seen < n) {
      const pause = n - seen > left ? seen + left : n;
      left -= pause - seen;
      for (; seen < pause; seen++) {
        const off = <i32>popcnt<u64>(load<u64>(signatures + 8 * <usize>seen) ^ signature);
        if (off > reach) continue;
        if (found == capacity) return stop(cursor, e, seen, found);
        if (mayHave(given, load<u32>(rest + 8 * <usize>seen), most))
          write(out, found++, e, off, rest + 8 * <usize>seen);
      }
      if (seen < n) return stop(cursor, e, seen, found);
    }
    let skip = seen - n;
    for (let buffers = 0; buffers < 2; buffers++) {
      const within = buffers ? buffer : old;
      for (let at = load<u32>(buffers ? list : list + 8, 4); at;) {
        const posting = lateAt(at, within);
        at = load<u32>(posting, 16);
        if (skip) {
          skip--;
          continue;
        }
        const off = <i32>popcnt<u64>(load<u64>(posting) ^ signature);
        if (off <= reach) {
          if (found == capacity) return stop(cursor, e, seen, found);
          if (mayHave(given, load<u32>(posting, 8), most)) write(out, found++, e, off, posting + 8);
        }
        seen++;
        if (left) left--;
      }
    }
    seen = 0;
    if (left) left--;
  }
  return stop(cursor, count, 0, found);
}

/** Whether one more posting of a picture may be written; counts it. */
function mayHave(given: usize, picture: u32, most: u32): bool {
  const at = given + 4 * <usize>picture;
  const times = load<u32>(at);
  if (times == most) return false;
  store<u32>(at, times + 1);
  return true;
}

function stop(cursor: usize, entry: u32, seen: u32, found: i32): i32 {
  store<u32>(cursor, entry);
  store<u32>(cursor, seen, 4);
  return found;
}

function write(out: usize, number: i32, entry: u32, off: i32, posting: usize): void {
  const to = out + 12 * <usize>number;
  store<u32>(to, entry | ((<u32>off) << 16));
  store<u64>(to, load<u64>(posting), 4);
}
