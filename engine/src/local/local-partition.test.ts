import assert from 'node:assert/strict';
import { test } from 'node:test';
import { stream } from '../../test/planted.ts';
import { type Feature, writeLocalDna } from '../dna/local.ts';
import { SynchronousPartition } from '../partition/synchronous.ts';
import { LocalPartition } from './local-partition.ts';
import type { PairMatch } from './match/match-pair.ts';

/** Blocks of one length: `n` features spread over a frame of 400 x 300. */
function scattered(seed: number, kind: 'media-reference' | 'media-query' = 'media-reference', n = 60): Uint8Array {
  const random = stream(seed);
  const features = Array.from({ length: n }, (_, i): Feature => {
    const code = Uint8Array.from({ length: 32 }, () => 256 * random());
    return { core: true, x: 30 + 10 * (i % 36), y: 20 + 250 * random(), turn: 256 * random(), level: 0, code };
  });
  return writeLocalDna(kind, 400, 300, features);
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
  const exact = (): number[] => partition.candidates(buffer, null, 0).map(({ image }) => image);
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
  const votes = partition.candidates(scattered(4, 'media-query', 16), null, 10).map(({ votes }) => votes);
  assert.equal(votes[0], votes[1]);
  assert.ok(Math.abs(votes[2] / votes[1] - 1 / 2) < 0.1, `${votes}`);
});

test('a picture with another under its number stays', () => {
  const { partition } = watched();
  partition.add(1, scattered(1));
  assert.throws(() => partition.add(1, scattered(2)), RangeError);
  assert.deepEqual(
    partition.candidates(scattered(1), null, 0).map(({ image }) => image),
    [1],
  );
  assert.deepEqual(partition.candidates(scattered(2), null, 0), []);
});
