import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, Lists } from '../../../test/oracles/lists.ts';
import { stream } from '../../../test/planted.ts';
import { finished } from '../../steps.ts';
import { type TermQuery, TermLists } from './term-lists.ts';

const EACH = 3;
const FEATURES = 300;
const random = stream(5);
/** Few words and bits, so that many terms are common. */
const term = (): number => 4096 * Math.floor(20 * random()) + Math.floor(64 * random());

const terms = Array.from({ length: 200 }, () => [...new Set(Array.from({ length: 60 }, term))]);
const features = Array.from({ length: FEATURES }, () =>
  Array.from({ length: EACH }, (): Entry => ({ term: term(), gains: [60 + Math.floor(100 * random()), 50, 20] })),
);
const queryOf = (features: readonly (readonly Entry[])[]): TermQuery => ({
  entries: Uint32Array.from(features.flat().flatMap(({ term, gains }) => [term, ...gains])),
});
const [query, part] = [queryOf(features), queryOf(features.slice(-40))];

test('the votes are those of the variant in which they are most, in any number of blocks, after removals too', () => {
  const plain = new Lists();
  terms.forEach((all, slot) => plain.insert(slot, all));
  const expected = (slots: number): number[] => {
    const [all, some] = [features, features.slice(-40)].map((each) => plain.votes(each, slots));
    return all.map((votes, slot) => Math.max(votes, some[slot]));
  };
  for (const slots of [undefined, 64, 7]) {
    const lists = new TermLists(slots);
    terms.forEach((all, slot) => lists.add(slot, Uint32Array.from(all)));
    assert.deepEqual([...finished(lists.votes([part, query], 200))], expected(200));
    const removed = Array.from({ length: 70 }, (_, i) => 2 * i);
    finished(lists.remove(removed));
    const held = new Set(removed);
    const left = expected(200).map((votes, slot) => (held.has(slot) ? 0 : votes));
    assert.deepEqual([...finished(lists.votes([part, query], 200))], left);
    lists.add(6, Uint32Array.from(terms[6]));
    assert.deepEqual(finished(lists.votes([query], 200))[6], expected(200)[6]);
  }
});

test('lists that hold nothing give no votes', () => {
  assert.deepEqual([...finished(new TermLists().votes([query], 0))], []);
});
