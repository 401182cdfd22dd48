import type { Candidate, ImageNumber, QueryOptions, Verdict } from '@sosia/engine';
import type { Hit } from './partitions.ts';
import type { Share } from './share.ts';
import type { Remote } from './thread.ts';

/** Pictures verified at once. */
export const BATCH = 50;
/** Pictures verified at most, exact copies not counted. */
export const MOST = 1000;

/** What a search needs of a share. */
export type Searchable = Pick<Remote<Share>, 'candidates' | 'verify'>;

/** The shares of an application's pictures, and which of them holds a picture. */
export interface Spread {
  readonly shares: readonly Searchable[];
  ownerOf(image: ImageNumber): number;
}

export interface Question {
  readonly application: number;
  readonly query: Uint8Array;
  /** The pictures to look among, one list a share, each ascending; null for all. */
  readonly only: readonly Uint32Array[] | null;
  /** Total order of pictures of equal worth. */
  compare(a: ImageNumber, b: ImageNumber): number;
  readonly options: QueryOptions;
}

/** The search of an exhaustive recipe: every picture has its score at once, and all that match are told. */
export async function ranked(shares: readonly Pick<Remote<Share>, 'rank'>[], question: Question): Promise<Hit[]> {
  const { application, query, only, options } = question;
  const verdicts = shares.map((share, i) => share.rank(application, query, only && only[i]!, options));
  return inOrder((await Promise.all(verdicts)).flat(), question);
}

/** The first half of a search in two phases. */
export interface Promising {
  /** Pictures whose DNA is the query's own. */
  readonly copies: readonly ImageNumber[];
  /** The `MOST` others that promise most, best first. */
  readonly others: readonly ImageNumber[];
}

/** Merges the shares' candidates into one order before anything is cut, so that it does not matter how they are spread. */
export async function promising({ shares }: Spread, question: Question): Promise<Promising> {
  const { application, query, only, compare, options } = question;
  const lists = await Promise.all(
    shares.map((share, i) => share.candidates(application, query, only && only[i]!, MOST, options)),
  );
  const candidates = lists.flat();
  const byPromise = (a: Candidate, b: Candidate): number => b.votes - a.votes || compare(a.image, b.image);
  return {
    copies: candidates.filter(({ exact }) => exact).map(({ image }) => image),
    others: candidates
      .filter(({ exact }) => !exact)
      .sort(byPromise)
      .slice(0, MOST)
      .map(({ image }) => image),
  };
}

/**
 * The second half: all matches, best first. The others are verified from the top, `BATCH` at a time, as long as at least
 * half of a batch matches: a query with few doubles stops early, one with hundreds finds them. The first batch is on its
 * way when the call returns its promise.
 */
export async function verified(spread: Spread, question: Question, { copies, others }: Promising): Promise<Hit[]> {
  const hits = (await Promise.all([verifyCopies(), verifyOthers()])).flat();
  return inOrder(hits, question);

  /** Copies hold the same DNA, and a verdict depends on nothing else: one speaks for all. */
  async function verifyCopies(): Promise<Hit[]> {
    for (const copy of copies) {
      const [verdict] = await verify(spread, question, [copy]);
      if (verdict) return copies.map((image) => ({ ...verdict, image }));
      // removed a moment ago
    }
    return [];
  }

  async function verifyOthers(): Promise<Hit[]> {
    const matches: Hit[] = [];
    for (let start = 0; start < others.length; start += BATCH) {
      const batch = others.slice(start, start + BATCH);
      const verdicts = await verify(spread, question, batch);
      matches.push(...verdicts);
      if (2 * verdicts.length < batch.length) break;
    }
    return matches;
  }
}

/** Each share compares what it holds. */
async function verify({ shares, ownerOf }: Spread, question: Question, images: readonly ImageNumber[]) {
  const { application, query, options } = question;
  const verdicts = shares.map((share, i): Promise<readonly Verdict[]> | [] => {
    const held = images.filter((image) => ownerOf(image) === i);
    return held.length > 0 ? share.verify(application, query, held, options) : [];
  });
  return (await Promise.all(verdicts)).flat();
}

/** Best score first; equal ones by the total order of the question. */
function inOrder(hits: Hit[], { compare }: Question): Hit[] {
  for (const { image, score } of hits) {
    if (!(score >= 0 && score < 1)) throw new Error(`picture ${image}: expected a score in [0, 1), got ${score}`);
  }
  return hits.sort((a, b) => a.score - b.score || compare(a.image, b.image));
}
