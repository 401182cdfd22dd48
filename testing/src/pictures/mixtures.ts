import { between, normal, oneOf, randomFor, shuffled, type Random } from './random.ts';
import type { Raster } from './raster.ts';
import { cielabOf, deltaE } from './cielab.ts';

/** A drawn picture, and the colours it was drawn with. */
export interface Mixture {
  readonly picture: Raster;
  /** 0xrrggbb, and the share of the pixels, in per cent. */
  readonly colors: readonly { readonly rgb: number; readonly share: number }[];
}

/** What was done to the picture after it was drawn. */
export interface Trouble {
  readonly name: string;
  /** Deviation of the noise on every channel of every pixel. */
  readonly noise: number;
  /** By how much one side of the picture is lighter than the other, in steps of a channel. */
  readonly gradient: number;
  /** Quality of the JPEG; null for none. */
  readonly jpeg: number | null;
}

const SIDE = 240;
/** Colours of one picture are this far apart at least. */
const APART = 25;
const LEAST_SHARE = 5;

/** Two to seven colours in shares of 5 per cent and more, in stripes, blocks or spots. */
export function mixture(number: number, { noise, gradient }: Trouble): Mixture {
  const random = randomFor('mixture', number);
  const colors = someColors(random, 2 + (number % 6));
  const areas = oneOf(random, [stripes, blocks, spots])(random, sharesOf(random, colors.length));
  const rgb = Buffer.alloc(3 * SIDE * SIDE);
  const counts = colors.map(() => 0);
  areas.forEach((area, i) => {
    counts[area]!++;
    const light = gradient * ((i % SIDE) / SIDE - 0.5);
    for (let k = 0; k < 3; k++) {
      const channel = (colors[area]! >> (16 - 8 * k)) & 255;
      rgb[3 * i + k] = Math.max(0, Math.min(255, Math.round(channel + light + noise * normal(random))));
    }
  });
  const shares = counts.map((count) => (100 * count) / areas.length);
  return {
    picture: { width: SIDE, height: SIDE, rgb },
    colors: colors.map((rgb, i) => ({ rgb, share: shares[i]! })),
  };
}

function someColors(random: Random, count: number): number[] {
  const chosen: number[] = [];
  while (chosen.length < count) {
    const channel = () => Math.floor(between(random, 12, 244));
    const rgb = (channel() << 16) | (channel() << 8) | channel();
    if (chosen.every((other) => deltaE(cielabOf(rgb), cielabOf(other)) >= APART)) chosen.push(rgb);
  }
  return chosen;
}

/** Shares that sum to 1, none below the least. */
function sharesOf(random: Random, count: number): number[] {
  const parts = Array.from({ length: count }, () => between(random, 0.05, 1));
  const sum = parts.reduce((total, part) => total + part, 0);
  const least = LEAST_SHARE / 100;
  return parts.map((part) => least + (part / sum) * (1 - count * least));
}

/** The area of each pixel: the picture is cut from left to right. */
function stripes(_: Random, shares: readonly number[]): number[] {
  return Array.from({ length: SIDE * SIDE }, (_, i) => placeOf(((i % SIDE) + 0.5) / SIDE, shares));
}

/** Squares of ten pixels. */
function blocks(random: Random, shares: readonly number[]): number[] {
  const count = (SIDE / 10) * (SIDE / 10);
  const areas = shuffled(
    random,
    Array.from({ length: count }, (_, i) => placeOf((i + 0.5) / count, shares)),
  );
  return Array.from({ length: SIDE * SIDE }, (_, i) => {
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    return areas[Math.floor(y / 10) * (SIDE / 10) + Math.floor(x / 10)]!;
  });
}

/** The places nearest to each of sixty points. */
function spots(random: Random, shares: readonly number[]): number[] {
  const points = Array.from({ length: 60 }, (_, i) => {
    return { x: random() * SIDE, y: random() * SIDE, area: placeOf((i + 0.5) / 60, shares) };
  });
  return Array.from({ length: SIDE * SIDE }, (_, i) => {
    const distance = ({ x, y }: { x: number; y: number }): number =>
      Math.hypot(x - (i % SIDE), y - Math.floor(i / SIDE));
    return points.reduce((best, point) => (distance(point) < distance(best) ? point : best)).area;
  });
}

function placeOf(part: number, shares: readonly number[]): number {
  let sum = 0;
  const place = shares.findIndex((share) => (sum += share) > part);
  return place < 0 ? shares.length - 1 : place;
}
