import type { ImageNumber } from '@sosia/engine';
import { MAX_VERIFIED } from './budget.ts';
import { inOrderOfVotes, mostVoted } from './candidate-source.ts';
import type { CandidateSource, ShortlistDepth, Voted } from './candidate-source.ts';

/** The pictures that the second phase of a search compares with the query. */
export interface Shortlist {
  /** Pictures whose DNA is the query's own. */
  readonly copies: readonly ImageNumber[];
  /** Those of the counted others that have votes: most first, ties in the total order. */
  readonly others: readonly Voted[];
  /** The pictures whose votes were counted. */
  readonly counted: ReadonlySet<ImageNumber>;
  /** Whether the votes of all pictures were counted. */
  readonly complete: boolean;
}

/** The first shortlist of a search. */
export async function shortlist(source: CandidateSource): Promise<Shortlist> {
  const { depth } = source;
  const { copies, others, complete } = await source.candidates(depth.listed);
  const chosen = complete ? others : mostVoted(others, countOf(others, depth), source);
  return { copies, ...(await counted(source, chosen)), complete };
}

/** The shortlist of a second look, where nothing matched; undefined where the source has no more. */
export async function wider(source: CandidateSource, first: Shortlist): Promise<Shortlist | undefined> {
  const { counted: before, countedAfterNothing } = source.depth;
  if (first.complete || countedAfterNothing <= before) return undefined;
  const { others, complete } = await source.candidates(countedAfterNothing);
  const further = await counted(
    source,
    others.filter(({ image }) => !first.counted.has(image)),
  );
  return {
    copies: first.copies,
    others: inOrderOfVotes([...first.others, ...further.others], source),
    counted: new Set([...first.counted, ...further.counted]),
    complete,
  };
}

/** The candidates behind a shortlist, best first by terms, as far as a search verifies any. */
export async function behind(source: CandidateSource, { counted, complete }: Shortlist): Promise<ImageNumber[]> {
  if (complete) return [];
  return (await source.byTerms(MAX_VERIFIED)).filter((image) => !counted.has(image));
}

async function counted(source: CandidateSource, candidates: readonly Voted[]) {
  const votes = candidates.length > 0 ? await source.votes(candidates) : [];
  const others = inOrderOfVotes(
    votes.filter((each) => each.votes > 0),
    source,
  );
  return { others, counted: new Set(candidates.map(({ image }) => image)) };
}

/** How many of the listed candidates have their votes counted. */
function countOf(listed: readonly Voted[], { counted, manyTerms }: ShortlistDepth): number {
  return Math.max(counted, listed.filter(({ votes }) => votes >= manyTerms).length);
}
