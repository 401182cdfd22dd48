import { cellsOf, type Miniature } from '../../src/dna/miniature.ts';
import { area, cornersOf, type Size } from '../../src/geometry/frame.ts';
import { compose, type Homography, inverse, project } from '../../src/geometry/homography.ts';

/** Two miniatures on one grid, which is that of the picture with the larger cells. */
export interface CommonGrid extends Size {
  readonly one: Float64Array;
  /** NaN where the other picture does not reach, and at the rim of either. */
  readonly other: Float64Array;
  /** Cells that are a number in both. */
  readonly covered: number;
  /** Whether the grid is the reference's. */
  readonly ofReference: boolean;
}

/** Samples a side of a cell at most. */
const MAX_SAMPLES_PER_SIDE = 4;
/** Width of the rim of either picture that is left out, in cells: its blur mixes what lies beside the picture. */
const RIM_CELLS = 1;

/**
 * Samples the miniatures of a reference and of a query, whose frames have these sizes, at the same places.
 * @param homography  reference to query, in frame pixels
 * @returns undefined where the map has no inverse
 */
export function onCommonGrid(
  reference: Size,
  grid: Miniature,
  query: Size,
  queryGrid: Miniature,
  homography: Homography,
): CommonGrid | undefined {
  const toQuery = compose(scaling(query, queryGrid), compose(homography, scaling(grid, reference)));
  const toReference = inverse(toQuery);
  if (!toReference) return undefined;
  const image = cornersOf(grid).map(([x, y]) => project(toQuery, x, y));
  const finer = Math.sqrt(Math.abs(area(image)) / (grid.width * grid.height));
  const ofReference = finer >= 1;
  return ofReference
    ? { ...sampled(grid, queryGrid, toQuery, finer), ofReference }
    : { ...sampled(queryGrid, grid, toReference, 1 / finer), ofReference };
}

function scaling(from: Size, to: Size): Homography {
  return [to.width / from.width, 0, 0, 0, to.height / from.height, 0, 0, 0, 1];
}

/** @param finer  how many cells of the other picture lie along one of the grid */
function sampled(grid: Miniature, other: Miniature, map: Homography, finer: number): Omit<CommonGrid, 'ofReference'> {
  const { width, height } = grid;
  const cells = cellsOf(other);
  const samples = Math.min(MAX_SAMPLES_PER_SIDE, Math.round(finer));
  const values = new Float64Array(width * height).fill(NaN);
  let covered = 0;
  for (let y = RIM_CELLS; y < height - RIM_CELLS; y++) {
    for (let x = RIM_CELLS; x < width - RIM_CELLS; x++) {
      let sum = 0;
      let count = 0;
      for (let k = 0; k < samples * samples; k++) {
        const px = x + ((k % samples) + 0.5) / samples;
        const py = y + (Math.floor(k / samples) + 0.5) / samples;
        const scale = map[6] * px + map[7] * py + map[8];
        const u = (map[0] * px + map[1] * py + map[2]) / scale;
        const v = (map[3] * px + map[4] * py + map[5]) / scale;
        if (
          !(
            scale > 0 &&
            u >= RIM_CELLS &&
            v >= RIM_CELLS &&
            u <= other.width - RIM_CELLS &&
            v <= other.height - RIM_CELLS
          )
        )
          break;
        sum += bilinear(cells, other, u, v);
        count++;
      }
      if (count < samples * samples) continue;
      values[width * y + x] = sum / count;
      covered++;
    }
  }
  return { width, height, one: cellsOf(grid), other: values, covered };
}

function bilinear(cells: Float64Array, { width, height }: Size, u: number, v: number): number {
  const x = Math.min(Math.max(u - 0.5, 0), width - 1);
  const y = Math.min(Math.max(v - 0.5, 0), height - 1);
  const left = Math.floor(x);
  const top = Math.floor(y);
  const right = Math.min(left + 1, width - 1);
  const upper = width * top;
  const lower = width * Math.min(top + 1, height - 1);
  const across = x - left;
  const above = cells[upper + left] + across * (cells[upper + right] - cells[upper + left]);
  const below = cells[lower + left] + across * (cells[lower + right] - cells[lower + left]);
  return above + (y - top) * (below - above);
}
