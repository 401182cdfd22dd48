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

export interface Question {
  readonly application: number;
  readonly query: Uint8Array;
  /** The pictures to look among, one list a share, each ascending; null for all. */
  readonly only: readonly Uint32Array[] | null;
  /** Total order of pictures of equal worth. */
  compare(a: ImageNumber, b: ImageNumber): number;
  readonly options: QueryOptions;
}

/**
 * All matches over all shares, best first. The shares' candidates are merged into one order before anything is cut, so
 * that the answer does not depend on how the pictures are spread. They are verified from the top, `BATCH` at a time, as
 * long as at least half of a batch matches: a query with few doubles stops early, one with hundreds finds them.
 *
 * @param ownerOf  the share that holds a picture
 */
export async function rank(
  shares: readonly Searchable[],
  ownerOf: (image: ImageNumber) => number,
  { application, query, only, compare, options }: Question,
): Promise<Hit[]> {
  const lists = await Promise.all(
    shares.map((share, i) => share.candidates(application, query, only && only[i]!, MOST, options)),
  );
  const byPromise = (a: Candidate, b: Candidate) => b.votes - a.votes || compare(a.image, b.image);
  const candidates = lists.flat();
  const copies = candidates.filter(({ exact }) => exact).map(({ image }) => image);
  const others = candidates
    .filter(({ exact }) => !exact)
    .sort(byPromise)
    .slice(0, MOST)
    .map(({ image }) => image);

  async function verify(images: readonly ImageNumber[]): Promise<readonly Verdict[]> {
    const verdicts = await Promise.all(
      shares.map((share, i) => {
        const held = images.filter((image) => ownerOf(image) === i);
        return held.length > 0 ? share.verify(application, query, held, options) : [];
      }),
    );
    return verdicts.flat();
  }

  const hits: Hit[] = [];
  for (const copy of copies) {
    const [verdict] = await verify([copy]);
    if (!verdict) continue; // removed a moment ago
    // copies hold the same DNA, and a verdict depends on nothing else: one speaks for all
    hits.push(...copies.map((image) => ({ ...verdict, image })));
    break;
  }

  for (let start = 0; start < others.length; start += BATCH) {
    const batch = others.slice(start, start + BATCH);
    const verdicts = await verify(batch);
    hits.push(...verdicts);
    if (2 * verdicts.length < batch.length) break;
  }

  for (const { image, score } of hits) {
    if (!(score >= 0 && score < 1)) throw new Error(`picture ${image}: expected a score in [0, 1), got ${score}`);
  }
  return hits.sort((a, b) => a.score - b.score || compare(a.image, b.image));
}
