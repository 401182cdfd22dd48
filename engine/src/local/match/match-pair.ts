import type { Keypoints, LocalDna } from '../../dna/local.ts';
import { contains, cornersOf, type Point, type Size } from '../../geometry/frame.ts';
import { compose, type Homography, project } from '../../geometry/homography.ts';
import { finished, type Steps } from '../../steps.ts';
import type { Correspondences } from '../index/correspondences.ts';
import { correspond, recordOf } from '../index/matching.ts';
import { lookUp } from '../index/terms.ts';
import { compareLayout } from '../overlap/layout.ts';
import { overlapOf } from '../overlap/overlap.ts';
import { alignPixels, MAX_SEED_BITS } from '../overlap/same-pixels.ts';
import { MIN_LAYOUT_LIKENESS, alignWhole, LAYOUT_COMPARISONS } from '../overlap/same-whole.ts';
import { align, type Alignment, alignSqueezed, better, SUFFICIENT_EVIDENCE } from '../verify/alignment.ts';
import { Effort } from '../verify/effort.ts';
import { matchGuided } from '../verify/guided-matching.ts';
import { type Aligned, alignRepeated, repeatsItself } from '../verify/repeats.ts';
import { secondLook as lookAgain } from '../verify/second-look.ts';
import { partOf, tentative } from '../verify/tentative.ts';
import { type PreparedQuery, prepareQuery, type QueryVariant } from './prepared-query.ts';
import { type Reference, referenceOf } from './reference.ts';

/** Where and how a reference shows in a query. */
export interface PairMatch {
  readonly query: LocalDna;
  /** Of the query's features. */
  readonly keypoints: Keypoints;
  readonly reference: Reference;
  /** The places where the reference shows, the one of most evidence first. */
  readonly placements: readonly [Placement, ...Placement[]];
  /** Both have the same DNA. */
  readonly exact: boolean;
}

/** One place where a reference shows in a query. */
export interface Placement extends Alignment {
  readonly mirrored: boolean;
  readonly agreements: readonly Agreement[];
}

/** Two features that agree with a map, in pixels of either frame. */
export interface Agreement {
  /** Number of the query's feature. */
  readonly feature: number;
  readonly query: Point;
  readonly reference: Point;
  /** In bits of 64, 0 to 22. */
  readonly distance: number;
}

export interface PairOptions {
  /** In how many places the reference is searched for; one unless given. */
  readonly instances?: Instances;
  /** Whether the reference may be seen at a steep angle, see `align`. */
  readonly tilted?: boolean;
  /** Whether guided matching also counts what a displaced map gives, see `Chance`. */
  readonly chance?: boolean;
  /** Whether tilted views and guided matching are tried only where the first look leaves doubt. */
  readonly secondLook?: boolean;
}

/** The number of places, and the evidence that each needs before another is searched for. */
export interface Instances {
  readonly most: number;
  readonly least: number;
}

/** How much more evidence another variant of a picture that repeats itself has, since patterns are nearly their own mirror images. */
const REPEATED_VARIANT_FACTOR = 1.5;

const SINGLE_INSTANCE: Instances = { most: 1, least: 0 };

/** Evidence below which guided matching is left out. */
const MIN_GUIDED_EVIDENCE = 0.5;

/**
 * Matches a query with one reference. Every variant of the query is aligned, except variants whose correspondences weigh
 * less than half of another's. Further instances are searched for in the variant of the first, among the correspondences
 * outside the places already found, as long as each has enough evidence and effort is left.
 * @param found  the correspondences of each variant, in the order of `query.variants`; not read for an exact copy
 * @returns undefined where no place agrees with any other
 */
export function* matchPair(
  query: PreparedQuery,
  reference: Reference,
  found: readonly Correspondences[],
  options: PairOptions = {},
  effort = new Effort(),
): Steps<PairMatch | undefined> {
  const { dna, keypoints } = query;
  const exact = query.digest === reference.digest;
  const [first, ...further] = exact
    ? [identity(dna, keypoints)]
    : yield* placements(query, reference, found, options, effort);
  const evidence = options.secondLook ? (first?.evidence ?? 0) : Infinity;
  const same =
    (evidence < MAX_EVIDENCE_FOR_PIXELS.part && samePixels(query, reference, found, first, effort)) ||
    (evidence < MAX_EVIDENCE_FOR_PIXELS.whole && sameWhole(query, reference, found, first, effort));
  const best = same || first;
  return best && { query: dna, keypoints, reference, placements: [best, ...further], exact };
}

/** The same for two DNAs that are in no partition. */
export function matchDna(query: LocalDna, reference: LocalDna): PairMatch | undefined {
  const prepared = finished(prepareQuery(query));
  const record = recordOf(lookUp().reference(reference));
  const found = prepared.variants.map(({ entries }) => correspond(entries, record, reference.keypoints));
  return finished(matchPair(prepared, referenceOf(reference), found));
}

function* placements(
  { dna, variants }: PreparedQuery,
  reference: Reference,
  found: readonly Correspondences[],
  { instances: { most, least } = SINGLE_INSTANCE, tilted = false, chance = false, secondLook = false }: PairOptions,
  effort: Effort,
): Steps<Placement[]> {
  const aligned = (correspondences: Correspondences, { keypoints }: QueryVariant): Aligned | undefined => {
    const pairs = tentative(correspondences, keypoints);
    const alignment = secondLook
      ? alignSqueezed(pairs, reference, dna, MIN_DOUBTFUL_EVIDENCE, effort)
      : align(pairs, reference, dna, tilted, effort);
    return alignment && { pairs, alignment };
  };
  const heaviest = Math.max(...found.map(weightOf));
  // in one of the variants: a part of the features is looked up for the others
  const repeated = secondLook && found.some(repeatsItself);
  const evidently = ({ evidence, possible }: Alignment) => ({
    possible,
    evidence: (repeated ? REPEATED_VARIANT_FACTOR : 1) * evidence,
  });
  let first: { aligned: Aligned; at: number } | undefined;
  for (const [at, variant] of variants.entries()) {
    if (2 * weightOf(found[at]) < heaviest) continue;
    const next = aligned(found[at], variant);
    yield;
    if (!next || next.alignment.evidence <= 0) continue;
    if (!first || better(evidently(first.aligned.alignment), next.alignment) === next.alignment)
      first = { aligned: next, at };
  }
  if (!first) return [];
  const variant = variants[first.at];
  const all: Placement[] = [];
  let left = found[first.at];
  for (let next: Aligned | undefined = first.aligned; next; next = aligned(left, variant)) {
    if (repeated) next = alignRepeated(next, reference, dna, effort);
    else if (secondLook) next = lookedTwice(next, variant, dna, reference, effort);
    else next = guided(next, variant, reference, effort, chance);
    yield;
    const enough = next.alignment.possible && next.alignment.evidence >= least;
    if (all.length > 0 && !enough) break;
    all.push(placed(next, variant.variant === 'mirrored', dna.width));
    if (!enough || all.length === most || effort.left === 0) break;
    left = without(left, variant.keypoints, next, reference);
  }
  return all;
}

/** The alignment refined by guided matching, where the type uses that and the evidence is worth the effort. */
function guided(
  first: Aligned,
  { scene }: QueryVariant,
  reference: Reference,
  effort: Effort,
  chance: boolean,
): Aligned {
  if (!scene || !reference.sketch || first.alignment.evidence < MIN_GUIDED_EVIDENCE) return first;
  return matchGuided(first.alignment, reference.sketch, reference, scene(), effort, chance);
}

/** Evidence below which two pictures have nothing in common. */
const MIN_DOUBTFUL_EVIDENCE = 0.5;
/** Pictures with more correspondences than this share strokes or texture: which of them agree decides nothing. */
const MAX_DISTINCTIVE_CORRESPONDENCES = 150;

/** The alignment, or a better one by a second and dearer look where the first leaves doubt. */
function lookedTwice(
  first: Aligned,
  { scene }: QueryVariant,
  query: Size,
  reference: Reference,
  effort: Effort,
): Aligned {
  const { pairs, alignment } = first;
  const { sketch } = reference;
  const { evidence } = alignment;
  if (
    !scene ||
    !sketch ||
    evidence < MIN_DOUBTFUL_EVIDENCE ||
    evidence >= SUFFICIENT_EVIDENCE ||
    pairs.count > MAX_DISTINCTIVE_CORRESPONDENCES
  )
    return first;
  return lookAgain(first, { reference, sketch, query, scene: scene() }, effort);
}

/** Evidence from which on pixels need not be compared to find a small part, or a whole. */
const MAX_EVIDENCE_FOR_PIXELS = { part: 5, whole: 16 };
/** Pictures with more correspondences have rows of like things, as dots and charts, which agree as bands between strips do. */
const MAX_STRIPED_CORRESPONDENCES = 500;

/** The placement of a small part that shows by its pixels, with the evidence of a match. */
function samePixels(
  { dna, variants }: PreparedQuery,
  reference: Reference,
  found: readonly Correspondences[],
  first: Placement | undefined,
  effort: Effort,
): Placement | undefined {
  for (const [at, { variant, keypoints }] of variants.entries()) {
    const { count, distance } = found[at];
    if (
      variant === 'inverted' ||
      count > MAX_DISTINCTIVE_CORRESPONDENCES ||
      !distance.some((bits) => bits <= MAX_SEED_BITS)
    )
      continue;
    const mirrored = variant === 'mirrored';
    const pairs = tentative(found[at], keypoints);
    const overlapUnder = (map: Homography) => overlapOf(reference, dna, inQuery(map, mirrored, dna.width));
    const alignment = alignPixels(pairs, overlapUnder, reference, dna, effort);
    if (!alignment) continue;
    const evidence = Math.max(SUFFICIENT_EVIDENCE, alignment.evidence, first?.evidence ?? 0);
    return { ...placed({ pairs, alignment }, mirrored, dna.width), evidence, samePixels: true };
  }
  return undefined;
}

/** The placement of a whole that is the same whole, with the evidence of a match. */
function sameWhole(
  { dna, variants, layout }: PreparedQuery,
  reference: Reference,
  found: readonly Correspondences[],
  first: Placement | undefined,
  effort: Effort,
): Placement | undefined {
  const { miniature, sketch } = reference;
  if (!layout || !sketch) return undefined;
  effort.spend(LAYOUT_COMPARISONS);
  const { likeness, mirrored } = compareLayout(miniature, layout);
  const scene = variants.find(({ variant }) => variant === (mirrored ? 'mirrored' : 'plain'))?.scene;
  if (likeness < MIN_LAYOUT_LIKENESS || !scene) return undefined;
  const bands = found.every(({ count }) => count <= MAX_STRIPED_CORRESPONDENCES);
  const overlapUnder = (map: Homography) => overlapOf(reference, dna, inQuery(map, mirrored, dna.width), { bands });
  const whole = alignWhole({ ...reference, sketch }, scene(), overlapUnder, effort);
  if (!whole) return undefined;
  const evidence = Math.max(whole.alignment.evidence, first?.evidence ?? 0);
  return { ...placed(whole, mirrored, dna.width), evidence, samePixels: true };
}

/** A map into a query or into its mirror image, as one into the query. */
function inQuery(map: Homography, mirrored: boolean, width: number): Homography {
  return mirrored ? compose([-1, 0, width, 0, 1, 0, 0, 0, 1], map) : map;
}

function placed({ pairs, alignment }: Aligned, mirrored: boolean, width: number): Placement {
  const homography = inQuery(alignment.homography, mirrored, width);
  const agreements = alignment.inliers.map((i): Agreement => {
    return {
      feature: pairs.feature[i],
      query: [mirrored ? width - pairs.qx[i] : pairs.qx[i], pairs.qy[i]],
      reference: [pairs.rx[i], pairs.ry[i]],
      distance: pairs.distance[i],
    };
  });
  return { ...alignment, homography, mirrored, agreements };
}

/** The placement of an exact copy. */
function identity({ core }: LocalDna, { x, y }: Keypoints): Placement {
  const homography: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const inliers = Array.from({ length: core }, (_, i) => i);
  const agreements = inliers.map((feature): Agreement => {
    const place: Point = [x[feature], y[feature]];
    return { feature, query: place, reference: place, distance: 0 };
  });
  return { homography, inliers, evidence: Infinity, possible: true, mirrored: false, agreements };
}

/** The correspondences whose query feature lies outside the place where the reference was found. */
function without(found: Correspondences, { x, y }: Keypoints, { alignment }: Aligned, reference: Size) {
  const outline = cornersOf(reference).map(([cx, cy]) => project(alignment.homography, cx, cy));
  const kept: number[] = [];
  found.feature.forEach((f, i) => {
    if (!contains(outline, x[f], y[f])) kept.push(i);
  });
  return partOf(found, kept);
}

/** How much correspondences weigh before their places are compared. */
function weightOf({ distance }: Correspondences): number {
  let sum = 0;
  for (let i = 0; i < distance.length; i++) sum += 23 - distance[i];
  return sum;
}
