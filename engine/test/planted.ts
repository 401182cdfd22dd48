import fc from 'fast-check';
import type { Size } from '../src/geometry/frame.ts';
import { compose, type Homography, project } from '../src/geometry/homography.ts';
import { cosines, sine } from '../src/geometry/angle.ts';
import { levelScale } from '../src/local/features/pyramid.ts';
import type { Tentative } from '../src/local/verify/tentative.ts';

/** A stream of numbers in [0, 1) that a seed repeats. */
export function stream(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let t = Math.imul(state ^ (state >>> 15), 1 | state);
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t;
    return ((t ^ (t >>> 14)) >>> 0) / 4294967296;
  };
}

/** One correspondence before it is put among others. */
export interface Pair {
  readonly rx: number;
  readonly ry: number;
  readonly qx: number;
  readonly qy: number;
  readonly distance: number;
  /** In 1/256 of a circle. */
  readonly angle: number;
  readonly rScale: number;
  readonly qScale: number;
}

/** Correspondences the way `tentative` hands them on: most alike first. */
export function tentativeOf(pairs: readonly Pair[]): Tentative {
  const sorted = pairs.toSorted((a, b) => a.distance - b.distance);
  const numbers = (name: keyof Pair): Float64Array => Float64Array.from(sorted, (pair) => pair[name]);
  return {
    count: pairs.length,
    feature: Uint16Array.from(sorted, (_, i) => i),
    distance: Uint8Array.from(sorted, ({ distance }) => distance),
    rx: numbers('rx'),
    ry: numbers('ry'),
    qx: numbers('qx'),
    qy: numbers('qy'),
    angle: Uint8Array.from(sorted, ({ angle }) => angle & 255),
    rScale: numbers('rScale'),
    qScale: numbers('qScale'),
  };
}

/** A feature of the reference and where a map puts it, off by up to `noise` pixels, if that is inside the query. */
export function obeying(
  map: Homography,
  x: number,
  y: number,
  into: Size,
  noise: number,
  random: () => number,
): Pair[] {
  const shaken = (v: number): number => v + noise * (2 * random() - 1);
  const [qx, qy] = project(map, x, y).map(shaken);
  if (qx < 0 || qy < 0 || qx > into.width || qy > into.height) return [];
  const step = 1e-3;
  const [ax, ay] = project(map, x + step, y);
  const [bx, by] = project(map, x, y + step);
  const [ox, oy] = project(map, x, y);
  const area = ((ax - ox) * (by - oy) - (ay - oy) * (bx - ox)) / (step * step);
  const angle = Math.round((Math.atan2(ay - oy, ax - ox) / (2 * Math.PI)) * 256 + 4 * (2 * random() - 1));
  const rScale = levelScale(Math.floor(7 * random()));
  const qScale = rScale * Math.sqrt(Math.abs(area)) * levelScale(Math.floor(3 * random()) - 1);
  return [{ rx: x, ry: y, qx, qy, angle, rScale, qScale, distance: Math.floor(4 + 12 * random()) }];
}

/** A correspondence that means nothing. */
export function stray(from: Size, into: Size, random: () => number): Pair {
  return {
    rx: from.width * random(),
    ry: from.height * random(),
    qx: into.width * random(),
    qy: into.height * random(),
    angle: Math.floor(256 * random()),
    rScale: levelScale(Math.floor(8 * random())),
    qScale: levelScale(Math.floor(10 * random()) - 2),
    distance: Math.floor(13 + 10 * random()),
  };
}

/** A similarity that rotates by so many 1/256 of a circle around (cx, cy), scales, and then puts (cx, cy) on (x, y). */
export function similarity(
  angle: number,
  scale: number,
  [cx, cy]: [number, number],
  [x, y]: [number, number],
): Homography {
  const [a, b] = [scale * cosines[angle & 255], scale * sine(angle & 255)];
  return [a, -b, x - a * cx + b * cy, b, a, y - b * cx - a * cy, 0, 0, 1];
}

/** A view of `from` in `into`: rotated, scaled, moved and tilted, its middle well inside. */
export function views(from: Size, into: Size): fc.Arbitrary<Homography> {
  const unit = fc.integer({ min: -1000, max: 1000 }).map((v) => v / 1000);
  return fc.record({ angle: fc.nat(255), zoom: unit, dx: unit, dy: unit, tiltX: unit, tiltY: unit }).map((view) => {
    const scale = view.zoom < 0 ? 1 / (1 - 1.2 * view.zoom) : 1 + 1.2 * view.zoom;
    const middle: [number, number] = [from.width / 2, from.height / 2];
    const target: [number, number] = [into.width * (0.5 + 0.15 * view.dx), into.height * (0.5 + 0.15 * view.dy)];
    const [g, h] = [(0.15 * view.tiltX) / from.width, (0.15 * view.tiltY) / from.height];
    const away = [1, 0, -middle[0], 0, 1, -middle[1], 0, 0, 1];
    const tilt = compose([1, 0, middle[0], 0, 1, middle[1], 0, 0, 1], compose([1, 0, 0, 0, 1, 0, g, h, 1], away));
    return compose(similarity(view.angle, scale, middle, target), tilt);
  });
}
