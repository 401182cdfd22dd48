/** At 10 million entries a segment has 40,000, and doubling it takes some milliseconds. */
const SEGMENTS = 256;
/** Entries up to which a table has one segment. */
const MAX_ENTRIES_OF_ONE_SEGMENT = 8192;
const MIN_SLOTS = 8;

/**
 * Entries, small whole numbers, by the hash of something they stand for: linear probing in segments that grow
 * independently of each other. So an insertion never moves more than one segment.
 */
export class HashTable {
  readonly #hashOf: (entry: number) => number;
  /** Entry + 1; 0 is a free cell. */
  #segments: Uint32Array[] = [new Uint32Array(MIN_SLOTS)];
  readonly #counts = new Uint32Array(SEGMENTS);

  /** @param hashOf  32 bits, all of them used */
  constructor(hashOf: (entry: number) => number) {
    this.#hashOf = hashOf;
  }

  /** The first entry of this hash that `matches`; -1 if there is none. */
  find(hash: number, matches: (entry: number) => boolean): number {
    const cells = this.#segments[this.#segmentOf(hash)]!;
    const mask = cells.length - 1;
    for (let i = hash & mask; cells[i] !== 0; i = (i + 1) & mask) {
      if (matches(cells[i]! - 1)) return cells[i]! - 1;
    }
    return -1;
  }

  add(entry: number): void {
    if (this.#segments.length === 1 && this.#counts[0] === MAX_ENTRIES_OF_ONE_SEGMENT) this.#spread();
    const hash = this.#hashOf(entry);
    const segment = this.#segmentOf(hash);
    let cells = this.#segments[segment]!;
    if (4 * ++this.#counts[segment]! > 3 * cells.length) cells = this.#segments[segment] = this.#doubled(cells);
    put(cells, hash, entry);
  }

  /** An entry that was added, before its hash changes. */
  remove(entry: number): void {
    const hash = this.#hashOf(entry);
    const segment = this.#segmentOf(hash);
    const cells = this.#segments[segment]!;
    const mask = cells.length - 1;
    let hole = hash & mask;
    while (cells[hole] !== entry + 1) hole = (hole + 1) & mask;
    // later entries of the run move up, as far as their own cell allows
    for (let i = (hole + 1) & mask; cells[i] !== 0; i = (i + 1) & mask) {
      const home = this.#hashOf(cells[i]! - 1) & mask;
      if (((i - home) & mask) < ((i - hole) & mask)) continue;
      cells[hole] = cells[i]!;
      hole = i;
    }
    cells[hole] = 0;
    this.#counts[segment]!--;
  }

  #spread(): void {
    const [cells] = this.#segments;
    this.#segments = Array.from({ length: SEGMENTS }, () => new Uint32Array(MIN_SLOTS));
    this.#counts[0] = 0;
    for (const cell of cells!) if (cell !== 0) this.add(cell - 1);
  }

  /** By the high bits; the low bits choose the cell. */
  #segmentOf(hash: number): number {
    return this.#segments.length === 1 ? 0 : hash >>> 24;
  }

  #doubled(cells: Uint32Array): Uint32Array {
    const larger = new Uint32Array(2 * cells.length);
    for (const cell of cells) if (cell !== 0) put(larger, this.#hashOf(cell - 1), cell - 1);
    return larger;
  }
}

function put(cells: Uint32Array, hash: number, entry: number): void {
  const mask = cells.length - 1;
  let i = hash & mask;
  while (cells[i] !== 0) i = (i + 1) & mask;
  cells[i] = entry + 1;
}

/** All bits of a number in all bits of its hash (the finalizer of MurmurHash3). */
export function mixed(number: number): number {
  let hash = number;
  hash = Math.imul(hash ^ (hash >>> 16), 0x85ebca6b);
  hash = Math.imul(hash ^ (hash >>> 13), 0xc2b2ae35);
  return hash ^ (hash >>> 16);
}
