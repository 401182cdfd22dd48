import { distance, type Lab, oklab } from '../features/oklab.ts';
import type { Color } from '../features/palette.ts';

/** A colour by its place in OKLab, and a share; the unit is up to the caller, the same on both sides. */
export interface Amount {
  readonly lab: Lab;
  readonly share: number;
}

export function amountsOf(colors: readonly Color[]): Amount[] {
  return colors.map(({ rgb, share }) => ({ lab: oklab(rgb >> 16, (rgb >> 8) & 255, rgb & 255), share }));
}

/** Distance at which a colour counts half, and from which on it counts nothing. */
const HALF = 0.08;
const NONE = 0.2;

/** How far a colour counts as another: 1 for the same, falling slowly at first. */
export function likeness(p: Lab, q: Lab): number {
  const d = distance(p, q);
  if (d >= NONE) return 0;
  const x = (d * d) / (HALF * HALF);
  return 1 / (1 + x * x);
}

/**
 * How much the held colours miss the asked ones: 1 - common / all, where `common` is what can be shared out between the two
 * sides, nearest pairs first and counted by likeness, and `all` is what was asked for and what is held of these colours
 * beyond that. Held colours that nobody asked for do no harm.
 *
 * @returns 0 when every asked colour is there in its share, 1 when none is there at all
 */
export function colorDistance(asked: readonly Amount[], held: readonly Amount[]): number {
  const pairs = asked
    .flatMap((one, i) => held.map((other, j) => ({ i, j, alike: likeness(one.lab, other.lab) })))
    .filter(({ alike }) => alike > 0)
    .sort((a, b) => b.alike - a.alike || a.i - b.i || a.j - b.j);
  const wanted = asked.map(({ share }) => share);
  const left = held.map(({ share }) => share);
  let missing = 0;
  for (const { i, j, alike } of pairs) {
    const flow = Math.min(wanted[i], left[j]);
    wanted[i] -= flow;
    left[j] -= flow;
    missing += flow * (1 - alike);
  }
  missing += wanted.reduce((sum, share) => sum + share, 0);
  const excess = new Float64Array(held.length);
  for (const { j, alike } of pairs) excess[j] = Math.max(excess[j], alike * left[j]);
  const beyond = excess.reduce((sum, share) => sum + share, 0);
  const all = asked.reduce((sum, { share }) => sum + share, 0) + beyond;
  return all > 0 ? (missing + beyond) / all : 0;
}
