import { embeddedBytes } from '../../kernels/embedded.ts';
import { vocabulary as base64 } from './vocabulary.generated.ts';

/** Centroids of either half of the axes; a word is a pair of them. */
export const WORD_COUNT = 256 * 256;

/** The result of training; `training/README.md` names the pictures. */
export interface Vocabulary {
  /** 64 × 128: the axes descriptors are projected on. */
  readonly axes: Float32Array;
  /** 64: the mean of the training descriptors on each axis. */
  readonly mean: Float32Array;
  /** 64: the width of one of the 16 levels kept of an axis. */
  readonly step: Float32Array;
  /** 64: the steps with the odd axes negated, which makes the descriptors of the mirrored picture. */
  readonly mirroredStep: Float32Array;
  /** 2 × 32 × 256: [half][axis][centroid] */
  readonly centroids: Float32Array;
  /** 2 × 256: half the squared length of each centroid. */
  readonly norms: Float32Array;
  /** 2 × 256 × 32: [half][centroid][axis] */
  readonly medians: Float32Array;
  /** WORD_COUNT: how much a word weighs, in 1/256. Static, so that no score depends on what else is stored. */
  readonly idf: Uint16Array;
}

let read: Vocabulary | undefined;

export function vocabulary(): Vocabulary {
  return (read ??= parse(embeddedBytes(base64).buffer));
}

function parse(buffer: ArrayBuffer): Vocabulary {
  let at = 0;
  const floats = (n: number): Float32Array => {
    at += 4 * n;
    return new Float32Array(buffer, at - 4 * n, n);
  };
  const axes = floats(64 * 128);
  const mean = floats(64);
  const step = floats(64);
  const centroids = floats(2 * 32 * 256);
  const norms = floats(2 * 256);
  const medians = floats(2 * 256 * 32);
  const idf = new Uint16Array(buffer, at, WORD_COUNT);
  const odd = new Uint8Array(buffer, at + 2 * WORD_COUNT, 64);
  const mirroredStep = step.map((width, axis) => (odd[axis] ? -width : width));
  return { axes, mean, step, mirroredStep, centroids, norms, medians, idf };
}
