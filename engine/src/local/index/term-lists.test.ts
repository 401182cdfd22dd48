import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, Lists } from '../../../test/oracles/lists.ts';
import { stream } from '../../../test/planted.ts';
import { Restoring, sectionsOf } from '../../memory/areas.ts';
import { type Section, SnapshotError } from '../../memory/section.ts';
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

function votesIn(lists: TermLists, query: readonly TermQuery[], slots = 200): number[] {
  const all = new Uint32Array(slots);
  finished(lists.votes(query, slots, (votes, first) => all.set(votes, first)));
  return [...all];
}

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
    assert.deepEqual(votesIn(lists, [part, query]), expected(200));
    const removed = Array.from({ length: 70 }, (_, i) => 2 * i);
    finished(lists.remove(removed));
    const held = new Set(removed);
    const left = expected(200).map((votes, slot) => (held.has(slot) ? 0 : votes));
    assert.deepEqual(votesIn(lists, [part, query]), left);
    lists.add(6, Uint32Array.from(terms[6]));
    assert.deepEqual(votesIn(lists, [query])[6], expected(200)[6]);
  }
});

test('lists that hold nothing give no votes', () => {
  assert.deepEqual(votesIn(new TermLists(), [query], 0), []);
});

test('lists of any number of blocks are restored from a copy that is made while pictures are added', () => {
  for (const slots of [64, 7]) {
    const [lists, copy] = [new TermLists(slots), new TermLists(slots)];
    for (let slot = 0; slot < 150; slot++) lists.add(slot, Uint32Array.from(terms[slot]));
    finished(lists.freeze());
    const { postings } = lists;
    const sections: Section[] = [];
    let next = 150;
    for (const { name, bytes } of sectionsOf(lists.areas())) {
      sections.push({ name, bytes: bytes.slice() });
      if (next < 200) lists.add(next, Uint32Array.from(terms[next++]));
    }
    lists.thaw();
    const expected = votesIn(lists, [query]).fill(0, 150);
    finished(copy.restore(150, Uint32Array.from(postings), new Restoring(sections)));
    assert.deepEqual(votesIn(copy, [query], 150), expected.slice(0, 150));
    for (let slot = 150; slot < 200; slot++) copy.add(slot, Uint32Array.from(terms[slot]));
    while (next < 200) lists.add(next, Uint32Array.from(terms[next++]));
    assert.deepEqual(votesIn(copy, [query]), votesIn(lists, [query]));
    for (const name of ['postings', 'late', 'lists']) {
      // a picture that is not there, or a list that ends beyond the others
      const wrong = sections.map((each) => (each.name === name ? { name, bytes: each.bytes.map(() => 255) } : each));
      const restored = new TermLists(slots).restore(150, Uint32Array.from(postings), new Restoring(wrong));
      if (wrong.some((each) => each.name === name && each.bytes.length > 0)) {
        assert.throws(() => finished(restored), SnapshotError, name);
      }
    }
  }
});
