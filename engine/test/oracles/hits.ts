import type { Word } from './words.ts';

/** A feature of a stored picture. */
export interface Posting extends Word {
  readonly picture: number;
  readonly place: number;
}

/** A posting that is like an entry of the query. */
export interface Near {
  readonly entry: number;
  readonly distance: number;
  readonly picture: number;
  readonly place: number;
}

/** Twin of `hits` in assembly/hits.ts: one plain list of the features of all pictures, which every query reads from end to end. */
export class Postings {
  #all: Posting[] = [];

  insert(picture: number, features: readonly (Word & { place: number })[]): void {
    this.#all.push(...features.map(({ word, signature, place }) => ({ word, signature, place, picture })));
  }

  sweep(dead: ReadonlySet<number>): void {
    this.#all = this.#all.filter(({ picture }) => !dead.has(picture));
  }

  /** @param most  of one picture */
  near(entries: readonly Word[], reach: number, most = Infinity): Near[] {
    const given = new Map<number, number>();
    return entries.flatMap(({ word, signature }, entry) =>
      this.#all
        .filter((posting) => posting.word === word)
        .map(({ picture, place, signature: other }) => {
          return { entry, distance: bitsOf(other ^ signature), picture, place };
        })
        .filter(({ distance }) => distance <= reach)
        .filter(({ picture }) => {
          const times = 1 + (given.get(picture) ?? 0);
          given.set(picture, times);
          return times <= most;
        }),
    );
  }
}

function bitsOf(number: bigint): number {
  let count = 0;
  for (let rest = number; rest > 0n; rest >>= 1n) count += Number(rest & 1n);
  return count;
}
