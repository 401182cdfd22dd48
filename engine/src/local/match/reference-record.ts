import { colourGrid } from '../../dna/colours.ts';
import { KEYPOINT_BYTES, type LocalDna } from '../../dna/local.ts';
import { miniatureBytes, miniatureSize } from '../../dna/miniature.ts';
import { type FeatureRecord, recordBytes, recordOf } from '../index/matching.ts';
import type { Entries } from '../index/look-up.ts';
import type { Sketch } from '../verify/guided-matching.ts';
import type { Reference } from './reference.ts';

/**
 * What is kept of a reference besides its terms. The beginning is enough to count its votes.
 *
 *     byte  field, little-endian
 *     0     number of the picture                                          uint32
 *     4     n, the number of features that are searched                    uint16
 *     6     features of the DNA                                            uint16
 *     8     `FeatureRecord` of the n features                              n × 10 bytes
 *     …     width, height of the picture, and of its frame                 4 × uint16
 *     …     whether it has signs                                           uint16
 *     …     keypoints as in the DNA                                        n × 6 bytes
 *     …     signs of its sketch                                            n × 8 bytes
 *     …     miniature, 4 bits a cell, and its colours, if it has any, 8 bits a cell
 */
export const HEAD_BYTES = 8;
const SIZES_BYTES = 10;
const SIGN_BYTES = 8;

/** Bytes of the beginning of a record. */
export function beginning(features: number): number {
  return HEAD_BYTES + recordBytes(features);
}

/** @param looked  the searched features, one word each  @param keypoints  of these */
export function writeRecord(image: number, reference: Reference, looked: Entries, keypoints: Uint8Array): Uint8Array {
  const { sketch, miniature } = reference;
  const n = looked.features;
  const { packed: cells, colours } = miniature;
  const sizes = beginning(n);
  const places = sizes + SIZES_BYTES;
  const tones = places + KEYPOINT_BYTES * n + (sketch ? SIGN_BYTES * n : 0);
  const record = new Uint8Array(tones + cells.length + (colours?.packed.length ?? 0));
  const view = new DataView(record.buffer);
  view.setUint32(0, image, true);
  view.setUint16(4, n, true);
  view.setUint16(6, reference.features, true);
  record.set(recordOf(looked), HEAD_BYTES);
  const { originalWidth, originalHeight, width, height } = reference;
  [originalWidth, originalHeight, width, height].forEach((side, i) => view.setUint16(sizes + 2 * i, side, true));
  view.setUint16(sizes + 8, Number(sketch !== undefined), true);
  record.set(keypoints, places);
  if (sketch) record.set(new Uint8Array(sketch.signs.buffer), places + KEYPOINT_BYTES * n);
  record.set(cells, tones);
  if (colours) record.set(colours.packed, tones + cells.length);
  return record;
}

/** Throws unless the record at `at` is of this picture. */
export function checkRecord(records: Uint8Array, at: number, image: number): void {
  const found = (records[at] | (records[at + 1] << 8) | (records[at + 2] << 16) | (records[at + 3] << 24)) >>> 0;
  if (found !== image) throw new Error(`the record of picture ${image} is that of picture ${found}`);
}

export interface ReferenceRecord {
  readonly reference: Reference;
  readonly features: FeatureRecord;
  /** Of these features. */
  readonly keypoints: LocalDna['keypoints'];
}

/** @param record  has passed `checkRecord` where records have numbers; the result is a view of it */
export function openRecord(record: Uint8Array, image: number, digest: string): ReferenceRecord {
  const view = new DataView(record.buffer, record.byteOffset, record.length);
  const n = view.getUint16(4, true);
  const sizes = beginning(n);
  const places = sizes + SIZES_BYTES;
  const signs = places + KEYPOINT_BYTES * n;
  const [originalWidth, originalHeight, width, height] = [0, 2, 4, 6].map((at) => view.getUint16(sizes + at, true));
  const keypoints = record.subarray(places, signs);
  const sketched = view.getUint16(sizes + 8, true) === 1;
  const cells = sketched ? signs + SIGN_BYTES * n : signs;
  const grid = miniatureSize({ width: originalWidth, height: originalHeight });
  const colours = colourGrid({ width: originalWidth, height: originalHeight });
  const end = cells + miniatureBytes(grid);
  const coloured = record.length === end + colours.width * colours.height;
  if (record.length !== end && !coloured) throw new Error(`the record of picture ${image} is cut`);
  return {
    reference: {
      originalWidth,
      originalHeight,
      width,
      height,
      digest,
      features: view.getUint16(6, true),
      miniature: {
        ...grid,
        packed: record.subarray(cells, end),
        ...(coloured && { colours: { ...colours, packed: record.subarray(end) } }),
      },
      sketch: sketched ? new SketchInRecord(keypoints, record.subarray(signs, cells)) : undefined,
    },
    features: record.subarray(HEAD_BYTES, sizes),
    keypoints,
  };
}

/** Its signs are copied only for the few references that guided matching looks at. */
class SketchInRecord implements Sketch {
  readonly count: number;
  readonly keypoints: Uint8Array;
  readonly #signs: Uint8Array;

  constructor(keypoints: Uint8Array, signs: Uint8Array) {
    this.count = signs.length / SIGN_BYTES;
    this.keypoints = keypoints;
    this.#signs = signs;
  }

  get signs(): Uint32Array {
    return new Uint32Array(new Uint8Array(this.#signs).buffer);
  }
}
