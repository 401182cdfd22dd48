import type { Cut, Explanation, ImageNumber, Ranking } from '@sosia/engine';
import type { Comparable } from './candidate-source.ts';
import { checkScore, type Found, type Window } from './found.ts';
import type { SearchRequest } from './two-phase.ts';

/** Pictures beyond the window that are ranked, for those that are deleted while the search runs. */
const SPARE_PICTURES = 8;

/** Where an exhaustive search finds its pictures, in any number of parts. */
export interface RankingSource extends Comparable {
  /** The best of each part. */
  rank(cut: Cut): Promise<readonly Ranking[]>;
}

/**
 * The search of types in which every picture has a score. Each part ranks all its pictures and sends the best of them in two arrays;
 * only the pictures of the window are then described in full.
 */
export async function exhaustiveSearch(
  source: RankingSource,
  { window, explain = false, first }: Omit<SearchRequest, 'time'>,
): Promise<Found> {
  const cut = { below: window.below, most: window.start + window.count + SPARE_PICTURES };
  const rankings = await source.rank(cut);
  const itself = first === undefined ? [] : (await source.verify([first], {})).verdicts;
  const ahead = itself.filter(({ image, score }) => score < window.below && source.exists(image));
  const { images, deleted } = merged(rankings, source, window, new Set(ahead.map(({ image }) => image)));
  const { verdicts, explanations = [] } = await source.verify(images, { explain });
  const byImage = new Map(verdicts.map((verdict) => [verdict.image, verdict]));
  const explained = new Map(explanations.map((each): [ImageNumber, Explanation] => [each.image, each.explanation]));
  return {
    found: rankings.reduce((sum, { found }) => sum + found, -deleted),
    hits: images.flatMap((image) => {
      const verdict = byImage.get(image);
      const explanation = explained.get(image);
      return verdict ? [{ ...verdict, ...(explanation && { explanation }) }] : [];
    }),
  };
}

/**
 * The pictures of the window, and how many deleted ones come before its end. Ties are sorted only inside the window.
 * @param ahead  the pictures before all others
 */
function merged(rankings: readonly Ranking[], source: Comparable, window: Window, ahead: ReadonlySet<ImageNumber>) {
  const next = rankings.map(() => 0);
  const images = [...ahead].slice(window.start, window.start + window.count);
  const start = Math.max(0, window.start - ahead.size);
  let [deleted, before] = [0, 0];
  while (images.length < window.count) {
    const score = Math.min(...rankings.map(({ scores }, i) => scores[next[i]!] ?? Infinity));
    if (score === Infinity) break;
    const tied: ImageNumber[] = [];
    rankings.forEach(({ images, scores }, i) => {
      for (; scores[next[i]!] === score; next[i]!++) tied.push(images[next[i]!]!);
    });
    checkScore(tied[0]!, score);
    const existing = tied.filter((image) => source.exists(image));
    deleted += tied.length - existing.length;
    const present = existing.filter((image) => !ahead.has(image));
    const skipped = Math.min(present.length, Math.max(0, start - before));
    before += present.length;
    if (skipped === present.length) continue;
    present.sort((a, b) => source.compare(a, b));
    images.push(...present.slice(skipped, skipped + window.count - images.length));
  }
  return { images, deleted };
}
