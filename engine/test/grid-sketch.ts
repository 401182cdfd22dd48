import { SUBPIXEL_STEPS, KEYPOINT_BYTES } from '../src/dna/local.ts';
import type { Point } from '../src/geometry/frame.ts';
import type { Shown } from '../src/local/verify/coverage.ts';
import type { Sketch } from '../src/local/verify/guided-matching.ts';

export const reference = { width: 320, height: 240 };
const CELLS_PER_SIDE = 8;
/** The middles of 64 cells. */
export const placesOfGrid = Array.from({ length: CELLS_PER_SIDE * CELLS_PER_SIDE }, (_, i): Point => [
  40 * (i % CELLS_PER_SIDE) + 20,
  30 * Math.floor(i / CELLS_PER_SIDE) + 15,
]);

/** A reference with a feature in each of 64 cells. */
export function gridSketch(): Sketch {
  const keypoints = new Uint8Array(KEYPOINT_BYTES * placesOfGrid.length);
  const view = new DataView(keypoints.buffer);
  placesOfGrid.forEach(([x, y], i) => {
    view.setUint16(KEYPOINT_BYTES * i, SUBPIXEL_STEPS * x, true);
    view.setUint16(KEYPOINT_BYTES * i + 2, SUBPIXEL_STEPS * y, true);
  });
  return { count: placesOfGrid.length, keypoints, signs: new Uint32Array(2 * placesOfGrid.length) };
}

/** The query is the reference, and may have several features in each place. */
export function shownAsItIs(each = 1): Shown {
  const places = Array.from({ length: each }, () => placesOfGrid).flat();
  const [x, y] = [0, 1].map((axis) => Float32Array.from(places, (place) => place[axis]));
  const keypoints = { x, y, angle: new Uint8Array(x.length), level: new Int8Array(x.length) };
  return { map: [1, 0, 0, 0, 1, 0, 0, 0, 1], reference, query: reference, keypoints };
}
