import assert from 'node:assert/strict';
import { test } from 'node:test';
import { GroupCommit } from './group-commit.ts';
import type { Change } from './image-table.ts';

const picture = (bytes: number): Change => ({
  kind: 'append',
  application: 1,
  image: { id: 'a', keywords: [], dna: new Uint8Array(bytes) },
});

test('a group has at most 256 changes and 4 MB, and a larger change goes alone', async () => {
  const groups: number[] = [];
  const commits = new GroupCommit(async (changes) => {
    groups.push(changes.length);
    return changes.map(() => 0);
  });
  const MB = 2 ** 20;
  const sizes = [1, ...Array<number>(300).fill(1), MB, MB, MB, MB, 5 * MB, 1];
  await Promise.all(sizes.map((size) => commits.write(picture(size))));
  // the sizes of the commits: the first; 256; 44 and three of 1 MB; the fourth of 1 MB; 5 MB; the last
  assert.deepEqual(groups, [1, 256, 47, 1, 1, 1]);
});

test('thumbnails count as well as the DNA', async () => {
  const groups: number[] = [];
  const commits = new GroupCommit(async (changes) => {
    groups.push(changes.length);
    return changes.map(() => 0);
  });
  const of = (thumbnail: number): Change => ({
    ...{ kind: 'append', application: 1 },
    image: { id: 'a', keywords: [], dna: new Uint8Array(1), thumbnail: new Uint8Array(thumbnail) },
  });
  const half = 2 ** 21;
  await Promise.all([of(1), of(half - 1), of(half - 1), of(half), of(half)].map((change) => commits.write(change)));
  assert.deepEqual(groups, [1, 2, 1, 1]);
});

test('a commit runs alone, and each caller receives the outcome of its own change', async () => {
  let running = 0;
  let assigned = 0;
  const commits = new GroupCommit(async (changes) => {
    assert.equal(++running, 1);
    await new Promise(setImmediate);
    running--;
    return changes.map(() => ++assigned);
  });
  const outcomes = await Promise.all(Array.from({ length: 10 }, () => commits.write(picture(1))));
  assert.deepEqual(outcomes, [1, 2, 3, 4, 5, 6, 7, 8, 9, 10]);
});

test('after a failed commit there is no other: waiting and later changes are refused', async () => {
  let commits = 0;
  const group = new GroupCommit(async (changes) => {
    if (++commits === 2) throw new Error('disk I/O error');
    return changes.map(() => 0);
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 300 }, () => group.write(picture(1))));
  const names = outcomes.map((one) => (one.status === 'fulfilled' ? 'stored' : one.reason.error));
  assert.deepEqual(names.slice(0, 1), ['stored']);
  assert.deepEqual(new Set(names.slice(1, 257)), new Set(['STORE_WRITE_FAILED']));
  assert.deepEqual(new Set(names.slice(257)), new Set(['STORE_READ_ONLY']));
  await assert.rejects(group.write(picture(1)), /takes no changes: a write failed: disk I\/O error/);
  assert.equal(commits, 2);
});

test('a commit without space is refused alone: waiting and later changes are tried', async () => {
  let space = 1;
  const group = new GroupCommit(async (changes) => {
    if (space-- <= 0) throw Object.assign(new Error('database or disk is full'), { code: 'SQLITE_FULL' });
    return changes.map(() => 7);
  });
  assert.equal(await group.write(picture(1)), 7);
  const [first, second] = await Promise.allSettled([group.write(picture(1)), group.write(picture(1))]);
  for (const outcome of [first, second])
    assert.match(
      String(outcome.status === 'rejected' && outcome.reason),
      /no room on the disk, and the change was not stored: database or disk is full/,
    );
  assert.equal(group.full, true);
  space = 1;
  assert.equal(await group.write(picture(1)), 7);
  assert.equal(group.full, false);
  assert.equal(group.refusal, '');
});

test('a change that meets damage is refused alone: the others of its group and those after it are stored', async () => {
  const stored: number[] = [];
  const damaged = (change: Change): boolean => change.kind === 'append' && change.image.dna.length === 7;
  const group = new GroupCommit(async (changes) => {
    if (changes.some(damaged)) throw Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT_INDEX' });
    stored.push(...changes.map(() => 1));
    return changes.map(() => 1);
  });
  const outcomes = await Promise.allSettled(
    Array.from({ length: 20 }, (_, i) => group.write(picture(i === 9 ? 7 : 1))),
  );
  const refused = outcomes.flatMap((one, i) => (one.status === 'rejected' ? [[i, one.reason.error]] : []));
  assert.deepEqual(refused, [[9, 'STORE_DAMAGED']]);
  assert.equal(stored.length, 19);
  assert.equal(await group.write(picture(1)), 1);
  assert.equal(group.refusal, '');
});

test('a disk that fails while changes are retried one by one ends all writing', async () => {
  let commits = 0;
  const group = new GroupCommit(async (changes) => {
    commits++;
    if (changes.length > 1) throw Object.assign(new Error('malformed'), { code: 'SQLITE_CORRUPT' });
    if (commits > 3) throw Object.assign(new Error('disk I/O error'), { code: 'SQLITE_IOERR_FSYNC' });
    return [0];
  });
  const outcomes = await Promise.allSettled(Array.from({ length: 5 }, () => group.write(picture(1))));
  const names = outcomes.map((one) => (one.status === 'fulfilled' ? 'stored' : one.reason.error));
  assert.deepEqual(names, ['stored', 'stored', 'STORE_WRITE_FAILED', 'STORE_READ_ONLY', 'STORE_READ_ONLY']);
});
