import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cropped, mirrored, photographs } from '../../test/pictures.ts';
import { finished } from '../steps.ts';
import { mediaMatching } from '../types/media-matching.ts';

const { describe, terms: rule, createPartition } = mediaMatching;
const [hats, bikes] = photographs;
const references = [hats, bikes, cropped(hats, 40, 20, 300, 220)].map((picture) => describe(picture, 'reference'));
const queries = [hats, mirrored(bikes), cropped(hats, 60, 40, 260, 180)].map((picture) => describe(picture, 'query'));
const partition = createPartition();
references.forEach((dna, image) => partition.add(image, dna));
const stored = references.map((dna) => ({ ...finished(rule!.reference(dna)), digest: rule!.digestOf(dna) }));
const comparison = rule!.createComparison();

test('references that are not held get the votes that they have in a partition', () => {
  const voted = {
    beginnings: Buffer.concat(stored.map(({ beginning }) => beginning)),
    lengths: Uint32Array.from(stored, ({ beginning }) => beginning.length),
    norms: Uint16Array.from(stored, ({ norm }) => norm),
  };
  for (const query of queries) {
    const votes = finished(comparison.votes(query, voted));
    assert.deepEqual(votes, finished(partition.votes!(query, [0, 1, 2])));
    assert.ok(Math.max(...votes) > 4 * Math.min(...votes));
  }
});

test('references that are not held get the verdicts that they have in a partition', () => {
  const records = stored.map(({ beginning, rest, digest }, image) => {
    return { image, record: Buffer.concat([beginning, rest]), digest };
  });
  for (const query of queries) {
    const expected = finished(partition.verify(query, [0, 1, 2], { explain: true }));
    assert.deepEqual(finished(comparison.verify(query, records, { explain: true })), expected);
    assert.ok(expected.verdicts.length > 0);
  }
});

test('a query that is compared has the terms of its own', () => {
  const [, rotatedQuery] = queries;
  const [first] = finished(comparison.terms(queries[0]));
  finished(comparison.terms(rotatedQuery));
  assert.deepEqual(finished(comparison.terms(queries[0]))[0], first);
  assert.notDeepEqual(finished(comparison.terms(rotatedQuery))[0], first);
});
