import type { Miniature } from '../../dna/miniature.ts';
import { area, cornersOf, scaling, type Size } from '../../geometry/frame.ts';
import { compose, type Homography, inverse, project } from '../../geometry/homography.ts';
import type { Workspace } from '../../kernels/workspace.ts';
import { verifyMemory } from '../verify/verify-memory.ts';
import { type Bands, bandsOf } from './bands.ts';
import { type Compared, compactPart } from './compact-part.ts';
import { type Middle, middleOf } from './middle.ts';
import { type Contradiction, contradictionOf } from './contradiction.ts';

/** How much of two pictures is the same where they overlap. The first three are shares of the area of the overlap. */
export interface Overlap {
  /** What agrees. */
  readonly agreeing: number;
  /** The largest connected part that does not agree. */
  readonly apart: number;
  /** What agrees closely of the inner part: all of it but a fifth at each side. */
  readonly inside: number;
  /** What is nearly equal of the cells with texture that agree; undefined where they are too few. */
  readonly equal: number | undefined;
  /** What follows the tone of the whole (see the kernel `tone`) of the cells with texture, or of all where those are too few. */
  readonly toned: number;
  /** The same of the inner part. */
  readonly tonedInside: number;
  /** Cells in all. */
  readonly cells: number;
  /** What they are of the picture in which they are counted. */
  readonly covered: number;
  /** The share of the overlap that is one compact part, see `compactPart`; 0 unless the overlap is small. */
  readonly compact: number;
  /** Where the options name them. */
  readonly middle?: Middle;
  readonly bands?: Bands;
  readonly contradiction?: Contradiction;
  readonly bounds: Bounds;
}

/** The upright box around the overlap in the picture in which cells are counted, as shares of its width and height. */
export interface Bounds {
  readonly ofReference: boolean;
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** A picture by the size of its frame and its miniature. */
export interface Side extends Size {
  readonly miniature: Miniature;
}

/** Cells along the side of the window whose patterns are compared: 2 * WINDOW_RADIUS_CELLS + 1. */
const WINDOW_RADIUS_CELLS = 2;
/** Least correlation of two windows that agree. */
const MIN_CORRELATION = 0.5;
/** Added to the variance of a window as noise that both have in common: a share of the variance of all, and a square of cell values. */
const WINDOW_NOISE = { varianceShare: 0.02, rounding: 0.1 };
/** Fewer cells than this show too little, and fewer cells with texture decide nothing. */
const MIN_CELLS = { all: 20, textured: 12 };
/** Share of the picture up to which an overlap is small: one of two whole pictures is larger. */
export const SMALL_OVERLAP_SHARE = 0.3;
/** Bytes of the histogram of the kernel `tone`, and of the counts of the kernel `agreement`. */
const KERNEL_BYTES = { histogram: 13_376, counts: 60 };

/** What is compared besides, which costs more: the middle with what lies around it, bands, and cells that say something. */
export interface OverlapOptions {
  readonly middle?: boolean;
  readonly bands?: boolean;
  readonly contradiction?: boolean;
}

/**
 * Compares two miniatures under a map by the normalised correlation of small windows, which light and contrast do not
 * change. Colours may be inverted in the whole.
 * @param homography  reference to query, in frame pixels
 * @param workspace  memory other than that of this thread
 * @returns undefined where the overlap has too few cells
 */
export function overlapOf(
  reference: Side,
  query: Side,
  homography: Homography,
  { workspace = verifyMemory().workspace, ...options }: OverlapOptions & { workspace?: Workspace } = {},
): Overlap | undefined {
  const mark = workspace.mark();
  const pair = onCommonGrid(workspace, reference, reference.miniature, query, query.miniature, homography);
  const overlap = pair && pair.covered >= MIN_CELLS.all ? overlapIn(workspace, pair, options) : undefined;
  workspace.release(mark);
  return overlap;
}

function overlapIn(
  workspace: Workspace,
  { width, height, planes, covered, ofReference }: CommonGrid,
  { middle = false, bands = false, contradiction = false }: OverlapOptions,
): Overlap {
  const { kernels } = workspace;
  const cells = width * height;
  const table = workspace.take(Math.max(48 * (width + 1) * (height + 1), KERNEL_BYTES.histogram));
  const correlations = workspace.take(16 * cells);
  const agreements = workspace.take(8);
  kernels.correlations(
    ...[
      planes,
      width,
      height,
      WINDOW_RADIUS_CELLS,
      WINDOW_NOISE.varianceShare,
      WINDOW_NOISE.rounding,
      MIN_CORRELATION,
      table,
      correlations,
      agreements,
    ],
  );
  const [plain, negative] = workspace.integers(agreements, 2);
  const inverted = plain < covered && negative > plain;
  const tone = workspace.take(24);
  kernels.tone(planes, cells, Number(inverted), table, tone);
  const counts = workspace.take(KERNEL_BYTES.counts);
  const correlation = inverted ? correlations + 8 * cells : correlations;
  kernels.agreement(planes, width, height, correlation, tone, table, counts);
  const [left, top, right, bottom, ...tallies] = workspace.integers(counts, KERNEL_BYTES.counts / 4);
  const [closely, equal, toned, textured, texturedInside] = [0, 2, 4, 6, 8].map((at) => ({
    share: tallies[at] / tallies[at + 1],
    all: tallies[at + 1],
  }));
  const agreeing = (inverted ? negative : plain) / covered;
  const ofTextured = textured.all >= MIN_CELLS.textured ? textured : toned;
  const ofInner = texturedInside.all >= MIN_CELLS.textured ? texturedInside : ofTextured;
  const compared = (): Compared => {
    const [slope, offset, tolerance] = workspace.doubles(tone, 3);
    const [one, other] = [workspace.doubles(planes, cells), workspace.doubles(planes + 8 * cells, cells)];
    return {
      width,
      height,
      one,
      other,
      correlation: workspace.doubles(correlation, cells),
      tone: { slope, offset, tolerance },
    };
  };
  return {
    agreeing,
    apart: tallies[10] / covered,
    inside: closely.all > 0 ? closely.share : agreeing,
    equal: equal.all >= MIN_CELLS.textured ? equal.share : undefined,
    toned: ofTextured.share,
    tonedInside: ofInner.share,
    cells: covered,
    covered: covered / cells,
    compact: covered <= SMALL_OVERLAP_SHARE * cells ? compactPart(compared()) / covered : 0,
    ...(middle && { middle: middleOf(compared(), { left, top, right, bottom }) }),
    ...(bands && { bands: bandsOf(compared()) }),
    ...(contradiction && { contradiction: contradictionOf(compared(), { left, top, right, bottom }, inverted) }),
    bounds: {
      ofReference,
      left: left / width,
      top: top / height,
      right: right / width,
      bottom: bottom / height,
    },
  };
}

/** Two miniatures on one grid, which is that of the picture with the larger cells. */
interface CommonGrid extends Size {
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
function onCommonGrid(
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
