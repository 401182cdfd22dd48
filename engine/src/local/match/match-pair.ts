import { type Keypoints, keypointsOf, type LocalDna } from '../../dna/local.ts';
import type { Correspondences } from '../index/correspondences.ts';
import { align, type Alignment, better } from '../verify/alignment.ts';
import { cornersOf, type Point, type Size } from '../../geometry/frame.ts';
import { compose, type Homography, project } from '../../geometry/homography.ts';
import type { Effort } from '../verify/effort.ts';
import { lookAgain, type Sketch } from '../verify/guided-matching.ts';
import { tentative, type Tentative } from '../verify/tentative.ts';
import type { Verdict } from '../../partition/partition.ts';
import type { Steps } from '../../steps.ts';
import type { View } from './variant.ts';

/** A reference picture as verification knows it; the size is that of its frame. */
export interface Extent extends Size {
  readonly originalWidth: number;
  readonly originalHeight: number;
  readonly features: number;
  /** Where pictures are looked at twice. */
  readonly sketch?: Sketch | undefined;
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

/** One place in which a reference shows in a query. */
export interface Placement extends Alignment {
  readonly mirrored: boolean;
  readonly agreements: readonly Agreement[];
}

/** How a reference and a query lie on each other. */
export interface Sighting {
  readonly query: LocalDna;
  /** Of the query's features. */
  readonly keypoints: Keypoints;
  readonly reference: Extent;
  /** Where the reference shows, the surest first; one place unless the partition looks for more. */
  readonly placements: readonly [Placement, ...Placement[]];
  /** Both have the same DNA. */
  readonly exact: boolean;
}

/** Turns a sighting into what is answered; undefined when it is none after all. */
export type Judge = (sighting: Sighting) => Omit<Verdict, 'image'> | undefined;

/** Evidence without which a second look is not worth the time. */
const PROMISING = 0.5;

/** How a reference is looked for. */
export interface Finding {
  readonly instances: Instances;
  /** Whether it may be seen from far aside, see `align`. */
  readonly tilted: boolean;
}

/** How many places a reference is looked for in, and the evidence that each needs before another one is looked for. */
export interface Instances {
  readonly most: number;
  readonly least: number;
}

/**
 * Looks for picture `k` in every view, but in none that promises less than half of another. Further
 * instances are looked for the way the first was found, among what the ones before have left, as long as each is sure and
 * effort is left.
 */
export function* placements(
  query: LocalDna,
  reference: Extent,
  views: readonly View[],
  k: number,
  { instances: { most, least }, tilted }: Finding,
  effort: Effort,
): Steps<Placement[]> {
  const aligning = (found: Correspondences, keypoints: Keypoints): Aligned | undefined => {
    const pairs = tentative(found, keypoints);
    const alignment = align(pairs, reference, query, tilted, effort);
    return alignment && { pairs, alignment };
  };
  const promised = Math.max(...views.map(({ found }) => promise(found[k])));
  let first: { aligned: Aligned; view: View } | undefined;
  for (const view of views) {
    if (2 * promise(view.found[k]) < promised) continue;
    const aligned = aligning(view.found[k], view.keypoints);
    yield;
    if (!aligned || aligned.alignment.evidence <= 0) continue;
    if (!first || better(first.aligned.alignment, aligned.alignment) === aligned.alignment) first = { aligned, view };
  }
  if (!first) return [];
  const { view } = first;
  const all: Placement[] = [];
  let left = view.found[k];
  for (let next: Aligned | undefined = first.aligned; next; next = aligning(left, view.keypoints)) {
    next = again(next, view, reference, effort);
    yield;
    const sure = next.alignment.possible && next.alignment.evidence >= least;
    if (all.length > 0 && !sure) break;
    all.push(placed(next, view.mirrored, query.width));
    if (!sure || all.length === most || effort.left === 0) break;
    left = without(left, view.keypoints, next, reference);
  }
  return all;
}

interface Aligned {
  readonly pairs: Tentative;
  readonly alignment: Alignment;
}

/** With the second look, where there is one and the first promises something. */
function again(first: Aligned, { scene }: View, reference: Extent, effort: Effort): Aligned {
  if (!scene || !reference.sketch || first.alignment.evidence < PROMISING) return first;
  return lookAgain(first.alignment, reference.sketch, reference, scene(), effort);
}

function placed({ pairs, alignment }: Aligned, mirrored: boolean, width: number): Placement {
  const flip = [-1, 0, width, 0, 1, 0, 0, 0, 1];
  const homography = mirrored ? compose(flip, alignment.homography) : alignment.homography;
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

/** The reference on itself. */
export function exactPlacement(query: LocalDna): Placement {
  const homography: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
  const { x, y } = keypointsOf(query);
  const inliers = Array.from({ length: query.core }, (_, i) => i);
  const agreements = inliers.map((feature): Agreement => {
    const place: Point = [x[feature], y[feature]];
    return { feature, query: place, reference: place, distance: 0 };
  });
  return { homography, inliers, evidence: Infinity, possible: true, mirrored: false, agreements };
}

/** The correspondences whose query feature lies outside where the reference was seen. */
function without(found: Correspondences, { x, y }: Keypoints, { alignment }: Aligned, reference: Size) {
  const seen = cornersOf(reference).map(([cx, cy]) => project(alignment.homography, cx, cy));
  const kept: number[] = [];
  found.feature.forEach((f, i) => {
    if (!contains(seen, x[f], y[f])) kept.push(i);
  });
  return {
    count: kept.length,
    feature: Uint16Array.from(kept, (i) => found.feature[i]),
    distance: Uint8Array.from(kept, (i) => found.distance[i]),
    x: Float32Array.from(kept, (i) => found.x[i]),
    y: Float32Array.from(kept, (i) => found.y[i]),
    turn: Uint8Array.from(kept, (i) => found.turn[i]),
    level: Uint8Array.from(kept, (i) => found.level[i]),
  };
}

/** Whether (x, y) lies in a convex polygon that runs clockwise on a screen. */
export function contains(polygon: readonly Point[], x: number, y: number): boolean {
  let from = polygon[polygon.length - 1];
  for (const to of polygon) {
    if ((to[0] - from[0]) * (y - from[1]) < (to[1] - from[1]) * (x - from[0])) return false;
    from = to;
  }
  return true;
}

/** How much correspondences promise before anything is known of where they lie. */
function promise({ distance }: Correspondences): number {
  let sum = 0;
  for (let i = 0; i < distance.length; i++) sum += 23 - distance[i];
  return sum;
}
