import type { Lab } from '../color/oklab.ts';
import { SHAPE_BYTES } from '../dna/similarity.ts';
import { embeddedBytes } from '../kernels/embedded.ts';
import { GRADIENT_LENGTH, gradients } from './gradients.ts';
import { shape as base64 } from './shape.generated.ts';

/** Axes that mirroring leaves alone, and those that it negates, which follow them. */
export const EVEN_AXES = 112;
export const ODD_AXES = SHAPE_BYTES - EVEN_AXES;

interface Axes {
  readonly mean: Float32Array;
  /** SHAPE_BYTES rows of GRADIENT_LENGTH numbers; the true axis is the row times its scale. */
  readonly axes: Int8Array;
  readonly scales: Float32Array;
}

let read: Axes | undefined;

function axes(): Axes {
  if (read) return read;
  const { buffer } = embeddedBytes(base64);
  const mean = new Float32Array(buffer, 0, GRADIENT_LENGTH);
  const scales = new Float32Array(buffer, 4 * GRADIENT_LENGTH, SHAPE_BYTES);
  return (read = { mean, scales, axes: new Int8Array(buffer, 4 * (GRADIENT_LENGTH + SHAPE_BYTES)) });
}

/** The length a descriptor is brought to before it is rounded. */
const EMBEDDING_NORM = 360;

/**
 * The shapes in a picture: its gradients on axes on which pictures differ about equally (PCA, whitened in part), as a
 * vector of one length. `training/README.md` describes the training of the axes.
 */
export function shapeEmbedding(pixels: readonly Lab[]): Int8Array {
  const { mean, scales, axes: rows } = axes();
  const centred = gradients(pixels).map((value, i) => value - mean[i]);
  const places = new Float64Array(SHAPE_BYTES);
  for (let axis = 0; axis < SHAPE_BYTES; axis++) {
    let dot = 0;
    for (let i = 0; i < GRADIENT_LENGTH; i++) dot += centred[i] * rows[GRADIENT_LENGTH * axis + i];
    places[axis] = dot * scales[axis];
  }
  const length = Math.sqrt(places.reduce((sum, value) => sum + value * value, 0));
  return Int8Array.from(places, (value) =>
    Math.max(-127, Math.min(127, Math.round((EMBEDDING_NORM * value) / length))),
  );
}
