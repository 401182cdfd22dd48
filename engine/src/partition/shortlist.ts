import { best } from './best.ts';
import type { Candidate } from './partition.ts';

/**
 * Places of the `limit` highest of a list of votes and of all further ones that equal the last, highest first, ties by place.
 * @param votes  integers; places with 0 are never listed
 */
export function mostVoted(votes: Float64Array, limit: number): Uint32Array {
  const most = votes.reduce((top, each) => Math.max(top, each), 1);
  // what is missing to the most, as a share of it: integers this small stay apart
  const missing = votes.map((each) => (most - each) / most);
  return best(missing, 1, limit).places;
}

/** The `limit` with most votes, all that tie with the last, and every exact copy besides. */
export function shortlisted(found: readonly Candidate[], limit: number): Candidate[] {
  const votes = Float64Array.from(found, ({ votes, exact }) => (exact ? 0 : votes));
  const listed = Array.from(mostVoted(votes, limit), (place) => found[place]);
  listed.sort((a, b) => b.votes - a.votes || a.image - b.image);
  return [...found.filter(({ exact }) => exact), ...listed];
}
