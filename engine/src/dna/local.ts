import { DnaError } from '../errors.ts';
import { frameSize } from '../geometry/frame.ts';
import { colourGrid } from './colours.ts';
import { crc32c } from './crc32c.ts';
import { type Miniature, miniatureBytes, miniatureSize } from './miniature.ts';

/**
 * The DNA of a picture by its local features, as one block of bytes. The arrays are views on it.
 *
 *     byte  field, little-endian
 *     0     magic, 0xd7
 *     1     version
 *     2     kind, a place in `localKinds`
 *     3     0
 *     4     n, the number of features                                     uint16
 *     6     features of the core, which are first                         uint16
 *     8     width, height of the upright picture before any reduction     2 × uint16
 *     12    1 where colours are behind the miniature, otherwise 0         uint32
 *     16    n descriptors, 64 axes of 4 bits                              n × 32 bytes
 *     …     n keypoints: x, y in 1/64 px of the frame, uint16; angle in 1/256, uint8; level + 16, uint8
 *     …     miniature, 4 bits a cell
 *     …     colours, 8 bits a cell
 *     …     CRC-32C of all before
 *
 * The core of a query DNA is the reference DNA of the same picture. Core and rest are each in order of
 * (level, y, x, angle), no two alike, so that a picture has one block only.
 */
export interface LocalDna {
  readonly bytes: Uint8Array;
  readonly kind: LocalKind;
  readonly originalWidth: number;
  readonly originalHeight: number;
  /** Size of the frame, in whose pixels places are given. */
  readonly width: number;
  readonly height: number;
  readonly count: number;
  readonly core: number;
  readonly codes: Uint8Array;
  readonly keypoints: Uint8Array;
  readonly miniature: Miniature;
}

export const localKinds = [
  'media-reference',
  'media-query',
  'mobile-reference',
  'mobile-query',
  'brand-reference',
  'brand-query',
  'brand-drawing-reference',
] as const;
export type LocalKind = (typeof localKinds)[number];

/** Features of the core and of the whole that `describe` keeps at most. */
const mostFeatures: Readonly<Record<LocalKind, readonly [core: number, all: number]>> = {
  'media-reference': [340, 340],
  'media-query': [340, 2000],
  'mobile-reference': [420, 420],
  'mobile-query': [420, 1800],
  'brand-reference': [340, 340],
  'brand-query': [340, 2000],
  'brand-drawing-reference': [340, 340],
};

/** Longest side of the frame that smaller pictures are enlarged to: logos are small and have few features to lose. */
export function leastFrame(kind: LocalKind): number {
  return kind.startsWith('brand') ? 300 : 0;
}

/** One feature on its way into a block. */
export interface Feature {
  readonly core: boolean;
  /** In pixels of the frame. */
  readonly x: number;
  readonly y: number;
  /** In 1/256 of a circle. */
  readonly angle: number;
  readonly level: number;
  /** 32 bytes. */
  readonly code: Uint8Array;
}

const MAGIC = 0xd7;
/** Goes up with any change that moves one bit of any DNA. */
const VERSION = 1;
const HEADER_BYTES = 16;
/** Where it says whether there are colours. */
const FLAGS_AT = 12;
const CODE_BYTES = 32;
/** Bytes of a keypoint, and the place of its angle among them. */
export const KEYPOINT_BYTES = 6;
export const ANGLE_OFFSET = 4;
/** Steps of a place in a pixel, and the value of level 0. */
export const SUBPIXEL_STEPS = 64;
export const LEVEL_ZERO_BYTE = 16;
const MAX_FEATURES = 2048;
/** Levels of the pyramid that a feature may come from; those of the core begin at 0. */
const PYRAMID_LEVELS = { finest: -3, coarsest: 15 };

/** Writes a block. The order of the features does not matter; of features at the same place, level and angle one is kept. */
export function writeLocalDna(
  kind: LocalKind,
  originalWidth: number,
  originalHeight: number,
  features: readonly Feature[],
  { packed, colours }: Miniature,
): Uint8Array {
  const keys = features.map(keyOf);
  const sorted = features
    .map((_, i) => i)
    .sort((a, b) => keys[a] - keys[b] || byBytes(features[a].code, features[b].code))
    .filter((from, i, all) => i === 0 || keys[from] !== keys[all[i - 1]]);
  const n = sorted.length;
  const cells = HEADER_BYTES + n * (CODE_BYTES + KEYPOINT_BYTES);
  const bytes = new Uint8Array(cells + packed.length + (colours?.packed.length ?? 0) + 4);
  const view = new DataView(bytes.buffer);
  bytes.set([MAGIC, VERSION, localKinds.indexOf(kind)]);
  view.setUint16(4, n, true);
  view.setUint16(6, sorted.filter((from) => features[from].core).length, true);
  view.setUint16(8, originalWidth, true);
  view.setUint16(10, originalHeight, true);
  view.setUint32(FLAGS_AT, colours ? 1 : 0, true);
  sorted.forEach((from, i) => {
    const { x, y, angle, level, code } = features[from];
    bytes.set(code, HEADER_BYTES + CODE_BYTES * i);
    const at = HEADER_BYTES + CODE_BYTES * n + KEYPOINT_BYTES * i;
    view.setUint16(at, stepsOf(x), true);
    view.setUint16(at + 2, stepsOf(y), true);
    bytes[at + ANGLE_OFFSET] = angle;
    bytes[at + 5] = level + LEVEL_ZERO_BYTE;
  });
  bytes.set(packed, cells);
  if (colours) bytes.set(colours.packed, cells + packed.length);
  return sealed(bytes);
}

function stepsOf(pixels: number): number {
  return Math.round(pixels * SUBPIXEL_STEPS);
}

/** The core first, then by level, y, x and angle: all in one number below 2^47. */
function keyOf({ core, level, x, y, angle }: Feature): number {
  const place = (32 * (core ? 0 : 1) + level + LEVEL_ZERO_BYTE) * 0x10000 + stepsOf(y);
  return (place * 0x10000 + stepsOf(x)) * 256 + angle;
}

/** Only so that one and the same of several features at one place is kept. */
function byBytes(a: Uint8Array, b: Uint8Array): number {
  const first = a.findIndex((byte, i) => byte !== b[i]);
  return first < 0 ? 0 : a[first] - b[first];
}

function sealed(bytes: Uint8Array): Uint8Array {
  new DataView(bytes.buffer, bytes.byteOffset).setUint32(bytes.length - 4, crc32c(bytes.subarray(0, -4)), true);
  return bytes;
}

/** Refuses whatever `writeLocalDna` does not write, and another version rather than guessing. */
export function openLocalDna(block: Uint8Array, kinds: readonly LocalKind[]): LocalDna {
  if (block.length < HEADER_BYTES + 4 || block[0] !== MAGIC) throw new DnaError(`not a DNA: ${block.length} bytes`);
  if (block[1] !== VERSION) throw new DnaError(`DNA version ${block[1]}, expected ${VERSION}`);
  const view = new DataView(block.buffer, block.byteOffset, block.length);
  const count = view.getUint16(4, true);
  const core = view.getUint16(6, true);
  const originalWidth = view.getUint16(8, true);
  const originalHeight = view.getUint16(10, true);
  const grid = miniatureSize({ width: originalWidth, height: originalHeight });
  const end = HEADER_BYTES + count * (CODE_BYTES + KEYPOINT_BYTES);
  const tones = end + miniatureBytes(grid);
  const flags = view.getUint32(FLAGS_AT, true);
  const colours = colourGrid({ width: originalWidth, height: originalHeight });
  const expected = tones + (flags & 1 ? colours.width * colours.height : 0) + 4;
  if (block.length !== expected) throw new DnaError(`DNA of ${block.length} bytes, expected ${expected}`);
  const checksum = view.getUint32(block.length - 4, true);
  if (crc32c(block.subarray(0, -4)) !== checksum) throw new DnaError('DNA is damaged: its checksum does not fit');
  const kind = localKinds[block[2]];
  if (!kind || !kinds.includes(kind)) {
    throw new DnaError(`DNA of kind ${kind ?? block[2]}, expected ${kinds.join(' or ')}`);
  }
  if (block[3] !== 0 || flags > 1) throw new DnaError('DNA has unknown fields');
  if (originalWidth === 0 || originalHeight === 0) throw new DnaError('DNA of a picture without size');
  if (count === 0 || count > MAX_FEATURES || core === 0 || core > count) {
    throw new DnaError(`DNA of ${count} features, ${core} of them core, expected 1 to ${MAX_FEATURES}`);
  }
  if (kind.endsWith('reference') && core !== count) throw new DnaError('reference DNA with features beyond its core');
  const { width, height } = frameSize(originalWidth, originalHeight, leastFrame(kind));
  const dna = {
    bytes: block,
    kind,
    originalWidth,
    originalHeight,
    width,
    height,
    count,
    core,
    codes: block.subarray(HEADER_BYTES, HEADER_BYTES + CODE_BYTES * count),
    keypoints: block.subarray(HEADER_BYTES + CODE_BYTES * count, end),
    miniature: {
      ...grid,
      packed: block.subarray(end, tones),
      ...(flags === 1 && { colours: { ...colours, packed: block.subarray(tones, -4) } }),
    },
  };
  checkKeypoints(dna);
  return dna;
}

function checkKeypoints(dna: LocalDna): void {
  const { x, y, angle, level } = keypointsOf(dna);
  for (let i = 0; i < dna.count; i++) {
    if (x[i] > dna.width || y[i] > dna.height) throw new DnaError(`DNA has a feature outside its picture: number ${i}`);
    const finest = i < dna.core ? 0 : PYRAMID_LEVELS.finest;
    if (level[i] < finest || level[i] > PYRAMID_LEVELS.coarsest) {
      throw new DnaError(
        `DNA has a feature of level ${level[i]}, expected ${finest} to ${PYRAMID_LEVELS.coarsest}: number ${i}`,
      );
    }
    if (i === 0 || i === dna.core) continue;
    const order = level[i - 1] - level[i] || y[i - 1] - y[i] || x[i - 1] - x[i] || angle[i - 1] - angle[i];
    if (order >= 0) throw new DnaError(`DNA has its features out of order: number ${i}`);
  }
}

/**
 * Reads a block that comes from outside. Besides what `openLocalDna` refuses, one with more features than any picture has:
 * what a search takes grows with their product.
 */
export function receiveLocalDna(block: Uint8Array, kinds: readonly LocalKind[]): LocalDna {
  const dna = openLocalDna(block, kinds);
  const [core, all] = mostFeatures[dna.kind];
  if (dna.core > core || dna.count > all) {
    throw new DnaError(`DNA of ${dna.count} features, ${dna.core} of them core, expected at most ${all} and ${core}`);
  }
  return dna;
}

/** Places in pixels of the frame, angles in 1/256, levels of the pyramid. */
export interface Keypoints {
  readonly x: Float32Array;
  readonly y: Float32Array;
  readonly angle: Uint8Array;
  readonly level: Int8Array;
}

export function keypointsOf({ count, keypoints }: Pick<LocalDna, 'count' | 'keypoints'>): Keypoints {
  const view = new DataView(keypoints.buffer, keypoints.byteOffset, keypoints.length);
  const points = {
    x: new Float32Array(count),
    y: new Float32Array(count),
    angle: new Uint8Array(count),
    level: new Int8Array(count),
  };
  for (let i = 0; i < count; i++) {
    points.x[i] = view.getUint16(KEYPOINT_BYTES * i, true) / SUBPIXEL_STEPS;
    points.y[i] = view.getUint16(KEYPOINT_BYTES * i + 2, true) / SUBPIXEL_STEPS;
    points.angle[i] = keypoints[KEYPOINT_BYTES * i + ANGLE_OFFSET];
    points.level[i] = keypoints[KEYPOINT_BYTES * i + 5] - LEVEL_ZERO_BYTE;
  }
  return points;
}

/**
 * The core by its features alone: the header of the reference block, descriptors and keypoints.
 * @returns the large parts as views of the DNA: a copy of each picture that is added would be garbage
 */
export function coreFeaturesOf(dna: LocalDna): readonly Uint8Array[] {
  const n = dna.core;
  const header = new Uint8Array(dna.bytes.subarray(0, HEADER_BYTES)); // not a slice, which is a view of a Buffer
  header[2] -= dna.kind.endsWith('query') ? 1 : 0;
  const view = new DataView(header.buffer);
  view.setUint16(4, n, true);
  view.setUint32(FLAGS_AT, 0, true); // what is not among the features
  return [header, dna.codes.subarray(0, CODE_BYTES * n), dna.keypoints.subarray(0, KEYPOINT_BYTES * n)];
}
