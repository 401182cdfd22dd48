import type { Keypoints, LocalDna } from '../../dna/local.ts';
import {
  area,
  boxAround,
  clipped,
  contains,
  cornersOf,
  fraction,
  type Point,
  type Size,
} from '../../geometry/frame.ts';
import { inverse, project } from '../../geometry/homography.ts';
import type { PairVerdict } from '../../partition/partition.ts';
import { homographyInfo } from '../../partition/result-info.ts';
import type { Quad, QuadDecision, QuadMatch, QuadScores, QuadSide, Relation } from '../../partition/result-info.ts';
import { type Overlap, overlapOf, type Side } from '../overlap/overlap.ts';
import { coverage } from '../verify/coverage.ts';
import { isBeyondChance, sharesOutlines, sharesSilhouette } from './beyond-chance.ts';
import { MIN_CLONE_EVIDENCE, isWhole, liesOn, scoreOf } from './decision.ts';
import type { Agreement, PairMatch, Placement } from './match-pair.ts';
import { hasOtherColours } from './other-colours.ts';
import type { Reference } from './reference.ts';
import { relationOfSimilar } from './relation.ts';
import { showsAnotherThing, showsLogo } from './shows-logo.ts';
import { showsMiddle } from './shows-middle.ts';
import { silhouetteShare } from './silhouette.ts';

/** Least share of the reference that must lie in the picture: what shows less is cut off at its border. */
const MIN_SHOWN_SHARE = 0.35;
/** Least inner angle of a matching box, as its sine: a box this flat is no picture seen from any side. */
const MIN_CORNER_SINE = 0.17;
/** Matching points at which `matchStrength` is one half. */
const HALF_STRENGTH_POINTS = 20;
/** Cells a side in which coverage and `boxCoveredSurface` are counted. */
const CELLS_PER_SIDE = 8;
/** Much of the reference shows, but not its middle, or outlines alone: a rejection that competes with other references at its place, see `rejectWeaker`. */
const SHARED_DESIGN = 'design';
/** A print or a logo that is found shows in its scene, at most with other things. */
const relations: Partial<Record<QuadDecision, Relation>> = { Clone: 'copy', Match: 'part' };
/** Where rejections begin, below every match; they are in the order of their evidence too. */
const MIN_REJECTION_SCORE = 0.5;

/** Evidence that decisions depend on: see docs/experiments for the error rates. */
export interface Thresholds {
  /** Least evidence of a match. */
  readonly match: number;
  /** Least evidence of a rejection that is listed. */
  readonly listed: number;
  /** Least share of the cells that should show of the reference in which features were found, see `coverage`. */
  readonly covered: number;
  /** Features of the query that make a cell count though none of the reference was found in it, see `coverage`. */
  readonly visible: number;
  /** What must show besides: the middle of a print, see `showsMiddle`, or more of a logo than strokes of it, see `showsLogo`. */
  readonly shows: 'middle' | 'logo';
}

/**
 * The answer of Mobile Matching and Brand monitoring: boxes with four corners, and the scores of docs/decisions.md. Rejections
 * with enough evidence are listed; none of them scores below 0.5.
 */
export function quadMatch(match: PairMatch, thresholds: Thresholds): PairVerdict | undefined {
  const { query, keypoints, reference, placements, exact } = match;
  const [best, ...further] = placements;
  const enough = !exact && best.possible && best.evidence >= thresholds.match;
  const overlap = enough
    ? overlapOf(reference, query, best.homography, {
        middle: thresholds.shows === 'middle',
        contradiction: thresholds.shows === 'logo',
      })
    : undefined;
  const decisionOf = (placement: Placement, overlap?: Overlap) =>
    decide(placement, reference, query, keypoints, thresholds, overlap);
  const decision = exact ? 'Clone' : decisionOf(best, overlap);
  const shared = decision === SHARED_DESIGN;
  const box = boxOf(best, reference, query);
  if (!decision || !box) return undefined;
  const accepted = decision === 'Clone' || decision === 'Match';
  const strength = exact ? 0 : scoreOf(best.evidence, thresholds.match);
  const score = accepted ? strength : rejectedScore(strength);
  const matching = further.filter((placement) => decisionOf(placement) === 'Match');
  const instances = matching.flatMap((placement) => boxOf(placement, reference, query) ?? []);
  const agreeing = exact ? 1 : overlap?.agreeing;
  const relation = !shared
    ? relations[decision]
    : hasOtherColours(best.homography, reference, query)
      ? 'same design'
      : relationOfSimilar(match, overlap);
  const resultInfo: QuadMatch = {
    category: 'LOCALMATCHING',
    query: { ...dimensions(query), matchingBox: boxInfo(box.query, query) },
    reference: { ...dimensions(reference), matchingBox: boxInfo(box.reference, reference) },
    distance: score,
    scores: scoresOf(best, box, reference, keypoints),
    homography: homographyInfo(best.homography),
    decision: shared ? 'Rejection due to geometric test' : decision,
    ...(relation && { relation }),
    ...(accepted && instances.length > 0 && { instances: instances.map((one) => boxInfo(one.query, query)) }),
    ...(agreeing !== undefined && { agreeingShare: fraction(agreeing, 1) }),
  };
  const places = (accepted || shared) && [best, ...matching].map(({ agreements }) => placesOf(agreements));
  return { score, resultInfo, ...(places && { places }) };
}

function placesOf(agreements: readonly Agreement[]): Float32Array {
  return Float32Array.from(agreements.flatMap(({ query }) => query));
}

/** The score of a rejection. @param strength  the score that the evidence would give a match */
export function rejectedScore(strength: number): number {
  return Math.round(1e6 * (MIN_REJECTION_SCORE + (1 - MIN_REJECTION_SCORE) * strength)) / 1e6;
}

export function isRejection({ decision }: QuadMatch): boolean {
  return decision.startsWith('Rejection');
}

/** The score that the evidence of a match or of a rejection gives a match. */
export function strengthOf(resultInfo: QuadMatch): number {
  const { distance } = resultInfo;
  return isRejection(resultInfo) ? (distance - MIN_REJECTION_SCORE) / (1 - MIN_REJECTION_SCORE) : distance;
}

/** Undefined where the evidence is too low to be listed. */
function decide(
  placement: Placement,
  reference: Reference,
  query: Side,
  keypoints: Keypoints,
  { match, listed, covered, visible, shows }: Thresholds,
  overlap: Overlap | undefined,
): QuadDecision | typeof SHARED_DESIGN | undefined {
  const { evidence, homography, possible, agreements } = placement;
  if (evidence < listed) return undefined;
  if (evidence < match) return 'Rejection due to geometric test';
  if (!possible || !wellShaped(placement, reference, query)) return 'Rejection due to shape of the matching box';
  if (covered > 0 && reference.sketch) {
    const found = agreements.map(({ reference: place }) => place);
    const shown = { map: homography, reference, query, keypoints };
    const share = coverage(found, reference.sketch, shown, { side: CELLS_PER_SIDE, rim: 0, visible }) ?? 0;
    if (share < covered || !isBeyondChance(placement, shows)) return 'Rejection due to geometric test';
    if (shows === 'middle' && !showsMiddle(placement, reference.sketch, shown, overlap)) return SHARED_DESIGN;
    if (hasOtherColours(homography, reference, query)) return SHARED_DESIGN;
    const silhouette = silhouetteShare(placement, reference, query);
    if (sharesSilhouette(placement, shows, silhouette, overlap)) return SHARED_DESIGN;
    if (shows === 'logo' && sharesOutlines(placement, overlap)) return SHARED_DESIGN;
    if (shows === 'logo' && !showsLogo(placement, reference.sketch, shown, overlap))
      return 'Rejection due to geometric test';
    if (shows === 'logo' && showsAnotherThing(placement, reference.sketch, shown, overlap))
      return 'Rejection due to geometric test';
  }
  const whole = !overlap || isWhole(overlap);
  return evidence >= MIN_CLONE_EVIDENCE && whole && liesOn(homography, reference, query) ? 'Clone' : 'Match';
}

/** Whether enough of the reference lies in the picture, in a box with no corner pressed flat. */
function wellShaped({ homography }: Placement, reference: Size, query: Size): boolean {
  const image = cornersOf(reference).map(([x, y]) => project(homography, x, y));
  const back = inverse(homography);
  if (!back) return false;
  const shown = clipped(image, query).map(([x, y]) => project(back, x, y));
  const share = Math.abs(area(shown)) / (reference.width * reference.height);
  return (
    share >= MIN_SHOWN_SHARE &&
    image.every((corner, i) => sine(corner, image[(i + 1) % 4], image[(i + 3) % 4]) >= MIN_CORNER_SINE)
  );
}

function sine([x, y]: Point, [ax, ay]: Point, [bx, by]: Point): number {
  const [ux, uy, vx, vy] = [ax - x, ay - y, bx - x, by - y];
  return Math.abs(ux * vy - uy * vx) / Math.sqrt((ux * ux + uy * uy) * (vx * vx + vy * vy));
}

interface Boxes {
  readonly query: readonly Point[];
  readonly reference: readonly Point[];
}

/**
 * In the reference the upright box around what shows of it; in the query the same four corners, in step, each moved to
 * the nearest point of the picture where it lies outside. In frame pixels. Clipping would give up to eight corners, and the
 * interface has four.
 */
function boxOf({ homography, possible }: Placement, reference: Size, query: Size): Boxes | undefined {
  const back = inverse(homography);
  if (!back) return undefined;
  const whole = cornersOf(reference);
  const shown = possible
    ? clipped(
        whole.map(([x, y]) => project(homography, x, y)),
        query,
      ).map(([x, y]) => project(back, x, y))
    : whole;
  if (shown.length === 0) return undefined;
  const { topLeftPoint, bottomRightPoint } = boxAround(shown, reference);
  const [left, top] = [topLeftPoint[0] * reference.width, topLeftPoint[1] * reference.height];
  const [right, bottom] = [bottomRightPoint[0] * reference.width, bottomRightPoint[1] * reference.height];
  const corners: Point[] = [
    [left, top],
    [right, top],
    [right, bottom],
    [left, bottom],
  ];
  const within = (value: number, whole: number): number => Math.min(whole, Math.max(0, value));
  const image = corners.map(([x, y]): Point => {
    const [u, v] = project(homography, x, y);
    return [within(u, query.width), within(v, query.height)];
  });
  return { query: image, reference: corners };
}

function boxInfo(points: readonly Point[], frame: Size): Quad {
  return {
    points: points.map(([x, y]) => [fraction(x, frame.width), fraction(y, frame.height)]),
    area: fraction(Math.abs(area(points)), frame.width * frame.height),
  };
}

function dimensions({
  originalWidth,
  originalHeight,
  width,
  height,
}: Reference | LocalDna): Omit<QuadSide, 'matchingBox'> {
  return { originalDimensions: [originalWidth, originalHeight], resizedDimensions: [width, height] };
}

/** Defined in docs/decisions.md. */
function scoresOf(
  { agreements, mirrored }: Placement,
  box: Boxes,
  reference: Reference,
  { x, y }: Keypoints,
): QuadScores {
  const [[left, top], , [right, bottom]] = box.reference;
  const cells = new Set<number>();
  for (const { reference: point } of agreements) {
    const [u, v] = [(point[0] - left) / (right - left), (point[1] - top) / (bottom - top)];
    if (u >= 0 && v >= 0 && u < 1 && v < 1)
      cells.add(CELLS_PER_SIDE * Math.floor(CELLS_PER_SIDE * v) + Math.floor(CELLS_PER_SIDE * u));
  }
  const outline = mirrored ? box.query.toReversed() : box.query;
  let inside = 0;
  for (let i = 0; i < x.length; i++) if (contains(outline, x[i], y[i])) inside++;
  const features = new Set(agreements.map(({ feature }) => feature)).size;
  const rounded = (value: number): number => Math.round(10000 * Math.min(1, value)) / 10000;
  return {
    boxCoveredSurface: rounded(cells.size / (CELLS_PER_SIDE * CELLS_PER_SIDE)),
    boxPointsRatio: rounded(agreements.length / reference.features),
    boxPointsRatioHomography: rounded(inside > 0 ? features / inside : 0),
    matchStrength: rounded(features / (features + HALF_STRENGTH_POINTS)),
  };
}
