import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Explanation, Verdict } from '@sosia/engine';
import { BATCH_PICTURES, MAX_VERIFIED, MAX_WORK } from './budget.ts';
import type { ShortlistDepth } from './candidate-source.ts';
import type { Window } from './found.ts';

/** A planted picture. Its id is `idOf` of its number in the stock. */
export interface Planted {
  /** The DNA of the query. */
  readonly copy?: boolean;
  /** The score by terms; 0 for no common term. */
  readonly terms: number;
  readonly votes: number;
  /** Undefined for a picture that does not match. */
  readonly score?: number;
}

/** What a search gave, and what it read. */
export interface Searched {
  readonly found: number;
  readonly listed: readonly { readonly id: string; readonly score: number; readonly explanation?: Explanation }[];
  readonly truncated: boolean;
  /** Pictures that were compared, and pictures whose votes were counted; several times if so. */
  readonly compared: readonly string[];
  readonly counted: readonly string[];
}

export interface SearchConditions {
  readonly window: Window;
  readonly explain: boolean;
  /** Work of one comparison. */
  readonly effort: number;
  /** Pictures that are removed between the two phases. */
  readonly removed: ReadonlySet<string>;
}

/** Opens a source with these pictures, and searches it. */
export type SearchPlanted = (stock: readonly Planted[], conditions: SearchConditions) => Promise<Searched>;

export const idOf = (number: number): string => `p${String(number).padStart(5, '0')}`;
export const numberOf = (id: string): number => Number(id.slice(1));

/** What a planted picture says about itself. */
export const explanationOf = (number: number): Explanation => ({ reason: '', alike: number, correspondences: [] });
export const verdictOf = ({ score, copy }: Planted): Pick<Verdict, 'score' | 'resultInfo'> | undefined => {
  if (copy) return { score: 0, resultInfo: null };
  return score === undefined ? undefined : { score, resultInfo: null };
};

const all: Window = { below: 1, start: 0, count: Infinity };
const conditionsOf = (conditions: Partial<SearchConditions> = {}): SearchConditions => ({
  window: all,
  explain: false,
  effort: 1,
  removed: new Set(),
  ...conditions,
});

/** Votes that fall slowly with the number; a given one is as good as any. */
const other = (number: number, more: Partial<Planted> = {}): Planted => ({
  terms: 10_000 - number,
  votes: 20_000 - number,
  ...more,
});
const others = (count: number, at: (number: number) => Partial<Planted> = () => ({})): Planted[] =>
  Array.from({ length: count }, (_, number) => other(number, at(number)));

/**
 * The cases that a two-phase search passes on every source.
 * @param withoutSecondLook  why the source needs no second look, where it has none
 */
export function candidateSourceSuite(
  name: string,
  depth: ShortlistDepth,
  search: SearchPlanted,
  withoutSecondLook?: string,
): void {
  const ids = async (stock: readonly Planted[], conditions?: Partial<SearchConditions>): Promise<string[]> =>
    (await search(stock, conditionsOf(conditions))).listed.map(({ id }) => id);
  const many = Math.max(depth.listed, MAX_VERIFIED) + 1000;

  for (const copies of [1, 16, 17, 316, 500])
    test(`${name}: ${copies} exact copies are listed first, and one is compared for all`, async () => {
      const stock = [...Array<Planted>(copies).fill({ copy: true, terms: 1, votes: 0 }), ...others(many)];
      stock[copies + 7] = other(7, { score: 0.5 });
      const { listed, compared } = await search(stock, conditionsOf());
      assert.deepEqual(
        listed.map(({ id }) => id),
        [...Array(copies + 1).keys()].map((number) => idOf(number < copies ? number : copies + 7)),
      );
      assert.equal(compared.filter((id) => numberOf(id) < copies).length, 1);
    });

  test(`${name}: a copy that is removed meanwhile does not hide the others`, async () => {
    const stock: Planted[] = [1, 2, 3].map(() => ({ copy: true, terms: 1, votes: 0 }));
    const listed = await ids(stock, { removed: new Set([idOf(0)]) });
    assert.deepEqual(
      listed.filter((id) => id !== idOf(0)),
      [idOf(1), idOf(2)],
    );
  });

  test(`${name}: matches are ordered by score, then by the bytes of their ids`, async () => {
    const scores = [0.5, 0.2, 0.5, 0.1, 0.2];
    const listed = await ids(others(5, (number) => ({ score: scores[number]! })));
    assert.deepEqual(listed, [3, 1, 4, 0, 2].map(idOf));
  });

  test(`${name}: a window is a part of the list, and the whole is counted`, async () => {
    const stock = others(30, (number) => ({ score: number / 100 }));
    const { found, listed } = await search(stock, conditionsOf({ window: { below: 0.25, start: 20, count: 3 } }));
    assert.deepEqual([found, listed.map(({ id }) => id)], [25, [20, 21, 22].map(idOf)]);
  });

  test(`${name}: as many pictures as are listed have their votes counted, also those without a common term`, async () => {
    const stock = others(depth.listed, (number) => ({
      terms: number === 5 ? 0 : 1,
      ...(number === 5 && { score: 0.5 }),
    }));
    const { listed, counted } = await search(stock, conditionsOf());
    assert.deepEqual([listed.map(({ id }) => id), new Set(counted).size], [[idOf(5)], depth.listed]);
  });

  test(`${name}: of more pictures the first by terms have their votes counted, each once`, async () => {
    const stock = others(many, (number) => (number === depth.counted - 1 ? { votes: 30_000, score: 0.5 } : {}));
    const { listed, counted } = await search(stock, conditionsOf());
    assert.deepEqual(
      listed.map(({ id }) => id),
      [idOf(depth.counted - 1)],
    );
    assert.deepEqual(counted.toSorted(), [...Array(depth.counted).keys()].map(idOf));
  });

  test(`${name}: behind the first ${MAX_VERIFIED} by terms nothing is found`, async () => {
    const number = Math.max(MAX_VERIFIED, depth.counted) + 1;
    assert.deepEqual(await ids(others(many, (each) => (each === number ? { votes: 30_000, score: 0.5 } : {}))), []);
  });

  test(`${name}: verification ends after the first batch of which less than half matches`, async () => {
    const half = BATCH_PICTURES / 2;
    const stock = (matching: number): Planted[] =>
      others(4 * BATCH_PICTURES, (number) => (number >= BATCH_PICTURES - matching ? { score: 0.5 } : {}));
    assert.equal((await ids(stock(half))).length, 3 * BATCH_PICTURES + half);
    assert.equal((await ids(stock(half - 1))).length, half - 1);
  });

  test(`${name}: of many that match, the first ${MAX_VERIFIED} by terms are found, none compared twice`, async () => {
    const stock = others(many, () => ({ score: 0.5 }));
    const { listed, compared } = await search(stock, conditionsOf());
    assert.deepEqual(
      listed.map(({ id }) => id),
      stock.slice(0, MAX_VERIFIED).map((_, number) => idOf(number)),
    );
    assert.equal(compared.length, MAX_VERIFIED);
  });

  test(`${name}: a copy behind near-duplicates is found among the first ${MAX_VERIFIED} by terms`, async () => {
    const hidden = (number: number, votes: number): Planted[] =>
      others(many, (each) => (each === number ? { score: 0.5, votes: 1 } : { votes }));
    assert.deepEqual(await ids(hidden(depth.counted - 1, 500_000)), []); // an eighth of the first at least
    for (const number of [MAX_VERIFIED - 1, depth.counted + 100])
      assert.deepEqual(await ids(hidden(number, 500_000)), [idOf(number)]);
    assert.deepEqual(await ids(hidden(MAX_VERIFIED, 500_000)), []);
  });

  test(`${name}: near-duplicates have many votes, which do not fall far`, async () => {
    const found = (first: number, votes: number) =>
      ids(others(many, (each) => (each === BATCH_PICTURES ? { votes, score: 0.5 } : { votes: first })));
    // each is found at the end of the first batch, by the votes that it has itself
    assert.equal((await found(3_000_000, 400_000)).length, 1);
    assert.equal((await found(3_200_001, 400_000)).length, 0);
    const few = others(many, (each) => (each === BATCH_PICTURES ? { votes: 1, score: 0.5 } : { votes: 399_999 }));
    assert.deepEqual(await ids(few), []);
  });

  test(`${name}: a search that has taken too much work ends with the batch and says so`, async () => {
    const stock = others(5 * BATCH_PICTURES, () => ({ score: 0.5 }));
    const enough = await search(stock, conditionsOf({ effort: MAX_WORK / stock.length }));
    assert.deepEqual([enough.found, enough.truncated], [stock.length, false]);
    const cut = await search(stock, conditionsOf({ effort: MAX_WORK / (2 * BATCH_PICTURES) + 1 }));
    assert.deepEqual([cut.found, cut.truncated], [2 * BATCH_PICTURES, true]);
  });

  test(`${name}: hits carry the explanations of their own comparison, where requested`, async () => {
    const stock = [{ copy: true, terms: 1, votes: 0 }, ...others(4).map((each) => ({ ...each, score: 0.5 }))];
    for (const { id, explanation } of (await search(stock, conditionsOf({ explain: true }))).listed)
      assert.deepEqual(explanation, explanationOf(numberOf(id)));
    const { listed } = await search(stock, conditionsOf());
    assert.ok(listed.every((hit) => hit.explanation === undefined));
  });

  test(`${name}: a score that is not in [0, 1) is refused rather than sorted`, async () => {
    await assert.rejects(ids(others(1, () => ({ score: NaN }))), /expected a score in \[0, 1\), got NaN/);
  });

  const far = depth.countedAfterNothing - 1;
  test(`${name}: ${withoutSecondLook ?? 'where nothing is found, more candidates have their votes counted'}`, async () => {
    if (withoutSecondLook !== undefined) {
      assert.ok(depth.countedAfterNothing <= depth.counted);
      const stock = others(many, (number) => (number === depth.counted ? { score: 0.5, votes: 30_000 } : {}));
      assert.deepEqual(await ids(stock), []);
      return;
    }
    const stock = others(many, (number) => (number === far ? { score: 0.5, votes: 30_000 } : {}));
    const { listed, counted, compared } = await search(stock, conditionsOf());
    assert.deepEqual(
      listed.map(({ id }) => id),
      [idOf(far)],
    );
    assert.deepEqual([counted.length, new Set(counted).size], [far + 1, far + 1]);
    assert.equal(new Set(compared).size, compared.length);
  });
}
