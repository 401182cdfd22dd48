import type { Candidate, ImageNumber, QueryOptions, Verified } from '@sosia/engine';
import type { Found, Hit } from './shards.ts';
import type { Shard } from './shard.ts';
import type { Remote } from './shard-thread.ts';

/** Pictures verified at once. */
export const BATCH = 50;
/** Pictures verified at most, exact copies not counted. */
export const MOST = 1000;

/**
 * Work that the verifications of one search may take, see `Effort` in the engine. Searches of the benches need a thirtieth of
 * it at most, a search that finds 1,000 near-duplicates two thirds. After the batch that exceeds it no further one is
 * compared.
 */
export const MOST_WORK = 300_000_000;

/** What a search needs of a shard. */
export type Searchable = Pick<Remote<Shard>, 'candidates' | 'verify'>;

/** The shards of an application's pictures, and which of them holds a picture. */
export interface Spread {
  readonly shards: readonly Searchable[];
  ownerOf(image: ImageNumber): number;
}

export interface Question {
  readonly application: number;
  readonly query: Uint8Array;
  /** The pictures to look among, one list a shard, each ascending; null for all. */
  readonly only: readonly Uint32Array[] | null;
  /** Total order of pictures of equal worth. */
  compare(a: ImageNumber, b: ImageNumber): number;
  /** Whether a picture is still there once the answer comes. */
  here(image: ImageNumber): boolean;
  readonly window: Window;
  readonly options: QueryOptions;
}

/** The part of the ordered list of all matches that is wanted. */
export interface Window {
  /** In (0, 1]: matches of this score or a higher one are no part of the list. */
  readonly below: number;
  readonly start: number;
  readonly count: number;
}

/** The first half of a search in two phases. */
export interface Promising {
  /** Pictures whose DNA is the query's own. */
  readonly copies: readonly ImageNumber[];
  /** The `MOST` others that promise most, best first. */
  readonly others: readonly ImageNumber[];
}

/** Merges the shards' candidates into one order before anything is cut, so that it does not matter how they are spread. */
export async function promising({ shards }: Spread, question: Question): Promise<Promising> {
  const { application, query, only, compare, options } = question;
  const lists = await Promise.all(
    shards.map((shard, i) => shard.candidates(application, query, only && only[i]!, MOST, options)),
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
 * The second half: the matches, best first. The others are verified from the top, `BATCH` at a time, as long as at least
 * half of a batch matches: a query with few doubles stops early, one with hundreds finds them.
 */
export async function verified(spread: Spread, question: Question, { copies, others }: Promising): Promise<Found> {
  const [same, [alike, truncated]] = await Promise.all([verifyCopies(), verifyOthers()]);
  const { below, start, count } = question.window;
  const ordered = inOrder([...same, ...alike], question).filter(
    ({ image, score }) => score < below && question.here(image),
  );
  const page = { found: ordered.length, hits: ordered.slice(start, start + count) };
  return truncated ? { ...page, truncated } : page;

  /** Copies hold the same DNA, and a verdict depends on nothing else: one speaks for all. */
  async function verifyCopies(): Promise<Hit[]> {
    for (const copy of copies) {
      const [verdict] = (await verify(spread, question, [copy])).verdicts;
      if (verdict) return copies.map((image) => ({ ...verdict, image }));
      // removed a moment ago
    }
    return [];
  }

  async function verifyOthers(): Promise<[Hit[], truncated: boolean]> {
    const matches: Hit[] = [];
    let work = 0;
    for (let start = 0; start < others.length; start += BATCH) {
      if (work > MOST_WORK) return [matches, true];
      const batch = others.slice(start, start + BATCH);
      const { verdicts, effort } = await verify(spread, question, batch);
      matches.push(...verdicts);
      work += effort;
      if (2 * verdicts.length < batch.length) break;
    }
    return [matches, false];
  }
}

/** Each shard compares what it holds. */
async function verify(
  { shards, ownerOf }: Spread,
  question: Question,
  images: readonly ImageNumber[],
): Promise<Verified> {
  const { application, query, options } = question;
  const parts = await Promise.all(
    shards.map((shard, i): Promise<Verified> | Verified => {
      const held = images.filter((image) => ownerOf(image) === i);
      return held.length > 0 ? shard.verify(application, query, held, options) : { verdicts: [], effort: 0 };
    }),
  );
  return {
    verdicts: parts.flatMap(({ verdicts }) => verdicts),
    effort: parts.reduce((sum, { effort }) => sum + effort, 0),
  };
}

/** Best score first; equal ones by the total order of the question. */
function inOrder(hits: Hit[], { compare }: Question): Hit[] {
  for (const { image, score } of hits) {
    if (!(score >= 0 && score < 1)) throw new Error(`picture ${image}: expected a score in [0, 1), got ${score}`);
  }
  return hits.sort((a, b) => a.score - b.score || compare(a.image, b.image));
}
