import { imageOf, type Size } from '../../geometry/frame.ts';
import { fitAffine, fitHomography, type Homography, project } from '../../geometry/homography.ts';
import { cellOf } from './cell.ts';
import { Effort } from './effort.ts';
import { evidence } from './evidence.ts';
import { bestAffine } from './affine-hypothesis.ts';
import { bestHypothesis, type Hypothesis } from './hypothesis.ts';
import type { Tentative } from './tentative.ts';

/** Tolerances of the rounds in which a map is refined, in pixels of a feature of level 0. */
const AFFINE_TOLERANCES_PIXELS = [12, 8, 6];
const HOMOGRAPHY_TOLERANCES_PIXELS = [6, 5, 4, 4];
/** The tolerance at last. */
const INLIER_TOLERANCE_PIXELS = 4;
/** By what share of its distance from a hypothesis a place may be off, for angle and scale are only roughly known … */
const MAX_DRIFT_SHARE = 0.1;
/** … and where the picture is seen from far aside. */
const MAX_TILTED_DRIFT_SHARE = 0.4;
/** What the refinement of a map takes, in comparisons a correspondence: rounds are plain code, and each costs as much as 16. */
const AFFINE_COMPARISONS = 16 * (AFFINE_TOLERANCES_PIXELS.length + 2);
const HOMOGRAPHY_COMPARISONS = 16 * HOMOGRAPHY_TOLERANCES_PIXELS.length;
/** Evidence with which a map needs no other. */
export const SUFFICIENT_EVIDENCE = 3;
/** Distinct places that an affine map is fitted to at least. */
const MIN_AFFINE_CELLS = 4;
/** Distinct places a homography needs; fewer determine no more than an affine map. */
const MIN_HOMOGRAPHY_CELLS = 10;

/** A map between two pictures, with its evidence. */
export interface Alignment {
  /** Reference to query, in frame pixels. */
  readonly homography: Homography;
  /** Correspondences that agree. */
  readonly inliers: readonly number[];
  /** The weighted inlier score, see `evidence`. */
  readonly evidence: number;
  /** Whether a camera could have made the map, see `imageOf`. */
  readonly possible: boolean;
  /** Of guided matching. */
  readonly chance?: Chance;
  /** Whether other maps may be as good, as in patterns; no more than Similar then. */
  readonly ambiguous?: boolean;
  /** Whether the miniatures are the same under the map, see `alignPixels` and `alignWhole`. */
  readonly samePixels?: boolean;
}

/**
 * The support of a map, and that of the same map displaced by a few pixels: what the two pictures give by chance. Outlines on plain
 * ground, and textures, agree with a displaced map nearly as well.
 */
export interface Chance {
  readonly support: number;
  readonly displaced: number;
}

/**
 * @param tilted  whether the reference may be seen from far aside: where the first map is not sure, another is tried whose
 *                hypothesis forgives more of the distance, for a similarity is a poor guess of one that is foreshortened
 * @returns undefined when no map brings correspondences together; a possible one where there is one
 */
export function align(
  pairs: Tentative,
  reference: Size,
  query: Size,
  tilted = false,
  effort = new Effort(),
): Alignment | undefined {
  const first = alignFrom(
    startOf(bestHypothesis(pairs, MAX_DRIFT_SHARE, effort), pairs),
    pairs,
    reference,
    query,
    effort,
  );
  return tilted && first && first.evidence < SUFFICIENT_EVIDENCE
    ? alignTilted(first, pairs, reference, query, effort)
    : first;
}

/** At most so many correspondences are looked through for a foreshortened map that the first look cannot see. */
const MAX_SQUEEZED_CORRESPONDENCES = 40;
/** Of those correspondences, the distinct places that must agree … */
const MIN_SQUEEZED_CELLS = 4;
/** … and their share … */
const MIN_CELL_SHARE = 0.3;
/** … or the share that must agree roughly, before a map through three of them is tried. */
const MIN_SUPPORTER_SHARE = 0.4;

/**
 * An alignment as `align` gives it, or a foreshortened one where that has less evidence than `doubt`: a good part of a few
 * correspondences agrees on no foreshortened map by chance.
 */
export function alignSqueezed(
  pairs: Tentative,
  reference: Size,
  query: Size,
  doubt: number,
  effort = new Effort(),
): Alignment | undefined {
  const first = align(pairs, reference, query, false, effort);
  if (
    (first && first.evidence >= doubt) ||
    pairs.count < MIN_SQUEEZED_CELLS ||
    pairs.count > MAX_SQUEEZED_CORRESPONDENCES
  )
    return first;
  const hypothesis = bestHypothesis(pairs, MAX_TILTED_DRIFT_SHARE, effort);
  if (!hypothesis) return first;
  const { cells, supporters } = hypothesis;
  const second =
    cells >= Math.max(MIN_SQUEEZED_CELLS, MIN_CELL_SHARE * pairs.count)
      ? alignFrom(startOf(hypothesis, pairs), pairs, reference, query, effort)
      : undefined;
  const third =
    supporters.length >= Math.max(MIN_SQUEEZED_CELLS, MIN_SUPPORTER_SHARE * pairs.count)
      ? alignAffine(pairs, reference, query, effort)
      : undefined;
  return [second, third].reduce((one, other) => (one && other ? better(one, other) : (other ?? one)), first);
}

/** An alignment that begins with a foreshortened map through three correspondences. */
export function alignAffine(
  pairs: Tentative,
  reference: Size,
  query: Size,
  effort = new Effort(),
): Alignment | undefined {
  return alignFrom(bestAffine(pairs, effort), pairs, reference, query, effort);
}

/** The better of a first map and one whose hypothesis forgives more of the distance. */
export function alignTilted(
  first: Alignment,
  pairs: Tentative,
  reference: Size,
  query: Size,
  effort = new Effort(),
): Alignment {
  const hypothesis = bestHypothesis(pairs, MAX_TILTED_DRIFT_SHARE, effort);
  const second = alignFrom(startOf(hypothesis, pairs), pairs, reference, query, effort);
  return second ? better(first, second) : first;
}

/** The map that a hypothesis begins with, fitted to its supporters if there are enough. */
function startOf(hypothesis: Hypothesis | undefined, pairs: Tentative): Homography | undefined {
  if (!hypothesis || hypothesis.cells < MIN_AFFINE_CELLS) return hypothesis?.similarity;
  const chosen = new Float64Array(pairs.count);
  for (const i of hypothesis.supporters) chosen[i] = 1;
  return fitAffine(pairs, chosen) ?? hypothesis.similarity;
}

/** Refines a map on the correspondences that agree with it. */
export function alignFrom(
  start: Homography | undefined,
  pairs: Tentative,
  reference: Size,
  query: Size,
  effort: Effort,
): Alignment | undefined {
  if (!start) return undefined;
  effort.spend(AFFINE_COMPARISONS * pairs.count);
  let map = start;
  for (const tolerance of pairs.count < MIN_AFFINE_CELLS ? [] : AFFINE_TOLERANCES_PIXELS) {
    const weights = agreement(pairs, map, tolerance);
    if (distinct(pairs, weights) < MIN_AFFINE_CELLS) break;
    const next = fitAffine(pairs, weights);
    if (!next) break;
    map = next;
  }
  const judged = (homography: Homography): Alignment => {
    const possible = imageOf(homography, reference, query) !== undefined;
    return { homography, ...measured(pairs, homography), possible };
  };
  const affine = judged(map);
  const bent = bend(pairs, map, effort);
  return bent ? better(judged(bent), affine) : affine;
}

/** The possible one; of two such, or none, the one with more evidence, or else the first. */
export function better<A extends Pick<Alignment, 'evidence' | 'possible'>>(one: A, other: A): A {
  if (one.possible !== other.possible) return one.possible ? one : other;
  return one.evidence >= other.evidence ? one : other;
}

/** Refines a map to a homography; undefined where too few places support one. */
export function bend(pairs: Tentative, start: Homography, effort: Effort): Homography | undefined {
  effort.spend(HOMOGRAPHY_COMPARISONS * pairs.count);
  if (pairs.count < MIN_HOMOGRAPHY_CELLS) return undefined;
  let map = start;
  for (const tolerance of HOMOGRAPHY_TOLERANCES_PIXELS) {
    const weights = agreement(pairs, map, tolerance);
    if (distinct(pairs, weights) < MIN_HOMOGRAPHY_CELLS) return undefined;
    const next = fitHomography(pairs, weights, map);
    if (!next) return undefined;
    map = next;
  }
  return map;
}

function measured(pairs: Tentative, homography: Homography): Pick<Alignment, 'inliers' | 'evidence'> {
  const weights = agreement(pairs, homography, INLIER_TOLERANCE_PIXELS);
  const inliers: number[] = [];
  for (let i = 0; i < pairs.count; i++) if (weights[i] > 0) inliers.push(i);
  return { inliers, evidence: evidence(pairs, inliers) };
}

/** Tukey's biweight of the distance between where a feature is and where the map puts it; 0 beyond the tolerance. */
function agreement(pairs: Tentative, map: Homography, tolerance: number): Float64Array {
  const weights = new Float64Array(pairs.count);
  for (let i = 0; i < pairs.count; i++) {
    const [x, y] = project(map, pairs.rx[i], pairs.ry[i]);
    const [ex, ey] = [x - pairs.qx[i], y - pairs.qy[i]];
    const reach = tolerance * 0.5 * (1 + pairs.qScale[i]);
    const off = (ex * ex + ey * ey) / (reach * reach);
    if (off < 1) weights[i] = ((1 - off) * (1 - off)) / (reach * reach);
  }
  return weights;
}

/** Distinct places on the side that has fewer of them. */
function distinct(pairs: Tentative, weights: Float64Array): number {
  return Math.min(places(pairs.rx, pairs.ry, weights), places(pairs.qx, pairs.qy, weights));
}

function places(x: Float64Array, y: Float64Array, weights: Float64Array): number {
  const cells = new Set<number>();
  for (let i = 0; i < weights.length; i++) {
    if (weights[i] > 0) cells.add(cellOf(x[i], y[i]));
  }
  return cells.size;
}
