// Trains the axes of the shape embedding. Deterministic.
//
//     npm run build && node training/dist/shape.js ../shared/corpora
//
// Principal axes of the gradients, partly whitened; then stretched along the directions that separate kinds of things
// (linear discriminants). The result is engine/data/shape.bin, in the order that src/shape/shape-embedding.ts reads.
import { existsSync, writeFileSync } from 'node:fs';
import { stretched } from '@sosia/engine/color/grid';
import { GRADIENT_LENGTH, gradients } from '@sosia/engine/shape/gradients';
import { EVEN_AXES, ODD_AXES } from '@sosia/engine/shape/shape-embedding';
import { covarianceOf, eigen, functionOf, product } from './linear-algebra.ts';
import { decoded, picturesIn } from './pictures.ts';

const WHITENING_EXPONENT = 0.7; // of the logarithm of the deviations: 0 leaves them, 1 makes them all alike
const DISCRIMINANT_STRETCH = 2; // how much longer a discriminant gets, in deviations inside a kind
const RIDGE_SHARE = 0.3; // added to the variance inside a kind, as a share of its mean
const CELLS_PER_SIDE = 6;

interface Sample {
  readonly kind: string | null;
  readonly vector: Float64Array;
}

/** Kinds are the folders in `train`; pictures elsewhere are of no kind. */
const samples: Sample[] = [];
for (const corpus of ['photos_small', 'styles', 'cats_dogs', 'clothing']) {
  const folder = `${process.argv[2]}/${corpus}`;
  const part = existsSync(`${folder}/train`) ? `${folder}/train` : folder;
  for (const path of picturesIn(part)) {
    const kind = part === folder ? null : `${corpus}/${path.slice(part.length + 1).split('/')[0]}`;
    samples.push({ kind, vector: gradients(stretched(await decoded(path, 256))) });
  }
}
console.log(`${samples.length} pictures`);

/** Every number of the gradients beside the one that takes its place in the mirrored picture. */
const pairs: [number, number][] = [];
for (let i = 0; i < GRADIENT_LENGTH; i++) {
  const [cell, direction] = [i >> 3, i & 7];
  const [row, column] = [Math.floor(cell / CELLS_PER_SIDE), cell % CELLS_PER_SIDE];
  const j = ((row * CELLS_PER_SIDE + CELLS_PER_SIDE - 1 - column) << 3) | ((8 - direction) & 7);
  if (i <= j) pairs.push([i, j]);
}

const mean = new Float32Array(GRADIENT_LENGTH);
for (const { vector } of samples) {
  for (const [i, j] of pairs) {
    const half = (vector[i] + vector[j]) / (2 * samples.length);
    mean[i] += half;
    if (i !== j) mean[j] += half;
  }
}

/** The principal axes among those that mirroring keeps (1) or negates (-1), divided by their deviations as far as that goes. */
function principal(sign: 1 | -1, count: number): Float64Array[] {
  const size = pairs.length;
  const part = new Float64Array(size);
  const covariance = covarianceOf(
    samples.map(({ vector }) => {
      pairs.forEach(([i, j], k) => {
        const [a, b] = [vector[i] - mean[i], vector[j] - mean[j]];
        part[k] = i === j ? (sign > 0 ? a : 0) : (a + sign * b) * Math.SQRT1_2;
      });
      return part.slice();
    }),
  );
  return eigen(covariance)
    .slice(0, count)
    .map(({ value, vector }) => {
      const axis = new Float64Array(GRADIENT_LENGTH);
      pairs.forEach(([i, j], k) => {
        if (i === j) axis[i] = vector[k];
        else [axis[i], axis[j]] = [vector[k] * Math.SQRT1_2, sign * vector[k] * Math.SQRT1_2];
      });
      return axis.map((x) => x / Math.sqrt(value) ** WHITENING_EXPONENT);
    });
}

/** Longer where kinds differ: the places p become (1 + stretch² Σ v vᵀ)^(1/2) p, v the discriminants of the kinds. */
function stretchedAxes(axes: readonly Float64Array[]): Float32Array[] {
  const places = ({ vector }: Sample): number[] =>
    axes.map((axis) => axis.reduce((sum, x, i) => sum + x * (vector[i] - mean[i]), 0));
  const kinds = new Map<string, Sample[]>();
  for (const sample of samples) if (sample.kind) kinds.set(sample.kind, [...(kinds.get(sample.kind) ?? []), sample]);
  const centres: number[][] = [];
  const inside: number[][][] = [];
  for (const members of kinds.values()) {
    const all = members.map(places);
    const centre = axes.map((_, k) => all.reduce((sum, each) => sum + each[k], 0) / all.length);
    centres.push(centre);
    inside.push(covarianceOf(all.map((each) => each.map((x, k) => x - centre[k]))));
  }
  const middle = axes.map((_, k) => centres.reduce((sum, centre) => sum + centre[k], 0) / centres.length);
  const between = covarianceOf(centres.map((centre) => centre.map((x, k) => x - middle[k])));
  const within = between.map((row, k) =>
    row.map((_, l) => inside.reduce((sum, each) => sum + each[k][l], 0) / inside.length),
  );
  const variance = within.reduce((sum, row, k) => sum + row[k], 0) / axes.length;
  within.forEach((row, k) => (row[k] += RIDGE_SHARE * variance));

  const whitening = functionOf(within, (value) => 1 / Math.sqrt(value));
  const discriminants = eigen(product(product(whitening, between), whitening)).slice(0, kinds.size - 1);
  const along = discriminants.map(({ vector }) =>
    whitening.map((row) => row.reduce((s, x, l) => s + x * vector[l], 0)),
  );
  const metric = within.map((row, k) =>
    row.map(
      (_, l) =>
        (k === l ? 1 : 0) +
        DISCRIMINANT_STRETCH * DISCRIMINANT_STRETCH * variance * along.reduce((sum, v) => sum + v[k] * v[l], 0),
    ),
  );
  return functionOf(metric, Math.sqrt).map((row) =>
    mean.map((_, i) => row.reduce((sum, x, l) => sum + x * axes[l][i], 0)),
  );
}

const axes: (Float32Array | Float64Array)[] = [...stretchedAxes(principal(1, EVEN_AXES)), ...principal(-1, ODD_AXES)];
const scales = new Float32Array(axes.length);
const rows = new Int8Array(axes.length * GRADIENT_LENGTH);
axes.forEach((axis, k) => {
  scales[k] = Math.max(...axis.map(Math.abs)) / 127;
  axis.forEach((value, i) => (rows[k * GRADIENT_LENGTH + i] = Math.round(value / scales[k])));
});
const bytes = Buffer.concat([mean, scales, rows].map(({ buffer }) => Buffer.from(buffer)));
writeFileSync(new URL('../../engine/data/shape.bin', import.meta.url), bytes);
console.log(`${bytes.length} bytes`);
