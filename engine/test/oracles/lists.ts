/** A feature of a picture: its word, and 40 bits of its signature. */
export type Feature = readonly [word: number, bits: number];

const CODE_FACTOR = 2 ** 16;
const KEY_FACTOR = 2 ** 32;

/** An entry of a query; see `vote` in assembly/list-votes.ts. */
export interface Entry {
  readonly word: number;
  readonly bits: number;
  readonly weight: number;
  /** How many may differ of the upper 8 bits, of the upper 24, and of all. */
  readonly reach: readonly [key: number, code: number, all: number];
}

/** Twin of assembly/lists.ts and assembly/list-votes.ts: the features of each picture, all of which every query reads. */
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

function gainOf({ bits, weight, reach }: Entry, [, own]: Feature, nearness: ArrayLike<number>): number {
  const [key, code, all] = [KEY_FACTOR, CODE_FACTOR, 1].map((unit) =>
    differing(Math.floor(bits / unit), Math.floor(own / unit)),
  );
  const near = key <= reach[0] && code <= reach[1] && all <= reach[2];
  return near ? Math.floor((weight * nearness[all]) / 64) : 0;
}

/** In how many bits two numbers below 2^40 differ. */
function differing(a: number, b: number): number {
  return a === b ? 0 : ((a ^ b) & 1) + differing(Math.floor(a / 2), Math.floor(b / 2));
}

/** A feature as the lists in WebAssembly take it. */
export function featureNumbers([word, bits]: Feature): [number, number] {
  return [word | (Math.floor(bits / KEY_FACTOR) << 16), bits % KEY_FACTOR];
}

/** An entry as the lists in WebAssembly take it. */
export function entryNumbers({ word, bits, weight, reach: [key, code, all] }: Entry): number[] {
  return [...featureNumbers([word, bits]), weight, key | (code << 8) | (all << 16)];
}
