// Trains the axes of the shape descriptor: PCA of the gradients, partly whitened. Deterministic.
//
//     npm run build && node engine/data/train-shape.mjs ../shared/corpora/photos_small ../shared/corpora/styles ../shared/corpora/cats_dogs
//
// It writes engine/data/shape.bin, in the order that src/features/shape.ts reads.
import { readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { GRADIENTS, gradients } from '../dist/features/gradients.js';
import { stretched } from '../dist/features/grid.js';
import { eigen } from './eigen.mjs';

const EVEN = 96;
const WHITENING = 0.7; // of the logarithm of the deviations: 0 leaves them, 1 makes them all alike

const vectors = [];
for (const folder of process.argv.slice(2)) {
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' }).filter((name) =>
    /\.(jpe?g|png)$/i.test(name),
  );
  for (const name of names.sort()) {
    const image = sharp(`${folder}/${name}`).autoOrient().toColourspace('srgb').flatten({ background: '#fff' });
    const { data, info } = await image.raw().toBuffer({ resolveWithObject: true });
    if (info.channels === 3) vectors.push(gradients(stretched({ width: info.width, height: info.height, rgb: data })));
  }
}
console.log(`${vectors.length} pictures`);

/** Every number of the gradients beside the one that takes its place in the mirrored picture. */
const pairs = [];
for (let i = 0; i < GRADIENTS; i++) {
  const [row, column, direction] = [i >> 6, (i >> 3) & 7, i & 7];
  const j = (row << 6) | ((7 - column) << 3) | ((8 - direction) & 7);
  if (i <= j) pairs.push([i, j]);
}

const mean = new Float32Array(GRADIENTS);
for (const vector of vectors) {
  for (const [i, j] of pairs) {
    const half = (vector[i] + vector[j]) / (2 * vectors.length);
    mean[i] += half;
    if (i !== j) mean[j] += half;
  }
}

/** The principal axes among those that mirroring keeps (1) or turns around (-1). */
function principal(sign) {
  const size = pairs.length;
  const covariance = Array.from({ length: size }, () => new Array(size).fill(0));
  const part = new Float64Array(size);
  for (const vector of vectors) {
    pairs.forEach(([i, j], k) => {
      const [a, b] = [vector[i] - mean[i], vector[j] - mean[j]];
      part[k] = i === j ? (sign > 0 ? a : 0) : (a + sign * b) * Math.SQRT1_2;
    });
    for (let k = 0; k < size; k++)
      for (let l = 0; l <= k; l++) covariance[k][l] += (part[k] * part[l]) / vectors.length;
  }
  for (let k = 0; k < size; k++) for (let l = 0; l < k; l++) covariance[l][k] = covariance[k][l];
  return eigen(covariance)
    .slice(0, EVEN)
    .map(({ value, vector }) => {
      const axis = new Float64Array(GRADIENTS);
      pairs.forEach(([i, j], k) => {
        if (i === j) axis[i] = vector[k];
        else [axis[i], axis[j]] = [vector[k] * Math.SQRT1_2, sign * vector[k] * Math.SQRT1_2];
      });
      return { axis, deviation: Math.sqrt(value) };
    });
}

const axes = [...principal(1), ...principal(-1)];
const scales = new Float32Array(axes.length);
const rows = new Int8Array(axes.length * GRADIENTS);
axes.forEach(({ axis, deviation }, k) => {
  const step = Math.max(...axis.map(Math.abs)) / 127;
  scales[k] = step / deviation ** WHITENING;
  axis.forEach((value, i) => (rows[k * GRADIENTS + i] = Math.round(value / step)));
});
const bytes = Buffer.concat([mean, scales, rows].map(({ buffer }) => Buffer.from(buffer)));
writeFileSync(fileURLToPath(new URL('shape.bin', import.meta.url)), bytes);
console.log(`${bytes.length} bytes`);
