/** A feature of a picture: its word, and 24 bits of its signature. */
export type Feature = readonly [word: number, bits: number];

/** An entry of a query; see `vote` in assembly/lists.ts. */
export interface Entry {
  readonly word: number;
  readonly bits: number;
  readonly weight: number;
  /** How many of the upper 8 bits may differ, and of all. */
  readonly reach: readonly [key: number, all: number];
}

/** Twin of assembly/lists.ts: the features of each picture, all of which every query reads. */
export class Lists {
  /** By slot and by word. */
  readonly #features = new Map<number, Map<number, Feature[]>>();

  insert(slot: number, features: readonly Feature[]): void {
    const own = this.#features.get(slot) ?? new Map<number, Feature[]>();
    this.#features.set(slot, own);
    for (const feature of features) own.set(feature[0], [...(own.get(feature[0]) ?? []), feature]);
  }

  sweep(dead: ReadonlySet<number>): void {
    for (const slot of dead) this.#features.delete(slot);
  }

  /** By slot. @param nearness  the weight of each number of bits */
  votes(entries: readonly Entry[], slots: number, nearness: ArrayLike<number>): number[] {
    return Array.from({ length: slots }, (_, slot) => {
      const held = this.#features.get(slot) ?? new Map<number, Feature[]>();
      const gains = entries.map((entry) =>
        Math.max(0, ...(held.get(entry.word) ?? []).map((feature) => gainOf(entry, feature, nearness))),
      );
      return gains.reduce((sum, gain) => sum + gain, 0);
    });
  }
}

function gainOf(entry: Entry, [, bits]: Feature, nearness: ArrayLike<number>): number {
  const off = ones(entry.bits ^ bits);
  const near = ones((entry.bits ^ bits) >> 16) <= entry.reach[0] && off <= entry.reach[1];
  return near ? Math.floor((entry.weight * nearness[off]) / 64) : 0;
}

function ones(number: number): number {
  return number === 0 ? 0 : (number & 1) + ones(number >>> 1);
}
