import type { Overlap } from '../overlap/overlap.ts';
import type { Placement } from './match-pair.ts';

/** Least support of a print and of a logo beside what chance gives: one, and the support of the same map displaced. */
const MIN_SUPPORT_BEYOND_CHANCE = { middle: 4, logo: 1.5 };
/** The same where little but outlines agrees. */
const MIN_SUPPORT_OF_OUTLINES = 10;
/** The most that agrees or contradicts of an overlap of outlines, that contradicts, and that follows one tone, as pixels of a copy do. */
const OUTLINES = { textured: 0.45, contradicting: 0.05, toned: 0.7 };

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
  return chance.support < MIN_SUPPORT_OF_OUTLINES * (1 + chance.displaced);
}
