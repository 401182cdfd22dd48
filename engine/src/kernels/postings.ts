import type { Word } from './words.ts';

/** A feature of a stored picture. */
export interface Posting extends Word {
  readonly picture: number;
  readonly place: number;
}

/** What `collect` tells of a posting: the query's feature, how far apart the signatures are, and the place. */
export interface Found {
  readonly feature: number;
  readonly distance: number;
  readonly place: number;
}

/** Twin of assembly/postings.ts: one plain list that every question walks from end to end. */
export class Postings {
  #all: Posting[] = [];

  insert(picture: number, features: readonly (Word & { place: number })[]): void {
    this.#all.push(...features.map(({ word, signature, place }) => ({ word, signature, place, picture })));
  }

  sweep(dead: ReadonlySet<number>): void {
    this.#all = this.#all.filter(({ picture }) => !dead.has(picture));
  }

  /** @param query  for each feature its words, nearest first */
  vote(
    query: readonly (readonly Word[])[],
    reach: number,
    weights: readonly number[],
    idf: readonly number[],
    only: ReadonlySet<number> | null,
  ): Map<number, number> {
    const votes = new Map<number, number>();
    for (const words of query) {
      const best = new Map<number, number>();
      for (const { posting, distance } of this.#near(words, reach)) {
        if (only && !only.has(posting.picture)) continue;
        const gain = idf[posting.word] * weights[distance];
        best.set(posting.picture, Math.max(gain, best.get(posting.picture) ?? 0));
      }
      for (const [picture, gain] of best) votes.set(picture, gain + (votes.get(picture) ?? 0));
    }
    return votes;
  }

  /** The first `room` postings of one picture that are near a feature of the query. */
  collect(query: readonly (readonly Word[])[], reach: number, picture: number, room: number): Found[] {
    return query
      .flatMap((words, feature) =>
        this.#near(words, reach)
          .filter(({ posting }) => posting.picture === picture)
          .map(({ posting, distance }) => ({ feature, distance, place: posting.place })),
      )
      .slice(0, room);
  }

  #near(words: readonly Word[], reach: number): { posting: Posting; distance: number }[] {
    return words
      .flatMap(({ word, signature }) =>
        this.#all
          .filter((posting) => posting.word === word)
          .map((posting) => ({ posting, distance: bitsOf(posting.signature ^ signature) })),
      )
      .filter(({ distance }) => distance <= reach);
  }
}

function bitsOf(number: bigint): number {
  let count = 0;
  for (let rest = number; rest > 0n; rest >>= 1n) count += Number(rest & 1n);
  return count;
}
