import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankMiniature } from '../../test/local-dna.ts';
import { stream } from '../../test/planted.ts';
import { type Feature, writeLocalDna } from '../dna/local.ts';
import type { Section } from '../memory/section.ts';
import { RecordsInMemory } from '../partition/records-in-memory.ts';
import { type Selection, selectionOf } from '../partition/selection.ts';
import { SynchronousPartition } from '../partition/synchronous.ts';
import { finished } from '../steps.ts';
import { LocalPartition } from './local-partition.ts';
import type { PairMatch } from './match/match-pair.ts';

/** Blocks of one length: `n` features spread over a frame of 400 x 300. */
function scattered(seed: number, kind: 'media-reference' | 'media-query' = 'media-reference', n = 60): Uint8Array {
  const random = stream(seed);
  const features = Array.from({ length: n }, (_, i): Feature => {
    const code = Uint8Array.from({ length: 32 }, () => 256 * random());
    return { core: true, x: 30 + 10 * (i % 36), y: 20 + 250 * random(), angle: 256 * random(), level: 0, code };
  });
  return writeLocalDna(kind, 400, 300, features, blankMiniature({ width: 400, height: 300 }));
}

function watched(): { partition: SynchronousPartition; matches: PairMatch[] } {
  const matches: PairMatch[] = [];
  const decide = (match: PairMatch): { score: number; resultInfo: null } => {
    matches.push(match);
    return { score: match.exact ? 0 : 0.5, resultInfo: null };
  };
  return {
    partition: new SynchronousPartition(new LocalPartition(['media-reference', 'media-query'], decide)),
    matches,
  };
}

test('the caller may overwrite the query with the next one', () => {
  const { partition } = watched();
  [1, 2].forEach((seed) => partition.add(seed, scattered(seed)));
  const buffer = scattered(1);
  const exact = (): number[] => [...partition.candidates(buffer, null, 0).copies];
  assert.deepEqual(exact(), [1]);
  buffer.set(scattered(2));
  assert.deepEqual(exact(), [2]);
  assert.deepEqual(
    partition
      .verify(buffer, [1, 2])
      .verdicts.filter(({ score }) => score === 0)
      .map(({ image }) => image),
    [2],
  );
});

test('a query whose core is the reference is the same picture, its further features notwithstanding', () => {
  const { partition, matches } = watched();
  partition.add(7, scattered(3));
  partition.verify(scattered(3, 'media-query'), [7]);
  assert.deepEqual(
    matches.map(({ exact, placements: [{ mirrored, homography }] }) => [exact, mirrored, homography]),
    [[true, false, [1, 0, 0, 0, 1, 0, 0, 0, 1]]],
  );
});

test('a picture of few features gets no more votes for it than one of 64', () => {
  const { partition } = watched();
  partition.add(1, scattered(4, 'media-reference', 16));
  partition.add(2, scattered(4, 'media-reference', 64));
  partition.add(3, scattered(4, 'media-reference', 256));
  const votes = partition.votes(scattered(4, 'media-query', 16), [1, 2, 3])!;
  assert.equal(votes[0], votes[1]);
  assert.ok(Math.abs(votes[2] / votes[1] - 1 / 2) < 0.1, `${votes}`);
});

test('a picture with another under its number stays', () => {
  const { partition } = watched();
  partition.add(1, scattered(1));
  assert.throws(() => partition.add(1, scattered(2)), RangeError);
  assert.deepEqual([...partition.candidates(scattered(1), null, 0).copies], [1]);
  assert.deepEqual([...partition.candidates(scattered(2), null, 0).copies], []);
});

test('without a limit every picture is a candidate, those of score 0 included', () => {
  const partition = new LocalPartition(['media-reference', 'media-query'], () => undefined);
  for (let image = 0; image < 12; image++) partition.add(image, scattered(image, 'media-reference', 20));
  const candidates = (only: Selection | null, limit: number): number[] => {
    const { copies, images } = finished(partition.candidates(scattered(3, 'media-query', 20), only, limit));
    return [...copies, ...images];
  };
  const listed = candidates(null, 11);
  assert.ok(listed.includes(3) && listed.length < 12, `${listed.length} have features in common by chance`);
  const all = Array.from({ length: 12 }, (_, i) => i);
  assert.deepEqual(
    candidates(null, Infinity).toSorted((a, b) => a - b),
    all,
  );
  assert.deepEqual(candidates(selectionOf([2, 5, 99]), Infinity).toSorted(), [2, 5]);
});

test('a snapshot that begins while lists are merged has the state of its first step', () => {
  const records = new RecordsInMemory();
  const source = new LocalPartition(['media-reference', 'media-query'], () => undefined, {}, records);
  const all = Array.from({ length: 40 }, (_, i) => scattered(i, 'media-reference', 340));
  let image = 0;
  const add = (): void => source.add(image, all[image++ % all.length]);
  while (image < 1500) add();
  for (let found = false; !found;) {
    assert.ok(image < 4000, 'no merge was under way');
    add();
    const count = image;
    const sections: Section[] = [];
    for (const piece of source.snapshot()) {
      found ||= !piece;
      if (!found) break; // the first step ends a merge, if there is one
      if (piece) sections.push({ name: piece.name, bytes: piece.bytes.slice() });
      add();
    }
    if (!found) continue;
    const restored = new LocalPartition(['media-reference', 'media-query'], () => undefined, {}, records);
    finished(restored.restore(sections));
    assert.equal(restored.count, count);
    const { copies } = finished(restored.candidates(all[7], null, 0));
    assert.deepEqual(
      [...copies],
      Array.from({ length: Math.ceil((count - 7) / 40) }, (_, i) => 40 * i + 7),
    );
    const votes = (partition: LocalPartition): Uint32Array =>
      finished(partition.candidates(all[8], selectionOf([1, 2, 3]), 5)).votes;
    assert.deepEqual(votes(restored), votes(source));
  }
});
