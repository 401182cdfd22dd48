import type { Point, Size } from '../geometry/frame.ts';

/** Luma, or a channel of pixels of three bytes. */
interface Plane extends Size {
  readonly values: Float32Array | Uint8Array;
  readonly channel?: number;
}

/** Pixels beside a line within which its step is looked for, and those that its surroundings are. */
const NEAR_OFFSETS = [-2, -1, 0, 1, 2];
const AROUND_OFFSETS = [-9, -7, 7, 9];
const OFFSETS = [...NEAR_OFFSETS, ...AROUND_OFFSETS];
/** Pixels from a point to either side of a step. */
const REACH = 1.5;
/** Fewer places on a line say nothing. */
const MIN_PLACES = 12;

/** How much luma changes across a closed line, beyond what it changes beside it; 0 where too little of the line is inside the picture. */
export function seamAlong(picture: Plane, corners: readonly Point[]): number {
  let [sum, places] = [0, 0];
  for (const [i, [x, y]] of corners.entries()) {
    const [toX, toY] = corners[(i + 1) % corners.length];
    const length = Math.hypot(toX - x, toY - y);
    const normal: Point = [(y - toY) / length, (toX - x) / length];
    const steps = OFFSETS.map(() => [0, 0]);
    for (let at = 1; at < length; at++) {
      const point: Point = [x + ((toX - x) * at) / length, y + ((toY - y) * at) / length];
      if (!isInside(picture, point)) continue;
      for (let k = 0; k < OFFSETS.length; k++) {
        const step = stepAcross(picture, point, normal, OFFSETS[k]);
        if (Number.isNaN(step)) continue;
        steps[k][0] += step;
        steps[k][1]++;
      }
    }
    const means = steps.map(([total, count]) => (count < MIN_PLACES ? NaN : total / count));
    const [near, around] = [means.slice(0, NEAR_OFFSETS.length), means.slice(NEAR_OFFSETS.length)].map((all) =>
      all.filter((each) => !Number.isNaN(each)),
    );
    if (near.length === 0 || around.length === 0) continue;
    const weight = Math.max(...steps.map(([, count]) => count));
    sum += weight * (Math.max(...near) - around.reduce((total, each) => total + each, 0) / around.length);
    places += weight;
  }
  return places === 0 ? 0 : sum / places;
}

function isInside({ width, height }: Plane, [x, y]: Point): boolean {
  return x >= 3 && y >= 3 && x < width - 3 && y < height - 3;
}

function stepAcross(picture: Plane, [x, y]: Point, [across, down]: Point, offset: number): number {
  const [one, other] = [offset + REACH, offset - REACH];
  return Math.abs(
    valueAt(picture, x + one * across, y + one * down) - valueAt(picture, x + other * across, y + other * down),
  );
}

function valueAt({ width, height, values, channel }: Plane, x: number, y: number): number {
  const [column, row] = [Math.floor(x), Math.floor(y)];
  if (column < 0 || row < 0 || column >= width || row >= height) return NaN;
  const pixel = row * width + column;
  return values[channel === undefined ? pixel : 3 * pixel + channel];
}
