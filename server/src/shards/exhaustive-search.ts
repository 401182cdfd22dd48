import type { ImageNumber, Ranking, Verdict } from '@sosia/engine';
import type { Found, Hit } from './shards.ts';
import type { Question } from './rerank.ts';
import type { Shard } from './shard.ts';
import type { Remote } from './shard-thread.ts';

/** More than the page holds, for pictures that are deleted while the search is under way. */
const SPARE = 8;

/**
 * The search of an exhaustive recipe. Every shard ranks all its pictures and sends the best of them in two arrays; only
 * what is on the page is told in full.
 */
export async function ranked(
  shards: readonly Pick<Remote<Shard>, 'rank' | 'verify'>[],
  question: Question,
): Promise<Found> {
  const { application, query, only, options, window } = question;
  const cut = { below: window.below, most: window.start + window.count + SPARE };
  const rankings = await Promise.all(
    shards.map((shard, i) => shard.rank(application, query, only && only[i]!, cut, options)),
  );
  const { images, gone } = merged(rankings, question);
  const verified = await Promise.all(
    shards.map((shard) => images.length > 0 && shard.verify(application, query, images, options)),
  );
  return {
    found: rankings.reduce((sum, { found }) => sum + found, -gone),
    hits: inTurn(
      images,
      verified.flatMap((part) => (part ? part.verdicts : [])),
    ),
  };
}

/** The pictures of the window, and how many before its end are there no more. Ties are sorted only where they are shown. */
function merged(rankings: readonly Ranking[], { compare, here, window }: Question) {
  const places = rankings.map(() => 0);
  const images: ImageNumber[] = [];
  let [gone, before] = [0, 0];
  while (images.length < window.count) {
    const score = Math.min(...rankings.map(({ scores }, i) => scores[places[i]!] ?? Infinity));
    if (score === Infinity) break;
    if (!(score >= 0 && score < 1)) throw new Error(`expected a score in [0, 1), got ${score}`);
    const tied: ImageNumber[] = [];
    rankings.forEach(({ images, scores }, i) => {
      for (; scores[places[i]!] === score; places[i]!++) tied.push(images[places[i]!]!);
    });
    const present = tied.filter(here);
    gone += tied.length - present.length;
    const skipped = Math.min(present.length, Math.max(0, window.start - before));
    before += present.length;
    if (skipped === present.length) continue;
    present.sort(compare);
    images.push(...present.slice(skipped, skipped + window.count - images.length));
  }
  return { images, gone };
}

function inTurn(images: readonly ImageNumber[], verdicts: readonly Verdict[]): Hit[] {
  const told = new Map(verdicts.map((verdict) => [verdict.image, verdict]));
  return images.flatMap((image) => told.get(image) ?? []);
}
