/** An entry of a query: a term, and what it gains by the number of bits in which a picture's term differs. */
export interface Entry {
  readonly term: number;
  readonly gains: readonly [number, number, number];
}

/** Twin of assembly/lists.ts: the terms of each picture, all of which every query reads. */
export class Lists {
  readonly #terms = new Map<number, Set<number>>();

  insert(picture: number, terms: readonly number[]): void {
    this.#terms.set(picture, new Set([...(this.#terms.get(picture) ?? []), ...terms]));
  }

  sweep(dead: ReadonlySet<number>): void {
    for (const picture of dead) this.#terms.delete(picture);
  }

  /** By picture. @param features  of each its entries */
  votes(features: readonly (readonly Entry[])[], pictures: number): number[] {
    return Array.from({ length: pictures }, (_, picture) => {
      const held = [...(this.#terms.get(picture) ?? [])];
      const gains = features.map((entries) =>
        Math.max(0, ...entries.flatMap((e) => held.map((term) => gainOf(e, term)))),
      );
      return gains.reduce((sum, gain) => sum + gain, 0);
    });
  }
}

function gainOf({ term, gains }: Entry, held: number): number {
  if (term >> 12 !== held >> 12) return 0;
  let off = 0;
  for (let bits = (term ^ held) & 4095; bits > 0; bits >>= 1) off += bits & 1;
  return gains[off] ?? 0;
}
