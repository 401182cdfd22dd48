import type { Point } from '../geometry/frame.ts';
import type { Gray } from './gray.ts';

/** Pixels beside a line within which its step is looked for, and those that its surroundings are. */
const NEAR_OFFSETS = [-2, -1, 0, 1, 2];
const AROUND_OFFSETS = [-9, -7, 7, 9];
/** Pixels from a point to either side of a step. */
const REACH = 1.5;
/** Fewer places on a line say nothing. */
const MIN_PLACES = 12;

/** How much luma changes across a closed line, beyond what it changes beside it; 0 where too little of the line is inside the picture. */
export function seamAlong(picture: Gray, corners: readonly Point[]): number {
  let [sum, places] = [0, 0];
  for (const [i, [x, y]] of corners.entries()) {
    const [toX, toY] = corners[(i + 1) % corners.length];
    const length = Math.hypot(toX - x, toY - y);
    const normal: Point = [(y - toY) / length, (toX - x) / length];
    const steps = [...NEAR_OFFSETS, ...AROUND_OFFSETS].map(() => [0, 0]);
    for (let at = 1; at < length; at++) {
      const point: Point = [x + ((toX - x) * at) / length, y + ((toY - y) * at) / length];
      if (!isInside(picture, point)) continue;
      for (const [k, offset] of [...NEAR_OFFSETS, ...AROUND_OFFSETS].entries()) {
        const step = stepAcross(picture, point, normal, offset);
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

function isInside({ width, height }: Gray, [x, y]: Point): boolean {
  return x >= 3 && y >= 3 && x < width - 3 && y < height - 3;
}

function stepAcross(picture: Gray, [x, y]: Point, [across, down]: Point, offset: number): number {
  const value = (distance: number): number => {
    const [column, row] = [Math.floor(x + distance * across), Math.floor(y + distance * down)];
    if (column < 0 || row < 0 || column >= picture.width || row >= picture.height) return NaN;
    return picture.values[row * picture.width + column];
  };
  return Math.abs(value(offset + REACH) - value(offset - REACH));
}
