import type { Overlap } from '../overlap/overlap.ts';
import type { Placement } from './match-pair.ts';

/** Least support of a print and of a logo beside what chance gives: one, and the support of the same map displaced. */
const MIN_SUPPORT_BEYOND_CHANCE = { middle: 4, logo: 1.5 };
/** The same where little but outlines agrees. */
const MIN_SUPPORT_OF_OUTLINES = 10;
/** The most that agrees or contradicts of an overlap of outlines, that contradicts, and that follows one tone, as pixels of a copy do. */
const OUTLINES = { textured: 0.45, contradicting: 0.05, toned: 0.7 };

/**
 * Whether a reference has more in common with the query than chance gives. Smooth things on plain ground have outlines in common,
 * which agree with a displaced map, too. See docs/experiments/2026-11-25-against-chance.md.
 * @param overlap  of the miniatures, where that is known
 */
export function isBeyondChance(
  { chance }: Pick<Placement, 'chance'>,
  shows: keyof typeof MIN_SUPPORT_BEYOND_CHANCE,
  overlap?: Pick<Overlap, 'toned' | 'contradiction'>,
): boolean {
  if (!chance) return true;
  const least = overlap && hasOutlinesOnly(overlap) ? MIN_SUPPORT_OF_OUTLINES : MIN_SUPPORT_BEYOND_CHANCE[shows];
  return chance.support >= least * (1 + chance.displaced);
}

function hasOutlinesOnly({ toned, contradiction }: Pick<Overlap, 'toned' | 'contradiction'>): boolean {
  if (!contradiction || toned >= OUTLINES.toned) return false;
  const { agreeing, contradicting } = contradiction;
  return contradicting <= OUTLINES.contradicting && agreeing + contradicting < OUTLINES.textured;
}
