import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, entryNumbers, type Feature, featureNumbers, Lists } from '../../../test/oracles/lists.ts';
import { stream } from '../../../test/planted.ts';
import { Restoring, sectionsOf } from '../../memory/areas.ts';
import { type Section, SnapshotError, WRITTEN } from '../../memory/section.ts';
import { finished } from '../../steps.ts';
import { FeatureLists, type ListQuery, NEARNESS } from './feature-lists.ts';

const ENTRIES = 900;
const SLOTS = 200;
const random = stream(5);
/** Few words and bits, so that many features are near. */
const feature = (): Feature => [Math.floor(20 * random()), 0x101010101 * Math.floor(64 * random())];

const pictures = Array.from({ length: SLOTS }, () => Array.from({ length: 60 }, feature));
const postings = pictures.map((features) => Uint32Array.from(features.flatMap(featureNumbers)));
const entries = Array.from({ length: ENTRIES }, (): Entry => {
  const [word, bits] = feature();
  return { word, bits, weight: 60 + Math.floor(100 * random()), reach: [2, 5, 7] };
});
const queryOf = (entries: readonly Entry[]): ListQuery => Uint32Array.from(entries.flatMap(entryNumbers));
const [query, part] = [queryOf(entries), queryOf(entries.slice(-40))];

function votesIn(lists: FeatureLists, query: readonly ListQuery[], slots = SLOTS, least = 0): number[] {
  const all = new Array<number>(slots).fill(0);
  const norms = new Uint16Array(slots).fill(1024);
  const take = (pairs: Uint32Array, first: number): void => {
    for (let i = 0; i < pairs.length; i += 2) all[first + pairs[i]] = pairs[i + 1];
  };
  finished(lists.votes(query, norms, () => least, take));
  return all;
}

test('the votes are those of the variant in which they are most, in any number of blocks, after removals too', () => {
  const plain = new Lists();
  pictures.forEach((all, slot) => plain.insert(slot, all));
  const [all, some] = [entries, entries.slice(-40)].map((each) => plain.votes(each, SLOTS, NEARNESS));
  const expected = all.map((votes, slot) => Math.max(votes, some[slot]));
  for (const slots of [undefined, 64, 7]) {
    const lists = new FeatureLists(slots);
    postings.forEach((all, slot) => lists.add(slot, all));
    assert.deepEqual(votesIn(lists, [part, query]), expected);
    const removed = Array.from({ length: 70 }, (_, i) => 2 * i);
    finished(lists.remove(removed));
    const held = new Set(removed);
    const left = expected.map((votes, slot) => (held.has(slot) ? 0 : votes));
    assert.deepEqual(votesIn(lists, [part, query]), left);
    lists.add(6, postings[6]);
    assert.deepEqual(votesIn(lists, [query])[6], expected[6]);
  }
});

test('only slots whose score reaches the least one are listed', () => {
  const lists = new FeatureLists(64);
  postings.forEach((all, slot) => lists.add(slot, all));
  const all = votesIn(lists, [query]);
  const least = all.toSorted((a, b) => b - a)[20];
  assert.deepEqual(
    votesIn(lists, [query], SLOTS, least),
    all.map((votes) => (votes >= least ? votes : 0)),
  );
});

test('lists that hold nothing give no votes', () => {
  assert.deepEqual(votesIn(new FeatureLists(), [query], 0), []);
});

test('lists of any number of blocks are restored from a copy that is made while pictures are added', () => {
  for (const slots of [64, 7]) {
    const [lists, copy] = [new FeatureLists(slots), new FeatureLists(slots)];
    for (let slot = 0; slot < 150; slot++) lists.add(slot, postings[slot]);
    finished(lists.freeze());
    const { postings: counts } = lists;
    const sections: Section[] = [];
    let next = 150;
    for (const { name, bytes } of sectionsOf(lists.areas(1))) {
      sections.push({ name, bytes: bytes.slice() });
      if (next < SLOTS) lists.add(next, postings[next++]);
    }
    lists.thaw();
    const expected = votesIn(lists, [query]).fill(0, 150);
    finished(copy.restore(150, Uint32Array.from(counts), new Restoring(sections)));
    assert.deepEqual(votesIn(copy, [query], 150), expected.slice(0, 150));
    for (let slot = 150; slot < SLOTS; slot++) copy.add(slot, postings[slot]);
    while (next < SLOTS) lists.add(next, postings[next++]);
    assert.deepEqual(votesIn(copy, [query]), votesIn(lists, [query]));
    for (const name of ['postings', 'late', 'lists']) {
      // a slot that is not there, or a list that ends beyond the others
      const wrong = sections.map((each) => (each.name === name ? { name, bytes: each.bytes.map(() => 255) } : each));
      const restored = new FeatureLists(slots).restore(150, Uint32Array.from(counts), new Restoring(wrong));
      if (wrong.some((each) => each.name === name && each.bytes.length > 0)) {
        assert.throws(() => finished(restored), SnapshotError, name);
      }
    }
  }
});

test('full blocks are parts, each written once until it changes, and are restored from where they were written', () => {
  const lists = new FeatureLists(64);
  for (let slot = 0; slot < SLOTS; slot++) lists.add(slot, postings[slot]);
  const files = new Map<string, Section[]>();
  /** The parts of a snapshot, of which those that have no file yet get one, and its sections with those of the files. */
  const save = (snapshot: number) => {
    finished(lists.freeze());
    const counts = Uint32Array.from(lists.postings);
    const parts: string[] = [];
    const sections: Section[] = [];
    const known = new Set(files.keys());
    for (const { name, bytes, part } of sectionsOf(lists.areas(snapshot), known)) {
      const section = { name, bytes: bytes.slice(), part };
      if (part !== undefined && !parts.includes(part)) parts.push(part);
      if (name === WRITTEN) sections.push(...files.get(part!)!);
      else sections.push(section);
      if (part !== undefined && !known.has(part)) files.set(part, [...(files.get(part) ?? []), section]);
    }
    lists.thaw();
    return { counts, parts, sections };
  };
  assert.deepEqual(save(1).parts, ['0-1', '1-1', '2-1']);
  finished(lists.remove([70, 199]));
  lists.add(199, postings[70]);
  const { counts, parts, sections } = save(2);
  assert.deepEqual(parts, ['0-1', '1-2', '2-1']);
  const copy = new FeatureLists(64);
  finished(copy.restore(SLOTS, counts, new Restoring(sections)));
  assert.deepEqual(votesIn(copy, [query]), votesIn(lists, [query]));
  const known = new Set(parts);
  finished(copy.freeze());
  const again = [...sectionsOf(copy.areas(3), known)].filter(({ part }) => part !== undefined);
  assert.deepEqual(
    again.map(({ name, part }) => [name, part]),
    parts.map((part) => [WRITTEN, part]),
  );
  copy.thaw();
  lists.add(70, postings[71]);
  assert.deepEqual(save(4).parts, ['0-1', '2-1']);
});
