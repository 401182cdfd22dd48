import type { Miniature } from '../../dna/miniature.ts';
import { area, cornersOf, scaling, type Size } from '../../geometry/frame.ts';
import { compose, type Homography, inverse, project } from '../../geometry/homography.ts';
import type { Workspace } from '../../kernels/workspace.ts';

/** Two miniatures on one grid, which is that of the picture with the larger cells. */
export interface CommonGrid extends Size {
  /** Where its cells and those of the other picture are in the workspace, see the kernel `commonGrid`. */
  readonly planes: number;
  /** Cells that both pictures have. */
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
  workspace: Workspace,
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
    ? { ...sampled(workspace, grid, queryGrid, toQuery, finer), ofReference }
    : { ...sampled(workspace, queryGrid, grid, toReference, 1 / finer), ofReference };
}

/** @param finer  how many cells of the other picture lie along one of the grid */
function sampled(
  workspace: Workspace,
  grid: Miniature,
  other: Miniature,
  map: Homography,
  finer: number,
): Omit<CommonGrid, 'ofReference'> {
  const { width, height } = grid;
  const samples = Math.min(MAX_SAMPLES_PER_SIDE, Math.round(finer));
  const numbers = workspace.put(Float64Array.from(map));
  const [cells, others] = [workspace.put(grid.packed), workspace.put(other.packed)];
  const planes = workspace.take(16 * width * height);
  const covered = workspace.kernels.commonGrid(
    ...[numbers, cells, width, height, others, other.width, other.height, samples, RIM_CELLS, planes],
  );
  return { width, height, planes, covered };
}
