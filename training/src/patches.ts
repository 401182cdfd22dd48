// Trains what patches are pooled over: axes (PCA) and mixtures of Gaussians (EM), for shapes and for colours. Deterministic.
//
//     npm run build && node training/dist/patches.js ../shared/corpora/photos_small ../shared/corpora/styles/train
//
// The result is engine/data/patches.bin, in the order that src/classify/mixtures.ts reads.
import { writeFileSync } from 'node:fs';
import { COLOUR_DIMENSIONS, patchesOf, SHAPE_DIMENSIONS } from '@sosia/engine/classify/patches';
import { Workspace } from '@sosia/engine/kernels/workspace';
import { covarianceOf, eigen } from './linear-algebra.ts';
import { decoded, picturesIn } from './pictures.ts';

const PROJECTED_AXES = 24;
/** Patches that are learnt from, at most so many of a picture. */
const MAX_PATCHES_PER_PICTURE = 100;
const EM_ROUNDS = 25;

interface Component {
  readonly share: number;
  readonly centre: Float64Array;
  readonly variance: Float64Array;
}

const workspace = new Workspace();
const shapes: Float32Array[] = [];
const colours: Float32Array[] = [];
const paths = process.argv.slice(2).flatMap(picturesIn);
for (const path of paths) {
  const patches = patchesOf(await decoded(path), workspace);
  const step = Math.max(1, patches.count / MAX_PATCHES_PER_PICTURE);
  for (let at = 0; at < patches.count; at += step) {
    const i = Math.floor(at);
    shapes.push(patches.shapes.slice(SHAPE_DIMENSIONS * i, SHAPE_DIMENSIONS * (i + 1)));
    colours.push(patches.colours.slice(COLOUR_DIMENSIONS * i, COLOUR_DIMENSIONS * (i + 1)));
  }
}
console.log(`${shapes.length} patches of ${paths.length} pictures`);

/** For each number of a patch the place it has in the mirrored patch. */
const mirroredShape = Array.from({ length: SHAPE_DIMENSIONS }, (_, i) => {
  const [cell, direction] = [i >> 3, i & 7];
  return ((cell ^ 3) << 3) | ((12 - direction) & 7); // columns exchanged, directions mirrored about the vertical
});
const mirroredColour = Array.from({ length: COLOUR_DIMENSIONS }, (_, i) => 6 * (Math.floor(i / 6) ^ 3) + (i % 6));

const bytes = Buffer.concat([trained(shapes, mirroredShape, 64), trained(colours, mirroredColour, 32)]);
writeFileSync(new URL('../../engine/data/patches.bin', import.meta.url), bytes);
console.log(`${bytes.length} bytes`);

function trained(vectors: readonly Float32Array[], mirrored: readonly number[], count: number): Buffer {
  const size = mirrored.length;
  const mean = new Float64Array(size);
  for (const vector of vectors)
    for (let i = 0; i < size; i++) mean[i] += (vector[i] + vector[mirrored[i]]) / (2 * vectors.length);
  const { axes, even, kept } = axesOf(vectors, mean, mirrored);
  console.log(`${even} even axes of ${PROJECTED_AXES}, ${(100 * kept).toFixed(1)} % of the variance`);
  const offset = axes.map((axis) => axis.reduce((sum, value, i) => sum + value * mean[i], 0));
  const places = vectors.map((vector) =>
    Float64Array.from(axes, (axis, j) => {
      let dot = -offset[j];
      for (let i = 0; i < size; i++) dot += axis[i] * vector[i];
      return dot;
    }),
  );
  for (const place of places.slice()) places.push(place.map((value, j) => (j < even ? value : -value)));
  const components = mixture(places, count);
  const numbers = [even, ...axes.flatMap((axis) => [...axis]), ...offset];
  for (const { share, centre, variance } of components) {
    numbers.push(...centre.map((value, j) => value / variance[j]), ...variance.map((value) => -0.5 / value));
    let constant = Math.log(share);
    for (let j = 0; j < PROJECTED_AXES; j++) constant -= 0.5 * (Math.log(variance[j]) + centre[j] ** 2 / variance[j]);
    numbers.push(constant);
  }
  numbers.push(...components.map(({ share }) => share));
  return Buffer.from(Float32Array.from(numbers).buffer);
}

/** The widest of the axes that mirroring leaves alone (first) or negates, a multiple of four of each. */
function axesOf(vectors: readonly Float32Array[], mean: Float64Array, mirrored: readonly number[]) {
  const found = [1, -1].flatMap((sign) => {
    const pairs = mirrored.flatMap((j, i) => (i < j || (i === j && sign > 0) ? [[i, j] as const] : []));
    const covariance = covarianceOf(
      vectors.map((vector) =>
        pairs.map(([i, j]) => {
          const [a, b] = [vector[i] - mean[i], vector[j] - mean[j]];
          return i === j ? a : (a + sign * b) * Math.SQRT1_2;
        }),
      ),
    );
    return eigen(covariance).map(({ value, vector }) => {
      const axis = new Float64Array(mirrored.length);
      pairs.forEach(([i, j], k) => {
        if (i === j) axis[i] = vector[k];
        else [axis[i], axis[j]] = [vector[k] * Math.SQRT1_2, sign * vector[k] * Math.SQRT1_2];
      });
      return { sign, value, axis };
    });
  });
  const widest = found.sort((a, b) => b.value - a.value).slice(0, PROJECTED_AXES);
  const even = 4 * Math.round(widest.filter(({ sign }) => sign > 0).length / 4);
  const axes = [
    ...found.filter(({ sign }) => sign > 0).slice(0, even),
    ...found.filter(({ sign }) => sign < 0).slice(0, PROJECTED_AXES - even),
  ];
  const total = (list: readonly { readonly value: number }[]): number =>
    list.reduce((sum, { value }) => sum + value, 0);
  return { axes: axes.map(({ axis }) => axis), even, kept: total(axes) / total(found) };
}

/** Diagonal Gaussians by expectation and maximisation, from means that k-means finds. */
function mixture(places: readonly Float64Array[], count: number): Component[] {
  const overall = spreadOf(places);
  let components: Component[] = kMeans(places, count).map((own) => ({
    share: Math.max(1, own.length) / places.length,
    centre: own.length > 0 ? meanOf(own) : meanOf(places),
    variance: own.length > 5 ? spreadOf(own).map((value, j) => Math.max(value, 0.02 * overall[j])) : overall,
  }));
  for (let round = 0; round < EM_ROUNDS; round++) {
    const sums = components.map(() => ({
      weight: 1e-6,
      sum: new Float64Array(PROJECTED_AXES),
      squares: new Float64Array(PROJECTED_AXES),
    }));
    const constants = components.map(({ share, variance }) =>
      variance.reduce((sum, value) => sum - 0.5 * Math.log(value), Math.log(share)),
    );
    for (const place of places) {
      const logs = components.map(({ centre, variance }, k) => {
        let log = constants[k];
        for (let j = 0; j < PROJECTED_AXES; j++) log -= (0.5 * (place[j] - centre[j]) ** 2) / variance[j];
        return log;
      });
      const best = Math.max(...logs);
      const likely = logs.map((log) => (log > best - 9 ? Math.exp(log - best) : 0));
      const whole = likely.reduce((sum, value) => sum + value, 0);
      likely.forEach((value, k) => {
        if (value === 0) return;
        const into = sums[k];
        into.weight += value / whole;
        for (let j = 0; j < PROJECTED_AXES; j++) {
          into.sum[j] += (value / whole) * place[j];
          into.squares[j] += (value / whole) * place[j] ** 2;
        }
      });
    }
    components = sums.map(({ weight, sum, squares }) => {
      const centre = sum.map((value) => value / weight);
      const variance = squares.map((value, j) => Math.max(value / weight - centre[j] ** 2, 0.02 * overall[j]));
      return { share: weight / places.length, centre, variance };
    });
  }
  return components;
}

/** Groups about as many centres, which begin at places spread evenly through the list. */
function kMeans(places: readonly Float64Array[], count: number): Float64Array[][] {
  let centres = Array.from({ length: count }, (_, k) => places[Math.floor(((k + 0.5) * places.length) / count)]);
  let groups: Float64Array[][] = [];
  for (let round = 0; round < 12; round++) {
    groups = centres.map(() => []);
    for (const place of places) {
      let [nearest, least] = [0, Infinity];
      centres.forEach((centre, k) => {
        let sum = 0;
        for (let j = 0; j < PROJECTED_AXES; j++) sum += (place[j] - centre[j]) ** 2;
        if (sum < least) [nearest, least] = [k, sum];
      });
      groups[nearest].push(place);
    }
    centres = groups.map((own, k) => (own.length > 0 ? meanOf(own) : centres[k]));
  }
  return groups;
}

function meanOf(places: readonly Float64Array[]): Float64Array {
  const mean = new Float64Array(PROJECTED_AXES);
  for (const place of places) for (let j = 0; j < PROJECTED_AXES; j++) mean[j] += place[j] / places.length;
  return mean;
}

function spreadOf(places: readonly Float64Array[]): Float64Array {
  const mean = meanOf(places);
  const spread = new Float64Array(PROJECTED_AXES);
  for (const place of places)
    for (let j = 0; j < PROJECTED_AXES; j++) spread[j] += (place[j] - mean[j]) ** 2 / places.length;
  return spread;
}
