import type { Lab } from './oklab.ts';

/** Width of the rim by which a plain background is recognised, in pixels of the grid. */
const RIM_PIXELS = 2;
/** So much of the rim must be of nearly one colour. */
const MIN_RIM_SHARE = 0.75;
/** How far that colour reaches, in OKLab with light counted less: a background has shadows. */
const MAX_COLOUR_DISTANCE = 0.06;
const LIGHTNESS_WEIGHT = 0.6;
/** A foreground that fills less of the picture is none: then the picture is what it seems. */
const MIN_FOREGROUND_SHARE = 0.02;

/**
 * The plain background of a studio: what is of the colour of the rim and hangs together with it, with the pixels next to
 * it, in which both sides are mixed. White inside an object on white is no background.
 *
 * @param pixels  a square grid, row by row
 * @returns 1 for each pixel of the background; null where there is no plain background
 */
export function background(pixels: readonly Lab[]): Uint8Array | null {
  const side = Math.sqrt(pixels.length);
  const rim = [...pixels.keys()].filter((at) => {
    const [x, y] = [at % side, Math.floor(at / side)];
    return Math.min(x, y, side - 1 - x, side - 1 - y) < RIM_PIXELS;
  });
  const colour = medianOf(rim.map((at) => pixels[at]));
  const isNear = (at: number): boolean => apart(pixels[at], colour) < MAX_COLOUR_DISTANCE;
  const open = rim.filter(isNear);
  if (open.length < MIN_RIM_SHARE * rim.length) return null;

  const mask = new Uint8Array(pixels.length);
  for (const at of open) mask[at] = 1;
  for (let at = open.pop(); at !== undefined; at = open.pop()) {
    for (const next of around(at, side)) {
      if (mask[next] === 1 || !isNear(next)) continue;
      mask[next] = 1;
      open.push(next);
    }
  }
  const wider = mask.map((inside, at) => (inside || around(at, side).some((next) => mask[next] === 1) ? 1 : 0));
  const left = wider.reduce((sum, inside) => sum + 1 - inside, 0);
  return left >= MIN_FOREGROUND_SHARE * pixels.length ? wider : null;
}

function around(at: number, side: number): number[] {
  const x = at % side;
  const near = [at - side, at + side];
  if (x > 0) near.push(at - 1);
  if (x < side - 1) near.push(at + 1);
  return near.filter((next) => next >= 0 && next < side * side);
}

function medianOf(colours: readonly Lab[]): Lab {
  const middle = (k: number): number => colours.map((lab) => lab[k]).sort((a, b) => a - b)[colours.length >> 1];
  return [middle(0), middle(1), middle(2)];
}

function apart(p: Lab, q: Lab): number {
  const [L, a, b] = [LIGHTNESS_WEIGHT * (p[0] - q[0]), p[1] - q[1], p[2] - q[2]];
  return Math.sqrt(L * L + a * a + b * b);
}
