import type { Overlap } from '../overlap/overlap.ts';
import type { Chance } from '../verify/alignment.ts';
import type { Placement } from './match-pair.ts';
import { closeShare } from './shows-middle.ts';

/** Least support of a print and of a logo beside what chance gives: one, and the support of the same map displaced. */
const MIN_SUPPORT_BEYOND_CHANCE = { middle: 4, logo: 1.5 };
/** The same where little but outlines agrees. */
const MIN_SUPPORT_OF_OUTLINES = 10;
/** The most that agrees or contradicts of an overlap of outlines, that contradicts, and that follows one tone, as pixels of a copy do. */
const OUTLINES = { textured: 0.45, contradicting: 0.05, toned: 0.7 };

/** From which share on what agrees is a silhouette, and the most that follows one tone and that agrees closely, as in a copy of a plain picture. */
const SILHOUETTE = { share: 0.45, toned: { middle: 0.8, logo: 0.65 }, close: 0.5 };

type Judged = Pick<Placement, 'chance'>;

/**
 * Whether a reference has more in common with the query than chance gives. Smooth things on plain ground have outlines in common,
 * which agree with a displaced map, too. See docs/experiments/2026-11-25-against-chance.md.
 */
export function isBeyondChance({ chance }: Judged, shows: keyof typeof MIN_SUPPORT_BEYOND_CHANCE): boolean {
  return !chance || chance.support >= MIN_SUPPORT_BEYOND_CHANCE[shows] * (1 + chance.displaced);
}

/** Whether little but outlines agrees, with less support than outlines need. @param overlap  of the miniatures, where that is known */
export function sharesOutlines({ chance }: Judged, overlap?: Pick<Overlap, 'toned' | 'contradiction'>): boolean {
  if (!chance || !overlap?.contradiction || overlap.toned >= OUTLINES.toned) return false;
  const { agreeing, contradicting } = overlap.contradiction;
  if (contradicting > OUTLINES.contradicting || agreeing + contradicting >= OUTLINES.textured) return false;
  return !isMuch(chance);
}

/**
 * Whether two things on plain ground have little but their outlines in common. See docs/experiments/2026-11-26-silhouettes.md.
 * @param share    of what agrees that lies beside the ground of both, see `silhouetteShare`
 * @param overlap  of the miniatures, where that is known
 */
export function sharesSilhouette(
  { chance, agreements }: Judged & Pick<Placement, 'agreements'>,
  shows: keyof typeof SILHOUETTE.toned,
  share: number,
  overlap?: Pick<Overlap, 'toned'>,
): boolean {
  if (!chance || isMuch(chance) || share <= SILHOUETTE.share) return false;
  return (overlap?.toned ?? 1) < SILHOUETTE.toned[shows] && closeShare(agreements) < SILHOUETTE.close;
}

function isMuch({ support, displaced }: Chance): boolean {
  return support >= MIN_SUPPORT_OF_OUTLINES * (1 + displaced);
}
