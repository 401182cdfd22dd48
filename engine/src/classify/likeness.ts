import { Workspace } from '../kernels/workspace.ts';
import { EMBEDDING_LENGTH, EMBEDDING_PARTS } from './embedding.ts';

/** Inner products of the embeddings of pictures, from which a linear model is learnt. */
export interface Likeness {
  /** Inner products of all pairs, row-major: each part about its mean, and as large beside the others as its share. */
  readonly products: Float64Array;
  /** EMBEDDING_LENGTH numbers: the mean. */
  readonly centre: Float64Array;
  /** The square of what each number of an embedding is multiplied by. */
  readonly scales: Float64Array;
}

/** The products of bytes are whole numbers, so they are exact and the same in any order. */
export function likeness(embeddings: readonly Uint8Array[]): Likeness {
  const n = embeddings.length;
  const centre = new Float64Array(EMBEDDING_LENGTH);
  for (const each of embeddings) for (let k = 0; k < EMBEDDING_LENGTH; k++) centre[k] += each[k];
  for (let k = 0; k < EMBEDDING_LENGTH; k++) centre[k] /= n;
  const space = new Workspace();
  const rows = space.take(n * EMBEDDING_LENGTH);
  embeddings.forEach((each, i) => space.bytes(rows + i * EMBEDDING_LENGTH, EMBEDDING_LENGTH).set(each));
  const out = space.take(4 * n * n);
  const all = new Float64Array(n * n);
  const scales = new Float64Array(EMBEDDING_LENGTH);
  for (const { from, to, share } of EMBEDDING_PARTS) {
    space.kernels.products(rows + from, n, EMBEDDING_LENGTH, to - from, out);
    const part = centred(new Int32Array(space.integers(out, n * n)), n);
    let spread = 0;
    for (let i = 0; i < n; i++) spread += part[i * n + i] / n;
    const scale = spread > 0 ? share / spread : 0; // a part that is the same in all pictures has no weight
    for (let i = 0; i < all.length; i++) all[i] += scale * part[i];
    scales.fill(scale, from, to);
  }
  return { products: all, centre, scales };
}

/** Products about the mean of all rows, from those about 0. */
function centred(products: Int32Array, n: number): Float64Array {
  const means = Float64Array.from({ length: n }, (_, i) => {
    let sum = 0;
    for (let j = 0; j < n; j++) sum += products[i * n + j];
    return sum / n;
  });
  const mean = means.reduce((sum, value) => sum + value, 0) / n;
  return Float64Array.from(products, (value, at) => value - means[Math.floor(at / n)] - means[at % n] + mean);
}
