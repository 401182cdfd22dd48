import { type ImageNumber, markSameDesigns, rejectWeaker, withMontages } from '@sosia/engine';
import type { CandidateSource, Comparable } from './candidate-source.ts';
import { checkScore, type Found, type Hit, type Window } from './found.ts';
import { behind, type Shortlist, shortlist, wider } from './shortlist.ts';
import { type Outcome, Verification } from './verification.ts';

export interface SearchRequest {
  readonly window: Window;
  /** Whether hits carry their explanations. */
  readonly explain?: boolean;
  /** The picture that is the query: where it matches, it comes before all others, whatever its score. */
  readonly first?: ImageNumber | undefined;
  /** Measures the work of a phase. */
  readonly time?: <T>(phase: 'candidates' | 'verify', work: () => Promise<T>) => Promise<T>;
}

/**
 * The search of types whose pictures have parts in common: candidates by terms, then votes, then verification.
 *
 * - Where nothing matches, the votes of more candidates are counted.
 * - Where all of the shortlist was compared, the candidates behind it are compared in their order.
 */
export async function twoPhaseSearch(source: CandidateSource, request: SearchRequest): Promise<Found> {
  const { window, explain = false, time = untimed } = request;
  const verification = new Verification(source, explain);
  const listed = await time('candidates', () => shortlist(source));
  const first = await time('verify', () => compared(listed));
  const nothing = first.copies.length === 0 && first.matches.length === 0;
  const more = nothing ? await time('candidates', () => wider(source, listed)) : undefined;
  if (more) return answer(await time('verify', () => compared(more)));
  if (nothing || !first.toTheEnd || first.beyond || listed.others.length < listed.counted.size) return answer(first);
  const rest = await time('candidates', () => behind(source, listed));
  if (rest.length === 0) return answer(first);
  const others = [...listed.others, ...rest.map((image) => ({ image, votes: 0 }))];
  return answer(await time('verify', () => compared({ ...listed, others }, async () => [])));

  async function compared(list: Shortlist, further: () => Promise<ImageNumber[]> = () => behind(source, list)) {
    const [copies, outcome] = await Promise.all([
      verification.copies(list.copies),
      verification.others(list.others, further),
    ]);
    return { copies, ...outcome };
  }

  function answer({ copies, matches, truncated }: Outcome & { readonly copies: readonly Hit[] }): Found {
    const present = [...copies, ...matches].filter(({ image }) => source.exists(image));
    const compared = withMontages(markSameDesigns(rejectWeaker(present)));
    const ordered = inOrder(compared, source, request.first).filter(({ score }) => score < window.below);
    const page = { found: ordered.length, hits: ordered.slice(window.start, window.start + window.count) };
    return truncated ? { ...page, truncated } : page;
  }
}

/** The first, then best score first; equal ones in the total order. */
function inOrder(hits: Hit[], order: Comparable, first: ImageNumber | undefined): Hit[] {
  const group = ({ image }: Hit): number => Number(image !== first);
  for (const { image, score } of hits) checkScore(image, score);
  return hits.sort((a, b) => group(a) - group(b) || a.score - b.score || order.compare(a.image, b.image));
}

const untimed = <T>(_: string, work: () => Promise<T>): Promise<T> => work();
