import { crc32c } from '@sosia/engine/dna/crc32c';

/** One feature; fine places are in 1/64 pixel. */
interface Forged {
  readonly x: number;
  readonly y: number;
  readonly angle: number;
  readonly level: number;
  readonly code: Uint8Array;
}

const SIDE = 512;
const FINE = 64;
const [HEADER, CODE, KEYPOINT] = [16, 32, 6];

/** A kind of DNA, as docs/dna.md numbers them, with the most features it may have. */
export const kinds = {
  'media-matching': { number: 0, reference: 340, query: 1000 },
  'mobile-matching': { number: 2, reference: 420, query: 1800 },
  'brand-monitoring': { number: 4, reference: 340, query: 2000 },
} as const;

/** How the features of a DNA lie that was made to be dear to compare. */
export const layouts = {
  /** Spread evenly, one direction, one size: everything agrees with everything. */
  grid: (i: number, n: number) => {
    const columns = Math.ceil(Math.sqrt(n));
    const step = (SIDE * FINE) / (columns + 1);
    return { x: Math.floor(step * (1 + (i % columns))), y: Math.floor(step * (1 + Math.floor(i / columns))), angle: 0 };
  },
  /** On a line. */
  line: (i: number, n: number) => ({ x: Math.floor((i * SIDE * FINE) / n), y: 100 * FINE, angle: 0 }),
  /** On one spot, in all directions: nothing agrees, and everything has to be tried. */
  spot: (i: number) => ({ x: 200 * FINE + (i >> 8), y: 200 * FINE, angle: i & 255 }),
  /** Symmetrical to the middle: the mirror image agrees as well. */
  mirror: (i: number, n: number) => {
    const { x, y } = layouts.grid(i >> 1, n / 2);
    return { x: i & 1 ? SIDE * FINE - x : x, y, angle: i & 1 ? 128 : 0 };
  },
};
export type Layout = keyof typeof layouts;

/**
 * A DNA with a right checksum that no picture has: its features are all alike but for `noise` of their 256 bits, so that each of the
 * one is like each of the other.
 * @param seed   DNAs of different seeds differ in one place, so that none is an exact copy
 * @param level  of the pyramid; a feature of a high one is looked for in all of the picture
 */
export function forged(
  type: keyof typeof kinds,
  side: 'reference' | 'query',
  layout: Layout,
  seed: number,
  { level = 0, noise = 0 } = {},
): Uint8Array {
  const { number, [side]: count } = kinds[type];
  const features = Array.from({ length: count }, (_, i): Forged => {
    const code = new Uint8Array(CODE).fill(0x77);
    for (let k = 0; k < noise; k++) code[(i * 7 + k * 5 + seed) % CODE]! ^= 1 << ((i + k) % 8);
    return { ...layouts[layout](i, count), level, code };
  });
  features[0] = { ...features[0]!, x: features[0]!.x ^ (seed & 63), y: features[0]!.y ^ ((seed >> 6) & 63) };
  const core = side === 'query' ? kinds[type].reference : count;
  return block(number + (side === 'query' ? 1 : 0), sorted(features.slice(0, core)), sorted(features.slice(core)));
}

/** In the order of a DNA, no two at one place. */
function sorted(features: readonly Forged[]): Forged[] {
  const order = (a: Forged, b: Forged) => a.level - b.level || a.y - b.y || a.x - b.x || a.angle - b.angle;
  return features.toSorted(order).filter((feature, i, all) => i === 0 || order(all[i - 1]!, feature) !== 0);
}

function block(kind: number, core: readonly Forged[], rest: readonly Forged[]): Uint8Array {
  const features = [...core, ...rest];
  const n = features.length;
  const bytes = new Uint8Array(HEADER + n * (CODE + KEYPOINT) + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([0xd7, 1, kind]);
  [n, core.length, SIDE, SIDE].forEach((value, i) => view.setUint16(4 + 2 * i, value, true));
  features.forEach(({ x, y, angle, level, code }, i) => {
    bytes.set(code, HEADER + CODE * i);
    const at = HEADER + CODE * n + KEYPOINT * i;
    view.setUint16(at, x, true);
    view.setUint16(at + 2, y, true);
    bytes.set([angle, level + 16], at + 4);
  });
  view.setUint32(bytes.length - 4, crc32c(bytes.subarray(0, -4)), true);
  return bytes;
}
