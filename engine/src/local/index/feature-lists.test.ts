import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type Entry, entryNumbers, type Feature, featureNumbers, Lists } from '../../../test/oracles/lists.ts';
import { stream } from '../../../test/planted.ts';
import { SectionReader, sectionsOf } from '../../memory/areas.ts';
import { type Section, SnapshotError, WRITTEN_SECTION } from '../../memory/section.ts';
import type { Scored } from '../../partition/best-scores.ts';
import { finished } from '../../steps.ts';
import { type ListQuery, NEARNESS_WEIGHTS } from './counted-votes.ts';
import { FeatureLists } from './feature-lists.ts';

const ENTRY_COUNT = 900;
const SLOT_COUNT = 200;
const random = stream(5);
/** Few words and bits, so that many features are near. */
const feature = (): Feature => [Math.floor(20 * random()), 0x101010101 * Math.floor(64 * random())];

const pictures = Array.from({ length: SLOT_COUNT }, () => Array.from({ length: 60 }, feature));
const postings = pictures.map((features) => Uint32Array.from(features.flatMap(featureNumbers)));
const entries = Array.from({ length: ENTRY_COUNT }, (): Entry => {
  const [word, bits] = feature();
  return { word, bits, weight: 60 + Math.floor(100 * random()), reach: [2, 5, 7] };
});
const queryOf = (entries: readonly Entry[]): ListQuery => Uint32Array.from(entries.flatMap(entryNumbers));
const [query, part] = [queryOf(entries), queryOf(entries.slice(-40))];

function votesIn(lists: FeatureLists, query: readonly ListQuery[], slots = SLOT_COUNT, limit = SLOT_COUNT): number[] {
  return votesBySlot(finished(lists.best(query, new Uint16Array(slots).fill(1024), limit)), slots);
}

function votesBySlot({ slots, scores }: Scored, count: number): number[] {
  const all = new Array<number>(count).fill(0);
  slots.forEach((slot, i) => (all[slot] = scores[i]));
  return all;
}

/** Slots of a block, and pictures of recent lists; blocks of which some are merged once and some several times. */
const BLOCK_SHAPES = [[undefined, undefined], [256, 20], [64, 9], [64, 64], [7, 3]] as const; // prettier-ignore

/** By slot. */
function plainVotes(
  held: ReadonlyMap<number, readonly Feature[]>,
  ...queries: readonly (readonly Entry[])[]
): number[] {
  const plain = new Lists();
  for (const [slot, features] of held) plain.insert(slot, features);
  const all = queries.map((each) => plain.votes(each, SLOT_COUNT, NEARNESS_WEIGHTS));
  return all[0].map((_, slot) => Math.max(...all.map((votes) => votes[slot])));
}

test('the votes are those of the variant in which they are most, in any number of blocks and merges, after removals too', () => {
  const expected = plainVotes(new Map(pictures.entries()), entries, entries.slice(-40));
  for (const shape of BLOCK_SHAPES) {
    const lists = new FeatureLists(...shape);
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

test('the votes are right at each moment of a merge, and when slots are given again', () => {
  const [one, other] = [entries.slice(0, 25), entries.slice(-15)];
  const queries = [one, other].map(queryOf);
  for (const shape of BLOCK_SHAPES.slice(1, 3)) {
    const lists = new FeatureLists(...shape);
    const held = new Map<number, readonly Feature[]>();
    const put = (slot: number, picture: number): void => {
      lists.add(slot, postings[picture]);
      held.set(slot, pictures[picture]);
    };
    for (let round = 0; round < 3; round++) {
      for (let slot = 0; slot < SLOT_COUNT; slot++) {
        if (round > 0 && slot % 5 !== round) continue;
        put(slot, (slot + 17 * round) % SLOT_COUNT);
        if (slot % 4 === 0)
          assert.deepEqual(votesIn(lists, queries), plainVotes(held, one, other), `${slot} of ${shape}`);
      }
      const removed = Array.from({ length: SLOT_COUNT / 5 }, (_, i) => 5 * i + round + 1).filter(
        (slot) => slot < SLOT_COUNT,
      );
      finished(lists.remove(removed));
      for (const slot of removed) held.delete(slot);
      assert.deepEqual(votesIn(lists, queries), plainVotes(held, one, other));
    }
  }
});

test('a snapshot that is begun while votes are counted waits for them, at each moment of a merge', () => {
  for (let count = 41; count <= 60; count++) {
    const lists = new FeatureLists(256, 20);
    for (let slot = 0; slot < count; slot++) lists.add(slot, postings[slot]);
    const expected = votesIn(lists, [query]);
    const freezing = lists.freeze();
    const voting = lists.best([query], new Uint16Array(SLOT_COUNT).fill(1024), SLOT_COUNT);
    let step = voting.next();
    for (; !step.done; step = voting.next()) freezing.next();
    assert.deepEqual(votesBySlot(step.value, SLOT_COUNT), expected, `${count} pictures`);
    finished(freezing);
    assert.deepEqual(votesIn(lists, [query]), expected);
  }
});

test('the best slots of all lists are listed, and those that tie with the last', () => {
  const lists = new FeatureLists(64);
  postings.forEach((all, slot) => lists.add(slot, all));
  const all = votesIn(lists, [query]);
  const least = all.toSorted((a, b) => b - a)[19];
  assert.deepEqual(
    votesIn(lists, [query], SLOT_COUNT, 20),
    all.map((votes) => (votes >= least ? votes : 0)),
  );
});

test('slots with the norm 0 are not listed', () => {
  const lists = new FeatureLists(64, 20);
  postings.forEach((all, slot) => lists.add(slot, all));
  const norms = Uint16Array.from({ length: SLOT_COUNT }, (_, slot) => (slot % 3 === 0 ? 0 : 1024));
  const listed = votesBySlot(finished(lists.best([query], norms, SLOT_COUNT)), SLOT_COUNT);
  assert.deepEqual(
    listed,
    votesIn(lists, [query]).map((votes, slot) => (slot % 3 === 0 ? 0 : votes)),
  );
});

test('lists that hold nothing give no votes', () => {
  assert.deepEqual(votesIn(new FeatureLists(), [query], 0), []);
});

test('lists of any number of blocks are restored from a copy that is made while pictures are added', () => {
  for (const shape of [
    [64, 9],
    [7, 3],
    [256, 20],
    [256, 250],
  ] as const) {
    const [lists, copy] = [new FeatureLists(...shape), new FeatureLists(...shape)];
    for (let slot = 0; slot < 150; slot++) lists.add(slot, postings[slot]);
    finished(lists.freeze());
    const { numbers: counts } = lists;
    const sections: Section[] = [];
    let next = 150;
    for (const { name, bytes } of sectionsOf(lists.areas(1))) {
      sections.push({ name, bytes: bytes.slice() });
      if (next < SLOT_COUNT) lists.add(next, postings[next++]);
    }
    lists.thaw();
    const expected = votesIn(lists, [query]).fill(0, 150);
    finished(copy.restore(150, Uint32Array.from(counts), new SectionReader(sections)));
    assert.deepEqual(votesIn(copy, [query], 150), expected.slice(0, 150));
    for (let slot = 150; slot < SLOT_COUNT; slot++) copy.add(slot, postings[slot]);
    while (next < SLOT_COUNT) lists.add(next, postings[next++]);
    assert.deepEqual(votesIn(copy, [query]), votesIn(lists, [query]));
    // a slot that is not there, a list that ends beyond the others, a key beyond its list
    const wrong = ['postings', 'late', 'lists', 'main', 'lengths'].map((name) => [name, () => 254] as const);
    const slotTwice = ['recent', () => 0] as const;
    const highSlots = ['recent', (byte: number, i: number) => (i % 4 === 3 ? 1 : byte)] as const;
    for (const [wrongName, change] of [...wrong, slotTwice, highSlots]) {
      const changed = sections.map(({ name, bytes }) => ({
        name,
        bytes: name === wrongName ? bytes.map(change) : bytes,
      }));
      if (!changed.some(({ name, bytes }) => name === wrongName && bytes.length > 4)) continue;
      const restored = new FeatureLists(...shape).restore(150, Uint32Array.from(counts), new SectionReader(changed));
      assert.throws(() => finished(restored), SnapshotError, `${wrongName} ${String(change)}`);
    }
  }
});

test('main lists into which others were merged have another name', () => {
  const lists = new FeatureLists(256, 20);
  const names = [30, 39, 41, 60].map((end, i) => {
    for (let slot = i === 0 ? 0 : [30, 39, 41][i - 1]; slot < end; slot++) lists.add(slot, postings[slot]);
    finished(lists.freeze());
    const [{ part }] = lists.areas(i);
    lists.thaw();
    return part;
  });
  assert.deepEqual(names, ['0-0', '0-0', '0-2', '0-2']);
});

test('main lists are parts, each written once until it changes, and are restored from where they were written', () => {
  const lists = new FeatureLists(64, 20);
  for (let slot = 0; slot < SLOT_COUNT; slot++) lists.add(slot, postings[slot]);
  const files = new Map<string, Section[]>();
  /** The parts of a snapshot, of which those that have no file yet get one, and its sections with those of the files. */
  const save = (snapshot: number) => {
    finished(lists.freeze());
    const counts = Uint32Array.from(lists.numbers);
    const parts: string[] = [];
    const sections: Section[] = [];
    const known = new Set(files.keys());
    for (const { name, bytes, part } of sectionsOf(lists.areas(snapshot), known)) {
      const section = { name, bytes: bytes.slice(), part };
      if (part !== undefined && !parts.includes(part)) parts.push(part);
      if (name === WRITTEN_SECTION) sections.push(...files.get(part!)!);
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
  const copy = new FeatureLists(64, 20);
  finished(copy.restore(SLOT_COUNT, counts, new SectionReader(sections)));
  assert.deepEqual(votesIn(copy, [query]), votesIn(lists, [query]));
  const known = new Set(parts);
  finished(copy.freeze());
  const again = [...sectionsOf(copy.areas(3), known)].filter(({ part }) => part !== undefined);
  assert.deepEqual(
    again.map(({ name, part }) => [name, part]),
    parts.map((part) => [WRITTEN_SECTION, part]),
  );
  copy.thaw();
  for (let slot = 192; slot < 256; slot++) copy.add(slot, postings[slot - 192]);
  finished(copy.freeze());
  const merged = [...sectionsOf(copy.areas(4), known)].flatMap(({ part }) => part ?? []);
  assert.deepEqual([...new Set(merged)], ['0-1', '1-2', '2-1', '3-4']);
});
