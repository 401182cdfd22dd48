/**
 * The inverted lists of one partition, in this instance's memory. A list is a chain of blocks, newest last, whose room
 * grows with the list: 8, 16, 32, 64, then 128 postings. A block:
 *
 *     byte        field
 *     0           next block          uint32, 0 for none
 *     4           room                uint32
 *     8           room signatures     uint64
 *     8 + 8 room  room pictures       uint32, the place of a picture in the partition
 *     8 + 12 room room places         uint32, where in the picture (packed by the caller)
 */
const SIGNATURES: usize = 8;
const LIST: usize = 16; // first block, last block, postings in all, postings in the last block

let lists: usize = 0;
let words: i32 = 0;
const free = memory.data(20, 4); // for each size of block a chain of those given back
let heap: usize = 0;

/** Makes `count` empty lists. Once in an instance's life: all memory above is handed out by `claim` from then on. */
export function openLists(count: i32): void {
  heap = (__heap_base + 15) & ~15;
  words = count;
  lists = claim(LIST * <usize>count);
  memory.fill(lists, 0, LIST * <usize>count);
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

/** The size of the block a list of `count` postings goes on with: 8 << size postings. */
function sizeFor(count: u32): i32 {
  if (count < 24) return 0;
  if (count < 64) return 1;
  if (count < 160) return 2;
  return count < 512 ? 3 : 4;
}

function newBlock(size: i32): usize {
  const chain = free + ((<usize>size) << 2);
  let block = <usize>load<u32>(chain);
  if (block) {
    store<u32>(chain, load<u32>(block));
  } else {
    block = heap;
    heap += SIGNATURES + ((<usize>128) << size);
    reserve(heap);
  }
  store<u32>(block, 0);
  store<u32>(block, <u32>(8 << size), 4);
  return block;
}

function giveBack(block: usize): void {
  const chain = free + ((<usize>(28 - clz<u32>(load<u32>(block, 4)))) << 2);
  store<u32>(block, load<u32>(chain));
  store<u32>(chain, <u32>block);
}

/** Adds a picture's `n` postings. @param entries  n × (word as uint64, signature as uint64)  @param places  n × uint32 */
export function insert(picture: u32, entries: usize, places: usize, n: i32): void {
  for (let i = 0; i < n; i++) {
    const entry = entries + <usize>(16 * i);
    append(load<u32>(entry), load<u64>(entry, 8), picture, load<u32>(places + ((<usize>i) << 2)));
  }
}

function append(word: u32, signature: u64, picture: u32, place: u32): void {
  const list = lists + LIST * <usize>word;
  const count = load<u32>(list, 8);
  let block = <usize>load<u32>(list, 4);
  let used = <usize>load<u32>(list, 12);
  if (block == 0 || used == <usize>load<u32>(block, 4)) {
    const fresh = newBlock(sizeFor(count));
    if (block == 0) store<u32>(list, <u32>fresh);
    else store<u32>(block, <u32>fresh);
    block = fresh;
    used = 0;
    store<u32>(list, <u32>fresh, 4);
  }
  const room = <usize>load<u32>(block, 4);
  store<u64>(block + SIGNATURES + (used << 3), signature);
  store<u32>(block + SIGNATURES + (room << 3) + (used << 2), picture);
  store<u32>(block + SIGNATURES + 12 * room + (used << 2), place);
  store<u32>(list, count + 1, 8);
  store<u32>(list, <u32>used + 1, 12);
}

/** Takes out every posting of the pictures whose byte in `dead` is not 0. */
export function sweep(dead: usize): void {
  for (let word = 0; word < words; word++) {
    const list = lists + LIST * <usize>word;
    let count = <i32>load<u32>(list, 8);
    let block = <usize>load<u32>(list);
    memory.fill(list, 0, LIST);
    while (block) {
      // a block is given back only after it was read, so what is appended never overwrites what is still to be read
      const room = <usize>load<u32>(block, 4);
      const n = <usize>min(count, <i32>room);
      for (let i: usize = 0; i < n; i++) {
        const picture = load<u32>(block + SIGNATURES + (room << 3) + (i << 2));
        if (load<u8>(dead + <usize>picture)) continue;
        const signature = load<u64>(block + SIGNATURES + (i << 3));
        append(word, signature, picture, load<u32>(block + SIGNATURES + 12 * room + (i << 2)));
      }
      count -= <i32>n;
      const next = <usize>load<u32>(block);
      giveBack(block);
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
      const list = lists + LIST * <usize>word;
      const scale = <u32>load<u16>(idf + ((<usize>word) << 1));
      let count = <i32>load<u32>(list, 8);
      let block = <usize>load<u32>(list);
      while (block) {
        const room = <usize>load<u32>(block, 4);
        const size = <usize>min(count, <i32>room);
        const pictures = block + SIGNATURES + (room << 3);
        for (let j: usize = 0; j < size; j++) {
          const off = <i32>popcnt<u64>(load<u64>(block + SIGNATURES + (j << 3)) ^ signature);
          if (off > reach) continue;
          const picture = <usize>load<u32>(pictures + (j << 2));
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
        count -= <i32>room;
        block = <usize>load<u32>(block);
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
      const list = lists + LIST * <usize>load<u32>(entry);
      let count = <i32>load<u32>(list, 8);
      let block = <usize>load<u32>(list);
      while (block) {
        const width = <usize>load<u32>(block, 4);
        const size = <usize>min(count, <i32>width);
        const pictures = block + SIGNATURES + (width << 3);
        for (let j: usize = 0; j < size; j++) {
          const off = <i32>popcnt<u64>(load<u64>(block + SIGNATURES + (j << 3)) ^ signature);
          if (off > reach) continue;
          const rank = load<u16>(ranks + (<usize>load<u32>(pictures + (j << 2)) << 1));
          if (rank == 0xffff) continue;
          const at = counts + ((<usize>rank) << 2);
          const have = <i32>load<u32>(at);
          if (have >= room) continue;
          const to = out + ((<usize>rank * <usize>room + <usize>have) << 3);
          store<u32>(to, <u32>i | (<u32>off << 16));
          store<u32>(to, load<u32>(pictures + (width << 2) + (j << 2)), 4);
          store<u32>(at, <u32>(have + 1));
        }
        count -= <i32>width;
        block = <usize>load<u32>(block);
      }
    }
  }
}
