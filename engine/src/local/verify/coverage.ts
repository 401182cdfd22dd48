import { type Keypoints, keypointsOf } from '../../dna/local.ts';
import type { Point, Size } from '../../geometry/frame.ts';
import { type Homography, inverse, project } from '../../geometry/homography.ts';
import type { Sketch } from './guided-matching.ts';

/** Where a picture shows in another. */
export interface Shown {
  /** Reference to query, in frame pixels. */
  readonly map: Homography;
  readonly reference: Size;
  readonly query: Size;
  /** Of the query's features. */
  readonly keypoints: Keypoints;
}

/** The cells of a reference that are counted. */
export interface Cells {
  /** How many there are along a side. */
  readonly side: number;
  /** How many are left out at each border. */
  readonly rim: number;
  /**
   * Features of the query that a cell needs in order to count, where none of the reference was found there: a hand or a
   * reflection in front of the reference has few, another picture has many.
   */
  readonly visible: number;
}

/**
 * Of the cells of a reference that hold features which should show in the query, the share in which one was found. What
 * two pictures have in common by their maker, a logo or lettering, covers few of them, however surely it was found.
 * @param found    where features of the reference were found, in pixels of its frame
 * @returns undefined where none should show
 */
export function coverage(
  found: readonly Point[],
  sketch: Sketch,
  shown: Shown,
  { side, rim, visible }: Cells,
): number | undefined {
  const { map, reference, query } = shown;
  const cellOf = (x: number, y: number): number | undefined => {
    const column = Math.min(side - 1, Math.floor((side * x) / reference.width));
    const row = Math.min(side - 1, Math.floor((side * y) / reference.height));
    const counts = Math.min(column, row) >= rim && Math.max(column, row) < side - rim;
    return counts ? side * row + column : undefined;
  };
  const { x, y } = keypointsOf(sketch);
  const showing = new Set<number>();
  for (let i = 0; i < sketch.count; i++) {
    const [u, v] = project(map, x[i], y[i]);
    const cell = cellOf(x[i], y[i]);
    if (cell !== undefined && u >= 0 && v >= 0 && u <= query.width && v <= query.height) showing.add(cell);
  }
  const covered = new Set(found.flatMap(([px, py]) => cellOf(px, py) ?? []));
  const featuresByCell = visible > 0 ? featuresOf(shown, cellOf, side * side) : undefined;
  const counted = [...showing].filter(
    (cell) => !featuresByCell || covered.has(cell) || featuresByCell[cell] >= visible,
  ).length;
  return counted > 0 ? covered.size / counted : undefined;
}

/** How many features of the query each cell of the reference has. */
function featuresOf(
  { map, reference, keypoints }: Shown,
  cellOf: (x: number, y: number) => number | undefined,
  cells: number,
): Uint16Array | undefined {
  const back = inverse(map);
  if (!back) return undefined;
  const features = new Uint16Array(cells);
  for (let i = 0; i < keypoints.x.length; i++) {
    const [px, py] = project(back, keypoints.x[i], keypoints.y[i]);
    if (!(px >= 0 && py >= 0 && px <= reference.width && py <= reference.height)) continue;
    const cell = cellOf(px, py);
    if (cell !== undefined) features[cell]++;
  }
  return features;
}
