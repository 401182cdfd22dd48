import { type Keypoints, keypointsOf } from '../../dna/local.ts';
import type { Point, Size } from '../../geometry/frame.ts';
import { type Homography, inverse, project } from '../../geometry/homography.ts';
import type { Sketch } from './guided-matching.ts';

/** Cells a side. */
const CELLS = 8;

/** Where a picture shows in another. */
export interface Shown {
  /** Reference to query, in frame pixels. */
  readonly map: Homography;
  readonly reference: Size;
  readonly query: Size;
  /** Of the query's features. */
  readonly keypoints: Keypoints;
}

/**
 * Of the cells of a reference that hold features which should show in the query, the share in which one was found. What
 * two pictures have in common by their maker, a logo or lettering, covers few of them, however surely it was found.
 * @param found    where features of the reference were found, in pixels of its frame
 * @param visible  features of the query that a cell needs in order to count, where none of the reference was found there:
 *                 a hand or a reflection in front of the reference has few, another picture has many
 * @returns 0 where none should show
 */
export function coverage(found: readonly Point[], sketch: Sketch, shown: Shown, visible: number): number {
  const { map, reference, query } = shown;
  const cellOf = (x: number, y: number): number => {
    const [column, row] = [(CELLS * x) / reference.width, (CELLS * y) / reference.height];
    return CELLS * Math.min(CELLS - 1, Math.floor(row)) + Math.min(CELLS - 1, Math.floor(column));
  };
  const { x, y } = keypointsOf(sketch);
  const showing = new Set<number>();
  for (let i = 0; i < sketch.count; i++) {
    const [u, v] = project(map, x[i], y[i]);
    if (u >= 0 && v >= 0 && u <= query.width && v <= query.height) showing.add(cellOf(x[i], y[i]));
  }
  const covered = new Set(found.map(([px, py]) => cellOf(px, py)));
  const busy = visible > 0 ? featuresOf(shown, cellOf) : undefined;
  const counted = [...showing].filter((cell) => !busy || covered.has(cell) || busy[cell] >= visible).length;
  return counted > 0 ? covered.size / counted : 0;
}

/** How many features of the query each cell of the reference has. */
function featuresOf(
  { map, reference, keypoints }: Shown,
  cellOf: (x: number, y: number) => number,
): Uint16Array | undefined {
  const back = inverse(map);
  if (!back) return undefined;
  const features = new Uint16Array(CELLS * CELLS);
  for (let i = 0; i < keypoints.x.length; i++) {
    const [px, py] = project(back, keypoints.x[i], keypoints.y[i]);
    if (px >= 0 && py >= 0 && px <= reference.width && py <= reference.height) features[cellOf(px, py)]++;
  }
  return features;
}
