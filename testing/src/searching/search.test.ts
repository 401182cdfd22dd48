import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { SynchronousPartition, BoxMatch, Candidates, Verdict } from '@sosia/engine';
import { search } from './search.ts';

const images = Uint32Array.from({ length: 70 }, (_, image) => image).filter((image) => image !== 3);
const candidates: Candidates = { copies: Uint32Array.of(3), images, votes: images };
const last: Candidates = { copies: new Uint32Array(), images: images.subarray(-10), votes: images.subarray(-10) };

test('the shortlist is what is verified at first: exact copies, then most votes', async () => {
  const { shortlist } = await search(listing(candidates, []), new Uint8Array());
  assert.equal(shortlist.length, 50);
  assert.deepEqual(shortlist.slice(0, 4), [3, 69, 68, 67]);
});

const side = { resizedDimensions: [1, 1], matchingBox: { topLeftPoint: [0, 0], bottomRightPoint: [1, 1] } } as const;
const match: BoxMatch = {
  category: 'LOCALMATCHING',
  query: side,
  reference: side,
  distance: 0,
  homography: { source: 'reference', destination: 'query', coefficients: [1, 0, 0, 0, 1, 0, 0, 0, 1] },
  decision: 'Match',
  relation: 'part',
  false_match_probability: 0.1,
};

test('hits come best first, equal scores by number, with their result_info', async () => {
  const verdict = (image: number, score: number): Verdict => ({ image, score, resultInfo: match });
  const partition = listing(last, [verdict(66, 0.2), verdict(65, 0.2), verdict(69, 0.1)]);
  const { hits } = await search(partition, new Uint8Array());
  assert.deepEqual(
    hits.map(({ image, info }) => [image, info.decision]),
    [
      [69, 'Match'],
      [65, 'Match'],
      [66, 'Match'],
    ],
  );
});

/** A partition that lists these and finds those. */
function listing(
  candidates: Candidates,
  verdicts: readonly Verdict[],
): Pick<SynchronousPartition, 'candidates' | 'votes' | 'verify' | 'count'> {
  return {
    count: candidates.copies.length + candidates.images.length,
    votes: () => undefined,
    candidates: () => candidates,
    verify: (_, images) => ({ verdicts: verdicts.filter(({ image }) => images.includes(image)), effort: 0 }),
  };
}
