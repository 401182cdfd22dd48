import type { QueryColor } from '@sosia/contract';
import type { Color } from '@sosia/engine';

/** The minimum share of a colour without one, in per cent. */
const DEFAULT_SHARE_PERCENT = 5;

/**
 * Divides the rest of the shares equally among the colours without one. A repeated colour counts once, with the larger
 * share. Shares that sum to more than the whole are scaled down.
 */
export function shared(colors: readonly QueryColor[]): Color[] {
  const assigned = colors.reduce((sum, { share }) => sum + (share ?? 0), 0);
  const open = colors.filter(({ share }) => share === null).length;
  const rest = Math.max(DEFAULT_SHARE_PERCENT, Math.floor((100 - assigned) / Math.max(1, open)));
  const shares = new Map<number, number>();
  for (const { rgb, share } of colors) shares.set(rgb, Math.max(share ?? rest, shares.get(rgb) ?? 0));
  const sum = [...shares.values()].reduce((total, share) => total + share, 0);
  const scaled = (share: number): number => Math.max(Math.sign(share), Math.round((100 * share) / Math.max(100, sum)));
  return Array.from(shares, ([rgb, share]) => ({ rgb, share: scaled(share) }));
}

/** `rrggbb` */
export function hexOf(rgb: number): string {
  return rgb.toString(16).padStart(6, '0');
}

/** `rrggbb@percentage`, the largest first. */
export function wireColors(colors: readonly Color[]): string[] {
  return colors.map(({ rgb, share }) => `${hexOf(rgb)}@${share}`);
}
