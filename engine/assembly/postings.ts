/**
 * The inverted lists of one partition, in this instance's memory. A list is a chain of blocks, newest last, each with
 * room for 32 postings:
 *
 *     byte  field
 *     0     32 signatures       uint64
 *     256   32 pictures         uint32, the place of a picture in the partition
 *     384   32 places           uint32, where in the picture (packed by the caller)
 *     512   next block          uint32, 0 for none
 */
const ROOM = 32;
const PICTURES: usize = 256;
const PLACES: usize = 384;
const NEXT: usize = 512;
const BLOCK: usize = 520;

let lists: usize = 0; // per word: first block, last block, postings in all
let words: i32 = 0;
let free: usize = 0; // chain of blocks given back
let heap: usize = 0;

/** Makes `count` empty lists. Once in an instance's life: all memory above is handed out by `claim` from then on. */
export function openLists(count: i32): void {
  heap = (__heap_base + 15) & ~15;
  words = count;
  lists = claim(<usize>(12 * count));
  memory.fill(lists, 0, <usize>(12 * count));
}

/** Memory for the caller beside the lists, never given back. Its content is 0 or whatever was there. */
export function claim(bytes: usize): usize {
  const at = heap;
  heap = (heap + bytes + 15) & ~15;
  reserve(heap);
  return at;
}

/** Bytes in use, in all. */
export function usedBytes(): usize {
  return heap;
}

function reserve(end: usize): void {
  const have = <usize>memory.size() << 16;
  if (end <= have) return;
  const pages = <i32>((end - have + 0xffff) >> 16);
  if (memory.grow(max(pages, <i32>min<usize>(have >> 19, 1024))) < 0 && memory.grow(pages) < 0) unreachable();
}

function newBlock(): usize {
  let block = free;
  if (block) {
    free = <usize>load<u32>(block + NEXT);
  } else {
    block = heap;
    heap += BLOCK;
    reserve(heap);
  }
  store<u32>(block + NEXT, 0);
  return block;
}

/** Adds a picture's `n` postings. @param entries  n × (word as uint64, signature as uint64)  @param places  n × uint32 */
export function insert(picture: u32, entries: usize, places: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const entry = entries + <usize>(16 * i);
    append(load<u32>(entry), load<u64>(entry, 8), picture, load<u32>(places + ((<usize>i) << 2)));
  }
}

function append(word: u32, signature: u64, picture: u32, place: u32): void {
  const list = lists + <usize>(12 * word);
  const count = load<u32>(list, 8);
  let block = <usize>load<u32>(list, 4);
  const at = <usize>(count & (ROOM - 1));
  if (at == 0) {
    const fresh = newBlock();
    if (count == 0) store<u32>(list, <u32>fresh);
    else store<u32>(block + NEXT, <u32>fresh);
    block = fresh;
    store<u32>(list, <u32>fresh, 4);
  }
  store<u64>(block + (at << 3), signature);
  store<u32>(block + PICTURES + (at << 2), picture);
  store<u32>(block + PLACES + (at << 2), place);
  store<u32>(list, count + 1, 8);
}

/** Takes out every posting of the pictures whose byte in `dead` is not 0. */
export function sweep(dead: usize): void {
  for (let word = 0; word < words; word++) {
    const list = lists + <usize>(12 * word);
    let count = <i32>load<u32>(list, 8);
    let block = <usize>load<u32>(list);
    store<u32>(list, 0);
    store<u32>(list, 0, 4);
    store<u32>(list, 0, 8);
    while (block) {
      // a block is given back only after it was read, so what is appended never overwrites what is still to be read
      const n = min(count, ROOM);
      for (let i = 0; i < n; i++) {
        const at = <usize>i;
        const picture = load<u32>(block + PICTURES + (at << 2));
        if (load<u8>(dead + <usize>picture)) continue;
        append(word, load<u64>(block + (at << 3)), picture, load<u32>(block + PLACES + (at << 2)));
      }
      count -= n;
      const next = <usize>load<u32>(block + NEXT);
      store<u32>(block + NEXT, <u32>free);
      free = block;
      block = next;
    }
  }
}

/**
 * Votes for the pictures that share words with the query: each query feature gives each picture its best posting's
 * weight, once.
 *
 * @param entries  n features × most words × (word, signature), as `words` writes them
 * @param reach    largest Hamming distance that counts
 * @param weights  reach + 1 × uint16, the weight of a distance
 * @param idf      uint16 a word
 * @param only     a byte a picture, 0 for those that are not looked at; 0 for all
 * @param votes    uint32 a picture, added to
 * @param seen     2 × uint32 a picture, all 0 at first; left dirty
 */
export function vote(
  entries: usize,
  n: i32,
  most: i32,
  reach: i32,
  weights: usize,
  idf: usize,
  only: usize,
  votes: usize,
  seen: usize,
): void {
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < most; k++) {
      const entry = entries + <usize>(16 * (i * most + k));
      const word = load<u32>(entry);
      const signature = load<u64>(entry, 8);
      const list = lists + <usize>(12 * word);
      const scale = <u32>load<u16>(idf + ((<usize>word) << 1));
      let count = <i32>load<u32>(list, 8);
      let block = <usize>load<u32>(list);
      while (block) {
        const size = <usize>min(count, ROOM);
        for (let j: usize = 0; j < size; j++) {
          const off = <i32>popcnt<u64>(load<u64>(block + (j << 3)) ^ signature);
          if (off > reach) continue;
          const picture = <usize>load<u32>(block + PICTURES + (j << 2));
          if (only && !load<u8>(only + picture)) continue;
          const gain = scale * <u32>load<u16>(weights + ((<usize>off) << 1));
          // the feature's number in the high bits, what it has given in the low ones
          const mark = seen + (picture << 3);
          const at = votes + (picture << 2);
          if (load<u32>(mark) != <u32>(i + 1)) {
            store<u32>(mark, <u32>(i + 1));
            store<u32>(mark, gain, 4);
            store<u32>(at, load<u32>(at) + gain);
          } else if (gain > load<u32>(mark, 4)) {
            store<u32>(at, load<u32>(at) + gain - load<u32>(mark, 4));
            store<u32>(mark, gain, 4);
          }
        }
        count -= ROOM;
        block = <usize>load<u32>(block + NEXT);
      }
    }
  }
}

/**
 * Lists the postings behind the votes of some pictures.
 *
 * @param ranks   uint16 a picture: its number in the answer, 0xffff for those not asked for
 * @param out     `room` × (uint32, uint32) for each rank: feature | distance << 16, place; what does not fit is left out
 * @param counts  uint32 a rank, all 0 at first
 */
export function collect(
  entries: usize,
  n: i32,
  most: i32,
  reach: i32,
  ranks: usize,
  out: usize,
  room: i32,
  counts: usize,
): void {
  for (let i = 0; i < n; i++) {
    for (let k = 0; k < most; k++) {
      const entry = entries + <usize>(16 * (i * most + k));
      const signature = load<u64>(entry, 8);
      const list = lists + <usize>(12 * load<u32>(entry));
      let count = <i32>load<u32>(list, 8);
      let block = <usize>load<u32>(list);
      while (block) {
        const size = <usize>min(count, ROOM);
        for (let j: usize = 0; j < size; j++) {
          const rank = load<u16>(ranks + (<usize>load<u32>(block + PICTURES + (j << 2)) << 1));
          if (rank == 0xffff) continue;
          const off = <i32>popcnt<u64>(load<u64>(block + (j << 3)) ^ signature);
          if (off > reach) continue;
          const at = counts + ((<usize>rank) << 2);
          const have = <i32>load<u32>(at);
          if (have >= room) continue;
          const to = out + ((<usize>rank * <usize>room + <usize>have) << 3);
          store<u32>(to, <u32>i | (<u32>off << 16));
          store<u32>(to, load<u32>(block + PLACES + (j << 2)), 4);
          store<u32>(at, <u32>(have + 1));
        }
        count -= ROOM;
        block = <usize>load<u32>(block + NEXT);
      }
    }
  }
}
