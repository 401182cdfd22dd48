import type { ImageNumber, Ranking } from '@sosia/engine';
import { checkScore, type Found, type Search, type ShardsFor } from './search.ts';
import { verify } from './verify.ts';

/** More than the page holds, for pictures that are deleted while the search runs. */
const SPARE = 8;

/**
 * The search of an exhaustive type. Each shard ranks all its pictures and sends the best of them in two arrays; only the
 * pictures of the page are then described in full.
 */
export async function exhaustiveSearch(shards: ShardsFor<'rank' | 'verify'>, search: Search): Promise<Found> {
  const { application, query, only, options, window } = search;
  const cut = { below: window.below, most: window.start + window.count + SPARE };
  const rankings = await Promise.all(shards.map((shard) => shard.rank(application, query, only, cut, options)));
  const { images, deleted } = merged(rankings, search);
  const verdicts = new Map((await verify(shards, search, images)).verdicts.map((verdict) => [verdict.image, verdict]));
  return {
    found: rankings.reduce((sum, { found }) => sum + found, -deleted),
    hits: images.flatMap((image) => verdicts.get(image) ?? []),
  };
}

/** The pictures of the window, and how many deleted ones come before its end. Ties are sorted only inside the window. */
function merged(rankings: readonly Ranking[], { compare, exists, window }: Search) {
  const places = rankings.map(() => 0);
  const images: ImageNumber[] = [];
  let [deleted, before] = [0, 0];
  while (images.length < window.count) {
    const score = Math.min(...rankings.map(({ scores }, i) => scores[places[i]!] ?? Infinity));
    if (score === Infinity) break;
    const tied: ImageNumber[] = [];
    rankings.forEach(({ images, scores }, i) => {
      for (; scores[places[i]!] === score; places[i]!++) tied.push(images[places[i]!]!);
    });
    checkScore(tied[0]!, score);
    const present = tied.filter(exists);
    deleted += tied.length - present.length;
    const skipped = Math.min(present.length, Math.max(0, window.start - before));
    before += present.length;
    if (skipped === present.length) continue;
    present.sort(compare);
    images.push(...present.slice(skipped, skipped + window.count - images.length));
  }
  return { images, deleted };
}
