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
  'little evidence in a small overlap',
] as const;

/** Distance of close features, and of those that count in the middle, in bits of 64. */
const [CLOSE, MIDDLE_CLOSE] = [8, 10];
/** What the middle leaves out at each side of the overlap, as a share. */
const OUTSIDE = 0.3;
/** Evidence of the middle and inner places beyond which more say no more. */
const [MIDDLE, PLACES] = [4, 6];
/** Rows and columns of the overlap; its inner part is all but the outermost. */
const GRID = 6;
/** Evidence and cells below which both together are little. */
const [LITTLE, SMALL] = [3.5, 200];
/** Distance at which a correspondence is worth nothing. */
const WORTHLESS = 22;

/** The features of a pair, in the order of their names. */
export function copyFeatures(
  { query, reference }: Pick<PairMatch, 'query' | 'reference'>,
  placement: Placement,
  sketch: Sketch,
  overlap: Overlap,
): number[] {
  const { agreements, evidence } = placement;
  const place = placeIn(overlap.bounds, reference, query);
  const close = agreements.filter(({ distance }) => distance <= CLOSE).length;
  return [
    clamped(evidence - 2),
    clamped(middleEvidence(agreements, place) / MIDDLE),
    clamped(innerPlaces(placement, reference) / PLACES),
    innerCells(placement, sketch, place),
    close / Math.max(1, agreements.length),
    overlap.tonedInside,
    overlap.toned,
    overlap.inside,
    overlap.agreeing,
    overlap.apart,
    overlap.equal ?? 0.5,
    overlap.covered,
    clamped((LITTLE - evidence) / (LITTLE - 2)) * (1 - clamped(overlap.cells / SMALL)),
  ];
}

/** Where in the overlap a point of either picture lies, as shares of its width and height. */
type PlaceIn = (inReference: Point, inQuery: Point) => Point;

function placeIn({ ofReference, left, top, right, bottom }: Bounds, reference: Size, query: Size): PlaceIn {
  const { width, height } = ofReference ? reference : query;
  return (inReference, inQuery) => {
    const [x, y] = ofReference ? inReference : inQuery;
    return [(x / width - left) / (right - left), (y / height - top) / (bottom - top)];
  };
}

/** The evidence of the closest features alone, and of those in the middle of the overlap. */
function middleEvidence(agreements: readonly Agreement[], place: PlaceIn): number {
  const middle = agreements.filter(({ reference, query, distance }) => {
    return distance <= MIDDLE_CLOSE && place(reference, query).every((at) => at >= OUTSIDE && at <= 1 - OUTSIDE);
  });
  const worth = (side: 'reference' | 'query'): number => {
    const best = new Map<number, number>();
    for (const { [side]: point, distance } of middle) {
      const cell = cellOf(...point);
      best.set(cell, Math.max(best.get(cell) ?? 0, 1 - distance / WORTHLESS));
    }
    let sum = 0;
    for (const value of best.values()) sum += value;
    return sum;
  };
  return Math.min(worth('reference'), worth('query'));
}

/** Of the inner cells of the overlap that hold features of the reference, the share in which some agree. */
function innerCells({ agreements, homography }: Placement, sketch: Sketch, place: PlaceIn): number {
  const cellAt = (inReference: Point, inQuery: Point): number | undefined => {
    const [column, row] = place(inReference, inQuery).map((at) => Math.floor(GRID * at));
    const inner = column > 0 && row > 0 && column < GRID - 1 && row < GRID - 1;
    return inner ? GRID * row + column : undefined;
  };
  const { x, y } = keypointsOf(sketch);
  const held = new Set<number>();
  for (let i = 0; i < sketch.count; i++) {
    const cell = cellAt([x[i], y[i]], project(homography, x[i], y[i]));
    if (cell !== undefined) held.add(cell);
  }
  const found = new Set<number>();
  for (const { reference, query } of agreements) {
    const cell = cellAt(reference, query);
    if (cell !== undefined) found.add(cell);
  }
  return clamped(found.size / Math.max(1, held.size));
}

function clamped(value: number): number {
  return Math.min(1, Math.max(0, value));
}
