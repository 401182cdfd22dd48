import { cosines } from '../geometry/angle.ts';
import { Workspace } from '../kernels/workspace.ts';
import type { Gray } from './gray.ts';
import { type JpegMultiples, multiplesOf } from './jpeg-multiples.ts';

/** Side of a block of JPEG. */
const BLOCK = 8;
/** Where the steps of the frequencies of `blockCoefficients` are in a table of JPEG. */
const STEP_PLACES = [1, 2, 4, 5, 3];
/** Bins of a histogram of coefficients for each unit, and their number, as `latticeStrength` has them. */
const BINS = { perUnit: 4, count: 1024 };
/** Steps of a quantisation that are tried, likewise. */
const STEPS = { min: 3, max: 40 };

let held: ReturnType<typeof prepared> | undefined;

/** What earlier savings as JPEG left in the pixels of a file. */
export interface JpegHistory {
  /**
   * How clearly a saving shows whose blocks begin where those of the mirrored or rotated picture would, and of a file that is no JPEG
   * any saving, in standard deviations of chance: about 4 where there was none.
   */
  readonly displaced: number;
  readonly multiples: JpegMultiples;
}

/**
 * Z. Fan, R. de Queiroz, "Identification of bitmap compression history", 2003, for `displaced`.
 * @param part  of the picture as stored, from a pixel on whose coordinates are multiples of 8
 * @param whole  the size of the stored picture
 * @param steps  of the file's own luma, in the order of the file; null where it is no JPEG
 */
export function jpegHistory(
  part: Gray,
  whole: { readonly width: number; readonly height: number },
  steps: readonly number[] | null,
): JpegHistory {
  // each place once: a side that is a multiple of 8 has one
  const [lefts, tops] = [whole.width, whole.height].map((side) => [...new Set([0, side % BLOCK])]);
  const grids = lefts.flatMap((left) => tops.map((top) => [left, top])).filter(([x, y]) => !steps || x > 0 || y > 0);
  const { workspace, lattices, table } = (held ??= prepared());
  const mark = workspace.mark();
  const plane = workspace.put(part.values);
  const blocks = Math.floor(part.width / BLOCK) * Math.floor(part.height / BLOCK);
  const [out, scratch] = [workspace.take(4 * blocks * STEP_PLACES.length), workspace.take(12 * part.width)];
  const coefficients = (left: number, top: number): { readonly at: number; readonly count: number }[] => {
    workspace.kernels.blockCoefficients(plane, part.width, part.height, left, top, table, out, scratch);
    const [columns, rows] = [part.width - left, part.height - top].map((side) => Math.max(0, Math.floor(side / BLOCK)));
    const count = columns * rows;
    return STEP_PLACES.map((_, i) => ({ at: out + 4 * count * i, count }));
  };
  const displaced = grids.map(([left, top]) =>
    mean(coefficients(left, top).map(({ at, count }) => workspace.kernels.latticeStrength(at, count, lattices))),
  );
  const own = steps ? coefficients(0, 0).map(({ at, count }) => workspace.floats(at, count)) : [];
  const multiples = multiplesOf(own, steps ? STEP_PLACES.map((place) => steps[place]) : []);
  workspace.release(mark);
  return { displaced: Math.max(0, ...displaced), multiples };
}

function prepared(): { readonly workspace: Workspace; readonly lattices: number; readonly table: number } {
  const workspace = new Workspace();
  const table = Float32Array.from({ length: 3 * BLOCK }, (_, i) => {
    const [frequency, x] = [Math.floor(i / BLOCK), i % BLOCK];
    return 0.5 * (frequency === 0 ? Math.SQRT1_2 : 1) * cosines[(8 * (2 * x + 1) * frequency) & 255];
  });
  const lattices = Float32Array.from({ length: (STEPS.max - STEPS.min + 1) * BINS.count }, (_, i) => {
    const [step, bin] = [STEPS.min + Math.floor(i / BINS.count), i % BINS.count];
    return cosines[Math.round((256 * bin) / (BINS.perUnit * step)) & 255];
  });
  return { workspace, lattices: workspace.put(lattices), table: workspace.put(table) };
}

function mean(values: readonly number[]): number {
  return values.reduce((sum, value) => sum + value, 0) / Math.max(1, values.length);
}
