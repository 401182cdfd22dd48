import { type Keypoints, keypointsOf, type LocalDna } from '../../dna/local.ts';
import { imageOf, type Size } from '../../geometry/frame.ts';
import { compose, type Homography } from '../../geometry/homography.ts';
import { vocabulary } from '../features/vocabulary.ts';
import { type Alignment, bend } from './alignment.ts';
import { Effort } from './effort.ts';
import { support } from './evidence.ts';
import type { Aligned } from './repeats.ts';
import { emptyTentative, scaleOf, type Tentative } from './tentative.ts';
import { verifyMemory } from './verify-memory.ts';

/** How often the map is refined at most; each round reaches farther from the first inliers. */
const MAX_ROUNDS = 4;
/** Growth of the support by no more than this share ends the refinement. */
const MIN_GROWTH_SHARE = 0.05;
/** How far a map is displaced to see what agrees by chance, in pixels of the query's frame: beyond the tolerance of most features. */
const DISPLACEMENT_PIXELS = 20;
/** Evidence from which on that is counted. */
const MIN_COUNTED_EVIDENCE = 1;
/** Side of the squares in which the query's features are kept, in pixels of the frame. */
const SQUARE_SIDE_PIXELS = 24;

/** What guided matching needs of a picture, 14 bytes a feature. */
export interface Sketch {
  readonly count: number;
  /** As in the DNA. */
  readonly keypoints: Uint8Array;
  /** A bit an axis, 64 a feature: whether it lies above the mean. */
  readonly signs: Uint32Array;
}

/** Its keypoints are a view of the DNA. */
export function sketchOf({ count, codes, keypoints }: LocalDna): Sketch {
  const signs = new Uint32Array(2 * count);
  for (let word = 0; word < 2 * count; word++) {
    let bits = 0;
    for (let k = 15; k >= 0; k--) {
      const byte = codes[16 * word + k];
      bits = (bits << 2) | ((byte >> 3) & 1) | ((byte >> 6) & 2);
    }
    signs[word] = bits;
  }
  return { count, keypoints, signs };
}

/** The features of a query, or of its mirror image, by place: squares line by line. */
export interface Scene {
  readonly size: Size;
  readonly keypoints: Keypoints;
  readonly columns: number;
  readonly rows: number;
  /** Which feature each square begins with. */
  readonly starts: Uint32Array;
  /** As the kernel reads them. */
  readonly features: Uint8Array;
}

/** Bytes of a feature in a scene. */
const FEATURE_BYTES = 32;

/**
 * @param sketch     of the query
 * @param keypoints  the query's own, or those of its mirror image
 */
export function sceneOf(query: LocalDna, sketch: Sketch, keypoints: Keypoints, mirrored: boolean): Scene {
  const columns = Math.floor(query.width / SQUARE_SIDE_PIXELS) + 1;
  const rows = Math.floor(query.height / SQUARE_SIDE_PIXELS) + 1;
  const { x, y, angle, level } = keypoints;
  const squareOf = (i: number): number =>
    columns * Math.floor(y[i] / SQUARE_SIDE_PIXELS) + Math.floor(x[i] / SQUARE_SIDE_PIXELS);
  const starts = new Uint32Array(columns * rows + 1);
  for (let i = 0; i < query.count; i++) starts[squareOf(i) + 1]++;
  for (let k = 1; k < starts.length; k++) starts[k] += starts[k - 1];
  const next = starts.slice();
  const features = new Uint8Array(FEATURE_BYTES * query.count);
  const view = new DataView(features.buffer);
  const [low, high] = mirrored ? oddAxes() : [0, 0];
  for (let i = 0; i < query.count; i++) {
    const at = FEATURE_BYTES * next[squareOf(i)]++;
    view.setFloat64(at, scaleOf(level[i]), true);
    view.setUint32(at + 8, sketch.signs[2 * i] ^ low, true);
    view.setUint32(at + 12, sketch.signs[2 * i + 1] ^ high, true);
    view.setFloat32(at + 16, x[i], true);
    view.setFloat32(at + 20, y[i], true);
    view.setUint32(at + 24, angle[i], true);
    view.setUint32(at + 28, i, true);
  }
  return { size: query, keypoints, columns, rows, starts, features };
}

/** The bits that a mirror inverts. */
function oddAxes(): [number, number] {
  const words: [number, number] = [0, 0];
  vocabulary().mirroredStep.forEach((step, axis) => {
    if (step < 0) words[axis >> 5] |= 1 << (axis & 31);
  });
  return words;
}

/**
 * Guided matching: with the map known, each feature of the reference is searched for where the map puts it, whatever its
 * word. Under a true map most are found, under a chance map hardly more than before. So the evidence is the geometric mean
 * of the first evidence and the new support, which separates the two better than either. The map is refined on the features
 * found, as long as their number grows and effort is left: features far from the first ones show the foreshortening.
 * @param chance  whether the support of the displaced map is counted, too
 */
export function matchGuided(
  first: Alignment,
  sketch: Sketch,
  reference: Size,
  scene: Scene,
  effort = new Effort(),
  chance = false,
): Aligned {
  const match = matcher(sketch, scene, effort);
  let best = match.under(first.homography);
  let possible = first.possible;
  for (let round = 0; round < MAX_ROUNDS && effort.left > 0; round++) {
    const finer = bend(best.pairs, best.homography, effort);
    if (!finer || !imageOf(finer, reference, scene.size)) break;
    const next = match.under(finer);
    const grown = next.support - best.support;
    if (grown >= 0) [best, possible] = [next, true];
    if (grown <= MIN_GROWTH_SHARE * best.support) break;
  }
  const { pairs, homography, support } = best;
  const evidence = Math.sqrt(first.evidence * support);
  const displaced = chance && evidence >= MIN_COUNTED_EVIDENCE ? displacedSupport(match, homography) : undefined;
  match.end();
  const inliers = Array.from({ length: pairs.count }, (_, i) => i);
  return {
    pairs,
    alignment: {
      homography,
      inliers,
      possible,
      evidence,
      ...(displaced !== undefined && { chance: { support, displaced } }),
    },
  };
}

/** The mean support of the map displaced to four sides. */
function displacedSupport({ under }: Pick<ReturnType<typeof matcher>, 'under'>, homography: Homography): number {
  const by = DISPLACEMENT_PIXELS;
  const supports = [
    [by, 0],
    [-by, 0],
    [0, by],
    [0, -by],
  ].map(([x, y]) => under(compose([1, 0, x, 0, 1, y, 0, 0, 1], homography)).support);
  return supports.reduce((sum, support) => sum + support, 0) / supports.length;
}

interface Matched {
  readonly homography: Homography;
  readonly pairs: Tentative;
  readonly support: number;
}

/** Matches one reference with a scene, under one map after the other. */
function matcher(sketch: Sketch, { size, keypoints: seen, columns, rows, starts, features }: Scene, effort: Effort) {
  const { workspace, tables } = verifyMemory();
  const { count } = sketch;
  const mark = workspace.mark();
  const squares = [workspace.put(starts), workspace.put(features)];
  const scene = workspace.take(40);
  workspace.doubles(scene, 3).set([size.width, size.height, SQUARE_SIDE_PIXELS]);
  workspace.integers(scene + 24, 4).set([columns, rows, ...squares]);
  const places = workspace.put(sketch.keypoints);
  const signs = workspace.put(sketch.signs);
  const map = workspace.take(72);
  const out = workspace.take(4 * (count + 1));
  const own = keypointsOf(sketch);
  return {
    under(homography: Homography): Matched {
      workspace.doubles(map, 9).set(homography);
      const found = workspace.kernels.partners(map, places, signs, count, scene, tables, effort.left, out);
      effort.spend(workspace.integers(out, count + 1)[count]);
      const pairs = paired(workspace.integers(out, count), found, own, seen);
      const all = Array.from({ length: found }, (_, i) => i);
      return { homography, pairs, support: support(pairs, all) };
    },
    end: () => workspace.release(mark),
  };
}

/** The value for a feature without a partner. */
const NO_PARTNER = 0xffffffff;

/** @param partners  for each feature of the reference, as the kernel writes them */
function paired(partners: Uint32Array, count: number, own: Keypoints, seen: Keypoints): Tentative {
  const pairs = emptyTentative(count);
  let k = 0;
  for (let i = 0; i < partners.length; i++) {
    if (partners[i] === NO_PARTNER) continue;
    const f = partners[i] & 0xffff;
    pairs.feature[k] = f;
    pairs.distance[k] = partners[i] >>> 16;
    pairs.rx[k] = own.x[i];
    pairs.ry[k] = own.y[i];
    pairs.qx[k] = seen.x[f];
    pairs.qy[k] = seen.y[f];
    pairs.angle[k] = (seen.angle[f] - own.angle[i]) & 255;
    pairs.rScale[k] = scaleOf(own.level[i]);
    pairs.qScale[k] = scaleOf(seen.level[f]);
    k++;
  }
  return pairs;
}
