import type { Candidate, ImageNumber, Partition } from '@sosia/engine';
import type { Homography } from '../pictures/homography.ts';

const SHORTLIST = 50;

/** What the search for one query gave, and what it took. */
export interface Found {
  readonly shortlist: readonly ImageNumber[];
  /** Best first; equal scores in the order of the numbers. */
  readonly hits: readonly Hit[];
  readonly candidatesMs: number;
  readonly verifyMs: number;
}

export interface Hit {
  readonly image: ImageNumber;
  readonly score: number;
  readonly info: ResultInfo;
}

/** The part of result_info (media matching) that is measured. */
export interface ResultInfo {
  readonly decision: 'Clone' | 'Match' | 'Similar' | 'Different';
  readonly query: { readonly resizedDimensions: readonly [number, number] };
  readonly reference: { readonly resizedDimensions: readonly [number, number] };
  readonly homography: { readonly coefficients: Homography };
}

/** The walk of a search through one partition: candidates, the cut, verification, the total order. */
export function search(partition: Partition, query: Uint8Array): Found {
  const start = performance.now();
  const candidates = partition.candidates(query, null, SHORTLIST, {});
  const listed = performance.now();
  const shortlist = cut(candidates);
  const verdicts = partition.verify(query, shortlist, {});
  const verified = performance.now();
  const hits = verdicts
    .map(({ image, score, resultInfo }) => ({ image, score, info: JSON.parse(resultInfo) as ResultInfo }))
    .sort((a, b) => a.score - b.score || a.image - b.image);
  return { shortlist, hits, candidatesMs: listed - start, verifyMs: verified - listed };
}

function cut(candidates: readonly Candidate[]): ImageNumber[] {
  const exact = candidates.filter((candidate) => candidate.exact);
  const promising = candidates.filter((candidate) => !candidate.exact);
  promising.sort((a, b) => b.votes - a.votes || a.image - b.image);
  return [...exact, ...promising.slice(0, SHORTLIST)].map(({ image }) => image);
}
