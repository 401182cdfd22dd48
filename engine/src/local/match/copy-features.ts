import { keypointsOf } from '../../dna/local.ts';
import type { Point, Size } from '../../geometry/frame.ts';
import { project } from '../../geometry/homography.ts';
import type { Bounds, Overlap } from '../overlap/overlap.ts';
import { cellOf } from '../verify/cell.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import { innerPlaces } from './inner-places.ts';
import type { Agreement, PairMatch, Placement } from './match-pair.ts';

/** What distinguishes copies from pictures that share a frame, a design or a pose. All are 0 to 1. */
export const copyFeatureNames = [
  'evidence from 2 to 3',
  'evidence of the middle',
  'inner places',
  'inner cells with agreement',
  'close features',
  'tone of the inner part',
  'tone of the whole',
  'closely agreeing inner part',
  'agreeing',
  'largest part apart',
  'nearly equal',
  'share of the picture',
  'small overlap without equal cells',
  'agreements',
] as const;
export type CopyFeatureName = (typeof copyFeatureNames)[number];

/** Distance of close features, and of those that count in the middle, in bits of 64. */
const MAX_CLOSE_BITS = { anywhere: 8, middle: 10 };
/** What the middle leaves out at each side of the overlap, as a share. */
const OUTER_SHARE = 0.3;
/** Evidence of the middle, inner places and agreements beyond which more say no more. */
const SATURATION = { middleEvidence: 4, innerPlaces: 6, agreements: 100 };
/** Rows and columns of the overlap; its inner part is all but the outermost. */
const CELLS_PER_SIDE = 6;
/** Share of the picture below which an overlap is small: words in one typeface have as much in common, but are not equal. */
const SMALL_OVERLAP_SHARE = 0.2;
/** Share of the equal cells where they are too few to count. */
const DEFAULT_EQUAL_SHARE = 0.5;
/** Distance at which a correspondence is worth nothing. */
const ZERO_WORTH_BITS = 22;

/** The features of a pair, in the order of their names. */
export function copyFeatures(
  { query, reference }: Pick<PairMatch, 'query' | 'reference'>,
  placement: Placement,
  sketch: Sketch,
  overlap: Overlap,
): number[] {
  const { agreements, evidence } = placement;
  const shares = sharesOf(overlap.bounds, reference, query);
  const close = agreements.filter(({ distance }) => distance <= MAX_CLOSE_BITS.anywhere).length;
  const equal = overlap.equal ?? DEFAULT_EQUAL_SHARE;
  return [
    clamped(evidence - 2),
    clamped(middleEvidence(agreements, shares) / SATURATION.middleEvidence),
    clamped(innerPlaces(placement, reference) / SATURATION.innerPlaces),
    innerCells(placement, sketch, shares),
    close / Math.max(1, agreements.length),
    overlap.tonedInside,
    overlap.toned,
    overlap.inside,
    overlap.agreeing,
    overlap.apart,
    equal,
    overlap.covered,
    (1 - clamped(overlap.covered / SMALL_OVERLAP_SHARE)) * (1 - equal),
    clamped(agreements.length / SATURATION.agreements),
  ];
}

/** Shares of the width and of the height of the overlap, for a place in the picture in which it is counted. */
interface OverlapShares {
  readonly ofReference: boolean;
  readonly across: (x: number) => number;
  readonly down: (y: number) => number;
}

function sharesOf({ ofReference, left, top, right, bottom }: Bounds, reference: Size, query: Size): OverlapShares {
  const { width, height } = ofReference ? reference : query;
  return {
    ofReference,
    across: (x) => (x / width - left) / (right - left),
    down: (y) => (y / height - top) / (bottom - top),
  };
}

/** The evidence of the closest features alone, and of those in the middle of the overlap. */
function middleEvidence(agreements: readonly Agreement[], { ofReference, across, down }: OverlapShares): number {
  const isMiddle = (at: number): boolean => at >= OUTER_SHARE && at <= 1 - OUTER_SHARE;
  const middle = agreements.filter(({ reference, query, distance }) => {
    const [x, y] = ofReference ? reference : query;
    return distance <= MAX_CLOSE_BITS.middle && isMiddle(across(x)) && isMiddle(down(y));
  });
  const worth = (side: 'reference' | 'query'): number => {
    const best = new Map<number, number>();
    for (const { [side]: point, distance } of middle) {
      const cell = cellOf(...point);
      best.set(cell, Math.max(best.get(cell) ?? 0, 1 - distance / ZERO_WORTH_BITS));
    }
    return sum(best.values());
  };
  return Math.min(worth('reference'), worth('query'));
}

/** Of the inner cells of the overlap that hold features of the reference, the share in which some agree. */
function innerCells(
  { agreements, homography }: Placement,
  sketch: Sketch,
  { ofReference, across, down }: OverlapShares,
): number {
  const [held, found] = [
    new Uint8Array(CELLS_PER_SIDE * CELLS_PER_SIDE),
    new Uint8Array(CELLS_PER_SIDE * CELLS_PER_SIDE),
  ];
  const mark = (cells: Uint8Array, [x, y]: Point): void => {
    const [column, row] = [Math.floor(CELLS_PER_SIDE * across(x)), Math.floor(CELLS_PER_SIDE * down(y))];
    if (column > 0 && row > 0 && column < CELLS_PER_SIDE - 1 && row < CELLS_PER_SIDE - 1)
      cells[CELLS_PER_SIDE * row + column] = 1;
  };
  const { x, y } = keypointsOf(sketch);
  for (let i = 0; i < sketch.count; i++) mark(held, ofReference ? [x[i], y[i]] : project(homography, x[i], y[i]));
  for (const { reference, query } of agreements) mark(found, ofReference ? reference : query);
  return clamped(sum(found) / Math.max(1, sum(held)));
}

function sum(values: Iterable<number>): number {
  let total = 0;
  for (const value of values) total += value;
  return total;
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}
