import type { Workspace } from '../kernels/workspace.ts';
import type { Trained } from './mixtures.ts';

/**
 * How the chosen vectors differ from what is usual, for each component of a mixture and each axis: by their mean and by
 * their spread, in units of the component's own. A vector and its mirror image count alike, so a picture and its
 * mirror image give the same.
 *
 * F. Perronnin, J. Sánchez, T. Mensink, "Improving the Fisher kernel for large-scale image classification", ECCV 2010.
 *
 * @param vectors  mixture.size numbers each
 * @param chosen   the numbers of those that count; none give zeros
 * @returns for each component a number an axis for the mean and one for the spread; a sum over the vectors
 */
export function fisher(
  vectors: Float32Array,
  chosen: readonly number[],
  mixture: Trained,
  workspace: Workspace,
): Float64Array {
  const { size, dims, even, count, likelihood, shares } = mixture;
  const entry = 2 * dims + 1;
  const mark = workspace.mark();
  const rows = new Float32Array(size * chosen.length);
  chosen.forEach((i, place) => rows.set(vectors.subarray(size * i, size * (i + 1)), size * place));
  const [axes, mean, components] = [mixture.axes, mixture.mean, likelihood].map((each) => workspace.put(each));
  const out = workspace.put(new Float32Array(count * entry));
  const from = workspace.put(rows);
  workspace.kernels.pool(from, chosen.length, size, axes, mean, even, dims, components, count, out);
  const sums = workspace.floats(out, count * entry);
  const vector = new Float64Array(2 * dims * count);
  for (let k = 0; k < count; k++) {
    const scale = 1 / Math.sqrt(shares[k]);
    const weight = sums[k * entry + 2 * dims];
    for (let j = 0; j < dims; j++) {
      const at = k * entry + j;
      const variance = -0.5 / likelihood[at + dims];
      const centre = likelihood[at] * variance;
      const [sum, squares] = [sums[at], sums[at + dims]];
      vector[2 * dims * k + j] = ((sum - weight * centre) * scale) / Math.sqrt(variance);
      vector[2 * dims * k + dims + j] =
        (((squares - 2 * centre * sum + weight * centre * centre) / variance - weight) * scale) / Math.SQRT2;
    }
  }
  workspace.release(mark);
  return vector;
}
