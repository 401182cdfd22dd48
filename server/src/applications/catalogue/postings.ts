const BLOCK = 512;

/** Postings in order; those from `length` on are free. */
interface Block {
  length: number;
  readonly keywords: Uint32Array;
  readonly pictures: Uint32Array;
}

/** A position in the order: before the posting `index` of a block. */
export interface PostingPosition {
  readonly block: number;
  readonly index: number;
}

/**
 * The pictures of each keyword: pairs in the order of keywords, then of pictures, in blocks. An insertion or removal
 * changes one block or two, and the list of blocks.
 */
export class Postings {
  readonly #compare: (a: number, b: number) => number;
  readonly #blocks: Block[] = [];

  /** @param compare  a total order of pictures */
  constructor(compare: (a: number, b: number) => number) {
    this.#compare = compare;
  }

  insert(keyword: number, picture: number): void {
    const place = this.#placeOf(keyword, picture);
    let block = this.#blocks[place.block] ?? this.#push();
    let { index } = place;
    if (block.length === BLOCK) {
      const behind = this.#split(place.block);
      if (index > block.length) [block, index] = [behind, index - block.length];
    }
    open(block.keywords, index, block.length, keyword);
    open(block.pictures, index, block.length, picture);
    block.length++;
  }

  /** The posting must be there. */
  remove(keyword: number, picture: number): void {
    const { block: at, index } = this.#placeOf(keyword, picture);
    const block = this.#blocks[at]!;
    block.keywords.copyWithin(index, index + 1, block.length);
    block.pictures.copyWithin(index, index + 1, block.length);
    block.length--;
    if (block.length === 0) this.#blocks.splice(at, 1);
    else if (!this.#joined(at)) this.#joined(at - 1);
  }

  /** Adds a posting behind all others. */
  append(keyword: number, picture: number): void {
    const last = this.#blocks.at(-1);
    // room for insertions
    const block = last && last.length < (BLOCK / 8) * 7 ? last : this.#push();
    block.keywords[block.length] = keyword;
    block.pictures[block.length++] = picture;
  }

  /** The place behind all postings of smaller keywords, and behind those of this one whose picture `isBefore`. */
  lowerBound(keyword: number, isBefore: (picture: number) => boolean): PostingPosition {
    const before = (block: Block, i: number): boolean =>
      block.keywords[i]! < keyword || (block.keywords[i] === keyword && isBefore(block.pictures[i]!));
    const at = countOf(this.#blocks.length, (i) => before(this.#blocks[i]!, 0)) - 1;
    const block = this.#blocks[at];
    if (!block) return { block: 0, index: 0 };
    const index = countOf(block.length, (i) => before(block, i));
    return index < block.length || at + 1 === this.#blocks.length ? { block: at, index } : { block: at + 1, index: 0 };
  }

  /** The number of postings from one place to a later one. */
  between(from: PostingPosition, to: PostingPosition): number {
    let count = to.index - from.index;
    for (let i = from.block; i < to.block; i++) count += this.#blocks[i]!.length;
    return count;
  }

  /** The pictures of the `count` postings that come `skip` behind a place; all must be there. */
  pictures({ block: at, index }: PostingPosition, skip: number, count: number): Uint32Array {
    const found = new Uint32Array(count);
    let start = index + skip;
    let filled = 0;
    for (let i = at; filled < count; i++) {
      const { pictures, length } = this.#blocks[i]!;
      if (start < length) {
        const part = pictures.subarray(start, Math.min(length, start + count - filled));
        found.set(part, filled);
        filled += part.length;
      }
      start = Math.max(0, start - length);
    }
    return found;
  }

  /** Sets the bit of each picture that has a keyword whose bit is set; bit n is bit n mod 32 of word n / 32. */
  mark(keywords: Uint32Array, pictures: Uint32Array): void {
    const isWanted = (keyword: number): boolean => (keywords[keyword >>> 5]! & (1 << (keyword & 31))) !== 0;
    for (const block of this.#blocks) {
      const { length } = block;
      const isOfOne = block.keywords[0] === block.keywords[length - 1];
      if (isOfOne && !isWanted(block.keywords[0]!)) continue;
      for (let i = 0; i < length; i++) {
        const picture = block.pictures[i]!;
        if (isOfOne || isWanted(block.keywords[i]!)) pictures[picture >>> 5]! |= 1 << (picture & 31);
      }
    }
  }

  #placeOf(keyword: number, picture: number): PostingPosition {
    return this.lowerBound(keyword, (other) => this.#compare(other, picture) < 0);
  }

  #push(): Block {
    const block = empty();
    this.#blocks.push(block);
    return block;
  }

  /** Moves the second half of a block into a new one behind it, which is returned. */
  #split(at: number): Block {
    const block = this.#blocks[at]!;
    const behind = empty();
    const half = block.length >>> 1;
    behind.keywords.set(block.keywords.subarray(half, block.length));
    behind.pictures.set(block.pictures.subarray(half, block.length));
    behind.length = block.length - half;
    block.length = half;
    this.#blocks.splice(at + 1, 0, behind);
    return behind;
  }

  /** Moves a block and the next into one if they half fill it. */
  #joined(at: number): boolean {
    const [block, next] = [this.#blocks[at], this.#blocks[at + 1]];
    if (!block || !next || block.length + next.length > BLOCK / 2) return false;
    block.keywords.set(next.keywords.subarray(0, next.length), block.length);
    block.pictures.set(next.pictures.subarray(0, next.length), block.length);
    block.length += next.length;
    this.#blocks.splice(at + 1, 1);
    return true;
  }
}

/** Those of the pictures whose bit is set. */
export function marked(pictures: Uint32Array, bits: Uint32Array): Uint32Array {
  const found = new Uint32Array(pictures.length);
  let count = 0;
  for (let i = 0; i < pictures.length; i++) {
    const picture = pictures[i]!;
    if (bits[picture >>> 5]! & (1 << (picture & 31))) found[count++] = picture;
  }
  return found.slice(0, count);
}

function empty(): Block {
  return { length: 0, keywords: new Uint32Array(BLOCK), pictures: new Uint32Array(BLOCK) };
}

/** Makes room for a value in the first `length` ones. */
function open(values: Uint32Array, index: number, length: number, value: number): void {
  values.copyWithin(index + 1, index, length);
  values[index] = value;
}

/** How many of the first `length` places are `before`: all of these come first. */
export function countOf(length: number, before: (i: number) => boolean): number {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >>> 1;
    if (before(middle)) low = middle + 1;
    else high = middle;
  }
  return low;
}
