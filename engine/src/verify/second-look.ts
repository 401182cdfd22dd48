import { type Keypoints, keypointsOf, type LocalDna } from '../dna/local.ts';
import { vocabulary } from '../features/vocabulary.ts';
import { type Alignment, bend } from './alignment.ts';
import { support } from './evidence.ts';
import { imageOf, type Size } from './frame.ts';
import { type Homography, project } from './homography.ts';
import { scaleOf, type Tentative } from './tentative.ts';
import { cosines, sine } from './turn.ts';

/** How far a feature may lie from where the map puts it, in pixels of the wider of the two features' levels. */
const REACH = 3;
/** By what factor its scale may differ … */
const SCALE = 1.6;
/** … and the cosine by which its direction may: 28 degrees. */
const TURN = 0.883;
/** More axes than this on different sides are no likeness. */
const UNLIKE = 22;
/** How often the map is refined at most; each time it reaches farther from where the first look had found something. */
const ROUNDS = 4;
/** Growth of the support by no more than this share ends the refinement. */
const GROWTH = 0.05;
/** Side of the squares in which the query's features are kept, in pixels of the frame. */
const SQUARE = 24;

/** What a second look needs of a picture, 14 bytes a feature. */
export interface Sketch {
  readonly count: number;
  /** As in the DNA. */
  readonly keypoints: Uint8Array;
  /** A bit an axis, 64 a feature: whether it lies above the mean. */
  readonly signs: Uint32Array;
}

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
  return { count, keypoints: keypoints.slice(), signs };
}

/** The features of a query, or of its mirror image, by place. */
export interface Scene {
  readonly size: Size;
  readonly keypoints: Keypoints;
  readonly signs: Uint32Array;
  readonly columns: number;
  readonly rows: number;
  /** Where the features of each square begin in `features`. */
  readonly starts: Uint32Array;
  readonly features: Uint16Array;
}

/**
 * @param sketch     of the query
 * @param keypoints  the query's own, or those of its mirror image
 */
export function sceneOf(query: LocalDna, sketch: Sketch, keypoints: Keypoints, mirrored: boolean): Scene {
  const columns = Math.floor(query.width / SQUARE) + 1;
  const rows = Math.floor(query.height / SQUARE) + 1;
  const squareOf = (i: number): number =>
    columns * Math.floor(keypoints.y[i] / SQUARE) + Math.floor(keypoints.x[i] / SQUARE);
  const starts = new Uint32Array(columns * rows + 1);
  for (let i = 0; i < query.count; i++) starts[squareOf(i) + 1]++;
  for (let k = 1; k < starts.length; k++) starts[k] += starts[k - 1];
  const next = starts.slice();
  const features = new Uint16Array(query.count);
  for (let i = 0; i < query.count; i++) features[next[squareOf(i)]++] = i;
  const signs = sketch.signs.slice();
  if (mirrored) {
    const [low, high] = oddAxes();
    for (let i = 0; i < query.count; i++) {
      signs[2 * i] ^= low;
      signs[2 * i + 1] ^= high;
    }
  }
  return { size: query, keypoints, signs, columns, rows, starts, features };
}

/** The bits that a mirror turns around. */
function oddAxes(): [number, number] {
  const words: [number, number] = [0, 0];
  vocabulary().mirroredStep.forEach((step, axis) => {
    if (step < 0) words[axis >> 5] |= 1 << (axis & 31);
  });
  return words;
}

/**
 * Looks again with the map known: each feature of the reference is looked for where the map puts it, alike or not. Of a
 * map that is true most are there; of one that agrees by chance, hardly more than had been found. So the evidence of
 * both looks, their geometric mean, parts the two better than either. The map is refined on what the second look finds,
 * as long as that finds more: features far from those that were found first show how a tilted picture is foreshortened.
 */
export function lookAgain(first: Alignment, sketch: Sketch, reference: Size, scene: Scene): SecondLook {
  const keypoints = keypointsOf(sketch);
  let look = lookedAt(first.homography, sketch, keypoints, scene);
  let possible = first.possible;
  for (let round = 0; round < ROUNDS; round++) {
    const finer = bend(look.pairs, look.homography);
    if (!finer || !imageOf(finer, reference, scene.size)) break;
    const next = lookedAt(finer, sketch, keypoints, scene);
    const grown = next.support - look.support;
    if (grown >= 0) [look, possible] = [next, true];
    if (grown <= GROWTH * look.support) break;
  }
  const { pairs, homography } = look;
  const inliers = Array.from({ length: pairs.count }, (_, i) => i);
  return { pairs, alignment: { homography, inliers, possible, evidence: Math.sqrt(first.evidence * look.support) } };
}

export interface SecondLook {
  readonly pairs: Tentative;
  readonly alignment: Alignment;
}

function lookedAt(homography: Homography, sketch: Sketch, keypoints: Keypoints, scene: Scene) {
  const pairs = expected(homography, sketch, keypoints, scene);
  const all = Array.from({ length: pairs.count }, (_, i) => i);
  return { homography, pairs, support: support(pairs, all) };
}

/** For each feature of the reference the most alike of the query's that lies where the map puts it, turned and scaled so. */
function expected(
  map: Homography,
  { count, signs }: Sketch,
  { x, y, turn, level }: Keypoints,
  scene: Scene,
): Tentative {
  const { size, keypoints: seen, columns, rows, starts, features } = scene;
  const partner = new Int32Array(count).fill(-1);
  const distances = new Uint8Array(count);
  for (let i = 0; i < count; i++) {
    const [px, py] = project(map, x[i], y[i]);
    if (!(px >= 0 && py >= 0 && px <= size.width && py <= size.height)) continue;
    // the map's derivative there
    const w = map[6] * x[i] + map[7] * y[i] + map[8];
    const [a, b] = [(map[0] - px * map[6]) / w, (map[1] - px * map[7]) / w];
    const [c, d] = [(map[3] - py * map[6]) / w, (map[4] - py * map[7]) / w];
    const scale = scaleOf(level[i]) * Math.sqrt(Math.abs(a * d - b * c));
    const [cos, sin] = [cosines[turn[i]], sine(turn[i])];
    const [ux, uy] = [a * cos + b * sin, c * cos + d * sin];
    const least = TURN * Math.sqrt(ux * ux + uy * uy);
    const most = REACH * SCALE * scale;
    const left = Math.max(0, Math.floor((px - most) / SQUARE));
    const right = Math.min(columns - 1, Math.floor((px + most) / SQUARE));
    const bottom = Math.min(rows - 1, Math.floor((py + most) / SQUARE));
    let best = -1;
    let distance = UNLIKE + 1;
    for (let row = Math.max(0, Math.floor((py - most) / SQUARE)); row <= bottom; row++) {
      const end = starts[columns * row + right + 1];
      for (let k = starts[columns * row + left]; k < end; k++) {
        const f = features[k];
        const wide = scaleOf(seen.level[f]);
        if (wide > SCALE * scale || scale > SCALE * wide) continue;
        const [dx, dy, reach] = [seen.x[f] - px, seen.y[f] - py, REACH * Math.max(wide, scale)];
        if (dx * dx + dy * dy > reach * reach) continue;
        if (ux * cosines[seen.turn[f]] + uy * sine(seen.turn[f]) < least) continue;
        const off = ones(signs[2 * i] ^ scene.signs[2 * f]) + ones(signs[2 * i + 1] ^ scene.signs[2 * f + 1]);
        if (off >= distance) continue;
        best = f;
        distance = off;
      }
    }
    partner[i] = best;
    distances[i] = distance;
  }
  const found = Array.from(partner.keys()).filter((i) => partner[i] >= 0);
  const numbers = (of: (i: number) => number): Float64Array => {
    const all = new Float64Array(found.length);
    for (let k = 0; k < found.length; k++) all[k] = of(found[k]);
    return all;
  };
  return {
    count: found.length,
    found: found.length,
    feature: Uint16Array.from(numbers((i) => partner[i])),
    distance: Uint8Array.from(numbers((i) => distances[i])),
    rx: numbers((i) => x[i]),
    ry: numbers((i) => y[i]),
    qx: numbers((i) => seen.x[partner[i]]),
    qy: numbers((i) => seen.y[partner[i]]),
    turn: Uint8Array.from(numbers((i) => (seen.turn[partner[i]] - turn[i]) & 255)),
    rScale: numbers((i) => scaleOf(level[i])),
    qScale: numbers((i) => scaleOf(seen.level[partner[i]])),
  };
}

/** The bits of a word that are set. */
function ones(word: number): number {
  let n = word - ((word >>> 1) & 0x55555555);
  n = (n & 0x33333333) + ((n >>> 2) & 0x33333333);
  return Math.imul((n + (n >>> 4)) & 0x0f0f0f0f, 0x01010101) >>> 24;
}
