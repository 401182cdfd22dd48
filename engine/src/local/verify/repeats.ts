import { area, clipped, cornersOf, type Size } from '../../geometry/frame.ts';
import { project } from '../../geometry/homography.ts';
import { cosines, sine } from '../../geometry/angle.ts';
import type { Correspondences } from '../index/correspondences.ts';
import { align, type Alignment, SUFFICIENT_EVIDENCE } from './alignment.ts';
import type { Effort } from './effort.ts';
import { evidence } from './evidence.ts';
import { partOf, type Tentative, timesOf } from './tentative.ts';

/** Pictures with so many correspondences repeat themselves, such as cloth and brickwork; so do those with some, so many for each feature. */
const REPETITION = { minCorrespondences: 5000, minShared: 1000, perFeature: 8 };

/** Evidence with which even such a picture has the right place, and with which it has if no other place is as good. */
const PLACED_EVIDENCE = { always: 6, unrivalled: 4.5 };
/** A place is one of many if another has at least this share of its evidence. */
const RIVAL_EVIDENCE_SHARE = 0.4;
/** Correspondences of a feature, and of a place in the reference, that do not repeat themselves: at most so many. */
const MAX_SHARED_CORRESPONDENCES = 3;
/** Least correspondences that agree of these; up to eight do by chance. */
const MIN_DISTINCT_INLIERS = 10;
/** Least evidence of a picture that lies on another as a whole, and the evidence it counts as: below that of a Match. */
const DOUBTFUL_EVIDENCE = { minWhole: 1, from: 2, to: 2.99 };
/** The evidence of a picture in doubt that does not: at most so much, too little to be listed. */
const MAX_UNLISTED_EVIDENCE = 1.99;
/** Evidence is reduced by this factor to lie between the two. */
const EVIDENCE_SCALE = 1 / (PLACED_EVIDENCE.always + DOUBTFUL_EVIDENCE.minWhole);

/** An alignment, and the correspondences that its inliers are numbers of. */
export interface Aligned {
  readonly pairs: Tentative;
  readonly alignment: Alignment;
}

/** Whether these are correspondences of pictures that repeat themselves. */
export function repeatsItself({ count, feature }: Pick<Correspondences, 'count' | 'feature'>): boolean {
  return (
    count >= REPETITION.minCorrespondences ||
    (count >= REPETITION.minShared && count >= REPETITION.perFeature * new Set(feature).size)
  );
}

/**
 * The alignment of pictures that repeat themselves. What does not repeat itself decides where it can. Otherwise a picture
 * that agrees in one place only keeps its evidence. One that agrees in many places is in doubt: it has enough evidence to be
 * listed where the whole lies on the whole, and else hardly any.
 */
export function alignRepeated(first: Aligned, reference: Size, query: Size, effort: Effort): Aligned {
  const { pairs, alignment } = first;
  if (alignment.evidence >= PLACED_EVIDENCE.always) return first;
  const single = unrepeated(pairs);
  const distinct = align(single, reference, query, false, effort);
  if (distinct?.possible && distinct.evidence >= SUFFICIENT_EVIDENCE && distinct.inliers.length >= MIN_DISTINCT_INLIERS)
    return { pairs: single, alignment: distinct };
  if (alignment.evidence >= PLACED_EVIDENCE.unrivalled && !elsewhere(first, reference, query, effort)) return first;

  const whole = wholeOnWhole(pairs, reference, query);
  const second = align(whole, reference, query, false, effort);
  const weightOf = (of: Tentative, one: Alignment): number =>
    evidence(of, one.inliers, pairs.count) * common(one, reference, query);
  const [one, other] = [weightOf(pairs, alignment), second ? weightOf(whole, second) : 0];
  const best = second && other > one ? { pairs: whole, alignment: second } : first;
  const weight = Math.max(one, other);
  const doubtful =
    DOUBTFUL_EVIDENCE.from + Math.min(DOUBTFUL_EVIDENCE.to - DOUBTFUL_EVIDENCE.from, EVIDENCE_SCALE * weight);
  const judged = weight >= DOUBTFUL_EVIDENCE.minWhole ? doubtful : Math.min(MAX_UNLISTED_EVIDENCE, alignment.evidence);
  return { pairs: best.pairs, alignment: { ...best.alignment, evidence: judged, ambiguous: true } };
}

/** The correspondences whose feature and whose place have few others. */
function unrepeated(pairs: Tentative): Tentative {
  const { ofFeature, ofPlace } = timesOf(pairs.feature, pairs.rx, pairs.ry);
  return partOf(
    pairs,
    numbers(pairs).filter(
      (i) => ofFeature[i] <= MAX_SHARED_CORRESPONDENCES && ofPlace[i] <= MAX_SHARED_CORRESPONDENCES,
    ),
  );
}

/** Whether the correspondences that do not agree have another map with much evidence. */
function elsewhere({ pairs, alignment }: Aligned, reference: Size, query: Size, effort: Effort): boolean {
  const agree = new Set(alignment.inliers);
  const rest = numbers(pairs).filter((i) => !agree.has(i));
  const other = align(partOf(pairs, rest), reference, query, false, effort);
  return other !== undefined && other.evidence >= RIVAL_EVIDENCE_SHARE * alignment.evidence;
}

/** How far the centre of the reference may lie from that of the query, as a share of the query's diagonal … */
const MAX_CENTRE_OFFSET_SHARE = 0.15;
/** … by what factor the size may differ … */
const MAX_SIZE_RATIO = 1.35;
/** … and by how much the picture may be rotated, in 1/256 of a circle: 20 degrees. */
const MAX_ANGLE = 14;

/** The correspondences whose similarity lays the whole reference roughly on the whole query. */
function wholeOnWhole(pairs: Tentative, reference: Size, query: Size): Tentative {
  const expected = Math.sqrt((query.width * query.height) / (reference.width * reference.height));
  const [cx, cy] = [reference.width / 2, reference.height / 2];
  const far =
    MAX_CENTRE_OFFSET_SHARE * MAX_CENTRE_OFFSET_SHARE * (query.width * query.width + query.height * query.height);
  const kept: number[] = [];
  for (let i = 0; i < pairs.count; i++) {
    const angle = pairs.angle[i];
    if (angle > MAX_ANGLE && angle < 256 - MAX_ANGLE) continue;
    const scale = pairs.qScale[i] / pairs.rScale[i];
    if (scale > MAX_SIZE_RATIO * expected || expected > MAX_SIZE_RATIO * scale) continue;
    const [a, b] = [scale * cosines[angle], scale * sine(angle)];
    const [dx, dy] = [cx - pairs.rx[i], cy - pairs.ry[i]];
    const x = pairs.qx[i] + a * dx - b * dy - query.width / 2;
    const y = pairs.qy[i] + b * dx + a * dy - query.height / 2;
    if (x * x + y * y <= far) kept.push(i);
  }
  return partOf(pairs, kept);
}

function numbers({ count }: Tentative): number[] {
  return Array.from({ length: count }, (_, i) => i);
}

/** What both frames have in common, as a share of what either covers. */
function common({ homography, possible }: Alignment, reference: Size, query: Size): number {
  if (!possible) return 0;
  const image = cornersOf(reference).map(([x, y]) => project(homography, x, y));
  const both = Math.abs(area(clipped(image, query)));
  return both / (Math.abs(area(image)) + query.width * query.height - both);
}
