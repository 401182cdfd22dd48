import assert from 'node:assert/strict';
import { test } from 'node:test';
import { continues } from '@sosia/server/search/near-duplicates';
import { randomFor } from '@sosia/testing/pictures/random';
import { partitionOf } from '@sosia/testing/searching/partition';
import { unlikeAllOthers } from './unlike.ts';

test('a picture matches no other one, and shares too little with any to be a near-duplicate', async () => {
  const random = randomFor('unlike');
  const dnas: Uint8Array[] = [];
  while (dnas.length < 150) dnas.push(await unlikeAllOthers(random));
  const partition = partitionOf('media-matching', dnas);
  const images = dnas.map((_, image) => image);
  for (const image of images) {
    const matches = partition.verify(dnas[image]!, images).verdicts.map((verdict) => verdict.image);
    assert.deepEqual(matches, [image]);
    const votes = partition.votes(dnas[image]!, images)!;
    const others = images.filter((other) => other !== image).map((other) => ({ image: other, votes: votes[other]! }));
    others.sort((a, b) => b.votes - a.votes);
    assert.ok(
      !continues(others, 0),
      `picture ${image} shares ${others[0]!.votes} votes with picture ${others[0]!.image}`,
    );
  }
});
