import type { Area, SectionReader } from '../../memory/areas.ts';
import { BestScores, type Scored } from '../../partition/best-scores.ts';
import type { Steps } from '../../steps.ts';
import type { ListQuery } from './counted-votes.ts';
import { MainLists } from './main-lists.ts';
import { type Postings, POSTINGS_PER_STEP, RecentLists } from './recent-lists.ts';

/** Postings that are merged with each picture added, into the block of the picture and into the one before. */
const POSTINGS_MERGED_PER_ADDITION = 1 << 14;
/** Slots of one block: its main lists take 2.5 GB at most, and the votes of so many 10 MB. */
const MAX_BLOCK_SLOTS = 1 << 19;
/** Pictures of recent lists. More take more memory while they are merged, fewer are merged more often. */
const MAX_RECENT_PICTURES = 1 << 15;
/** Numbers that say how much a block holds. */
const NUMBERS_PER_BLOCK = 4;

/** The lists of a part of the pictures. */
class Block {
  readonly #recentPictures: number;
  /** One above the highest slot ever added. */
  #end = 0;
  #main: MainLists | undefined;
  /** The last ones take pictures; those before are full, and merged into the main lists one after the other. */
  readonly #recent: RecentLists[];
  #merging: Steps<void> | undefined;
  #quota = POSTINGS_MERGED_PER_ADDITION;
  /** Votes are being counted: a snapshot that is begun beside waits. */
  #read = false;
  #frozen = false;

  constructor(recentPictures: number) {
    this.#recentPictures = recentPictures;
    this.#recent = [new RecentLists(recentPictures)];
  }

  get bytes(): number {
    return this.#recent.reduce((sum, { bytes }) => sum + bytes, this.#main?.bytes ?? 0);
  }

  add(slot: number, postings: Postings): void {
    if (this.#recent.at(-1)!.full) this.#recent.push(new RecentLists(this.#recentPictures));
    this.#recent.at(-1)!.add(slot, postings);
    this.#end = Math.max(this.#end, slot + 1);
    this.settle();
  }

  /** Merges a part of what is full; nothing where the lists are frozen. */
  settle(): void {
    if (!this.#frozen) this.#merge(POSTINGS_MERGED_PER_ADDITION);
  }

  *remove(slots: readonly number[]): Steps<void> {
    while (!this.#merge(POSTINGS_PER_STEP)) yield;
    const [recent] = this.#recent;
    while (!recent.settle(POSTINGS_PER_STEP)) yield;
    const removed = new Set(slots);
    const found = yield* recent.remove(removed);
    if (found < removed.size) yield* this.#main?.remove(slots, this.#end) ?? [];
  }

  /** See `FeatureLists`. @param first  slot of the block */
  *best(
    variants: readonly ListQuery[],
    norms: Uint16Array,
    limit: number,
    first: number,
    kept: BestScores,
  ): Steps<void> {
    this.#read = true;
    try {
      for (const lists of [...(this.#main ? [this.#main] : []), ...this.#recent]) {
        const { slots, scores } = yield* lists.best(variants, norms, { limit, least: kept.least });
        kept.take({ slots: slots.map((slot) => first + slot), scores });
      }
    } finally {
      this.#read = false;
    }
  }

  /** Work before the lists can be frozen, a piece of it. @returns whether they are */
  freeze(): boolean {
    if (!this.#read) this.#frozen ||= this.#merge(POSTINGS_PER_STEP) && this.#recent[0].freeze();
    return this.#frozen;
  }

  thaw(): void {
    this.#frozen = false;
    this.#recent[0].thaw();
  }

  /** Of frozen lists: the bytes of the main lists, and the numbers of the recent ones. */
  get numbers(): number[] {
    return [this.#main?.size ?? 0, ...this.#recent[0].numbers];
  }

  /**
   * Of frozen lists. Pictures that were added since may be missing.
   * @param part  the name of the main lists from now on, if they have none
   */
  areas(part: string): Area[] {
    const main = this.#main && this.#main.size > 0 ? this.#main.areas(part) : [];
    return [...main, ...this.#recent[0].areas()];
  }

  *restore(end: number, [main, ...recent]: readonly number[], sections: SectionReader): Steps<void> {
    this.#end = end;
    if (main > 0) yield* (this.#main = new MainLists()).restore(main, end, sections);
    yield* this.#recent[0].restore(recent, end, sections);
  }

  /** Merges so many postings of full lists. @returns whether none are left */
  #merge(postings: number): boolean {
    this.#quota = postings;
    if (!this.#merging && this.#recent.length > 1) this.#merging = this.#mergeFirst(this.#recent[0]);
    if (this.#merging?.next().done) this.#merging = undefined;
    return !this.#merging && this.#recent.length === 1;
  }

  *#mergeFirst(recent: RecentLists): Steps<void> {
    while (!recent.settle(this.#quota)) yield;
    yield* (this.#main ??= new MainLists()).take(
      recent,
      () => this.#quota,
      () => this.#recent.shift(),
    );
  }
}

/**
 * For each visual word the features that have it, known by the slots of their pictures. Seven bytes a feature. Pictures are added to short
 * lists, which are cheap to change; full ones are merged into long lists, which are fast to read. All are in blocks, which together may be
 * larger than the memory of one WebAssembly instance.
 */
export class FeatureLists {
  readonly #blocks: Block[] = [];
  readonly #slots: number;
  readonly #recent: number;

  /** @param slots  of a block  @param recent  pictures in recent lists; both fewer only in tests */
  constructor(slots = MAX_BLOCK_SLOTS, recent = MAX_RECENT_PICTURES) {
    this.#slots = slots;
    this.#recent = recent;
  }

  /** Memory of the lists and of the work on them. */
  get bytes(): number {
    return this.#blocks.reduce((sum, { bytes }) => sum + bytes, 0);
  }

  /** @param slot  not above those ever added by more than one block */
  add(slot: number, postings: Postings): void {
    const block = Math.floor(slot / this.#slots);
    while (this.#blocks.length <= block) this.#blocks.push(new Block(this.#recent));
    this.#blocks[block].add(slot % this.#slots, postings);
    if (block > 0) this.#blocks[block - 1].settle();
  }

  /** Removes pictures; reads all lists of their blocks. Nothing else may be done with the lists before the last step. */
  *remove(slots: readonly number[]): Steps<void> {
    for (const [i, block] of this.#blocks.entries()) {
      const own = slots.filter((slot) => Math.floor(slot / this.#slots) === i);
      if (own.length > 0) yield* block.remove(own.map((slot) => slot % this.#slots));
    }
  }

  /**
   * The slots with the highest scores, and all that tie with the lowest, in the variant in which their votes are most: each entry gives
   * the largest gain, once. Nothing may be added before the last step.
   * @param norms  of all slots: what their votes are divided by, see `scoreOf`; 0 for one that is not to be found
   * @param limit  above 0
   */
  *best(variants: readonly ListQuery[], norms: Uint16Array, limit: number): Steps<Scored> {
    const kept = new BestScores(limit);
    for (const [i, block] of this.#blocks.entries()) {
      const first = i * this.#slots;
      yield* block.best(variants, norms.subarray(first, first + this.#slots), limit, first, kept);
      yield;
    }
    return kept.best;
  }

  /** Before a snapshot: ends the merges under way. Pictures may be added between two steps. The lists are frozen after the last one. */
  *freeze(): Steps<void> {
    while (this.#blocks.map((block) => block.freeze()).includes(false)) yield;
  }

  /** Frozen lists take additions, and no removals. */
  thaw(): void {
    for (const block of this.#blocks) block.thaw();
  }

  /** How much each block of frozen lists holds. */
  get numbers(): number[] {
    return this.#blocks.flatMap(({ numbers }) => numbers);
  }

  /** How many numbers there are of so many slots. */
  numbersOf(slots: number): number {
    return NUMBERS_PER_BLOCK * Math.ceil(slots / this.#slots);
  }

  /** Of frozen lists; the main lists of a block are a part. @param snapshot  a number, which is that of no earlier snapshot */
  areas(snapshot: number): Area[] {
    return this.#blocks.flatMap((block, i) => block.areas(`${i}-${snapshot}`));
  }

  /** @param numbers  see there */
  *restore(slots: number, numbers: Uint32Array, sections: SectionReader): Steps<void> {
    for (let i = 0; NUMBERS_PER_BLOCK * i < numbers.length; i++) {
      const block = new Block(this.#recent);
      this.#blocks.push(block);
      const end = Math.min(this.#slots, slots - i * this.#slots);
      yield* block.restore(end, [...numbers.subarray(NUMBERS_PER_BLOCK * i, NUMBERS_PER_BLOCK * (i + 1))], sections);
    }
  }
}
