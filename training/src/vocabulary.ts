// Trains the vocabulary of the local features: axes (PCA), steps, centroids, medians, idf. Deterministic.
//
//     npm run build && node training/dist/vocabulary.js ../shared/corpora/photos_small
//
// The result is engine/data/vocabulary.bin, in the order that src/local/features/vocabulary.ts reads.
import { writeFileSync } from 'node:fs';
import { Workspace } from '@sosia/engine/kernels/workspace';
import { localFeatures } from '@sosia/engine/local/features/features';
import { eigen } from './linear-algebra.ts';
import { decoded, picturesIn } from './pictures.ts';

const CENTROID_COUNT = 256;
const HALF_AXES = 32;
const DESCRIPTOR_AXES = 2 * HALF_AXES;

interface Cluster {
  readonly centroids: Float32Array;
  readonly medians: Float32Array;
  /** Of each vector its centroid; 256 fit a byte. */
  readonly owner: Uint8Array;
}

const descriptors = await describeAll(process.argv[2]);
const n = descriptors.length / 128;
console.log(`${n} descriptors`);
const { axes, mean, deviation, parity } = principalAxes(descriptors, n);
const step = deviation.map((d) => Math.fround(0.3352 * d)); // the best uniform step for 16 levels of a normal distribution
const vectors = quantised(descriptors, n);
const halves = [0, 1].map((half) => cluster(vectors, n, half));
write(halves);

async function describeAll(folder: string): Promise<Float32Array> {
  const workspace = new Workspace();
  const parts: Float32Array[] = [];
  for (const path of picturesIn(folder)) {
    const mark = workspace.mark();
    const found = localFeatures(await decoded(path), { core: 340, all: 340, finest: 0 }, workspace);
    parts.push(workspace.floats(found.descriptors, 128 * found.count).slice());
    workspace.release(mark);
  }
  const all = new Float32Array(parts.reduce((sum, part) => sum + part.length, 0));
  let at = 0;
  for (const part of parts) {
    all.set(part, at);
    at += part.length;
  }
  return all;
}

/**
 * Axes that a mirrored picture leaves alone or negates: descriptors are split into what mirroring keeps (even)
 * and what it negates (odd), and each part has its own principal axes. Of all these the 64 widest are taken.
 */
function principalAxes(descriptors: Float32Array, n: number) {
  const pairs: [number, number][] = [];
  for (let row = 0; row < 2; row++)
    for (let column = 0; column < 4; column++)
      for (let bin = 0; bin < 8; bin++)
        pairs.push([(row * 4 + column) * 8 + bin, ((3 - row) * 4 + column) * 8 + ((8 - bin) % 8)]);
  const found: { value: number; axis: Float64Array; mean: number; odd: boolean }[] = [];
  for (const sign of [1, -1]) {
    const size = pairs.length;
    const sum = new Float64Array(size);
    const products = new Float64Array(size * size);
    const part = new Float64Array(size);
    for (let i = 0; i < n; i++) {
      for (let k = 0; k < size; k++) {
        const [a, b] = pairs[k];
        part[k] = (descriptors[128 * i + a] + sign * descriptors[128 * i + b]) * Math.SQRT1_2;
        sum[k] += part[k];
      }
      for (let k = 0; k < size; k++) for (let l = k; l < size; l++) products[k * size + l] += part[k] * part[l];
    }
    const centre = sum.map((s) => (sign > 0 ? s / n : 0)); // with every mirror image beside it, the odd part has mean 0
    const covariance = Array.from({ length: size }, (_, k) =>
      Array.from(
        { length: size },
        (_, l) => products[Math.min(k, l) * size + Math.max(k, l)] / n - centre[k] * centre[l],
      ),
    );
    for (const { value, vector } of eigen(covariance)) {
      const axis = new Float64Array(128);
      let mean = 0;
      pairs.forEach(([a, b], k) => {
        axis[a] = vector[k] * Math.SQRT1_2;
        axis[b] = sign * vector[k] * Math.SQRT1_2;
        mean += vector[k] * centre[k];
      });
      found.push({ value, axis, mean, odd: sign < 0 });
    }
  }
  const total = found.reduce((sum, { value }) => sum + value, 0);
  found.sort((a, b) => b.value - a.value);
  found.length = DESCRIPTOR_AXES;
  const kept = found.reduce((sum, { value }) => sum + value, 0);
  console.log(
    `${((100 * kept) / total).toFixed(1)} % of the variance on ${DESCRIPTOR_AXES} axes, ${found.filter((f) => f.odd).length} of them odd`,
  );
  // both halves get about the same share: 0, 3, 4, 7, … and 1, 2, 5, 6, …
  const halfOf = (rank: number): number => ((rank + 1) >> 1) & 1;
  const order = [0, 1].flatMap((half) => found.filter((_, rank) => halfOf(rank) === half));
  return {
    axes: Float32Array.from(order.flatMap(({ axis }) => [...axis])),
    mean: Float32Array.from(order, ({ mean }) => mean),
    deviation: order.map(({ value }) => Math.sqrt(value)),
    parity: Uint8Array.from(order, ({ odd }) => (odd ? 1 : 0)),
  };
}

/** The descriptors as the index will see them: projected, cut to 16 levels, and put back to the middle of their level. */
function quantised(descriptors: Float32Array, n: number): Float32Array {
  const out = new Float32Array(DESCRIPTOR_AXES * n);
  for (let i = 0; i < n; i++) {
    for (let axis = 0; axis < DESCRIPTOR_AXES; axis++) {
      let dot = 0;
      for (let k = 0; k < 128; k++) dot += descriptors[128 * i + k] * axes[128 * axis + k];
      const level = Math.min(15, Math.max(0, Math.floor((dot - mean[axis]) / step[axis]) + 8));
      out[DESCRIPTOR_AXES * i + axis] = (level - 7.5) * step[axis];
    }
  }
  return out;
}

/** k-means of one half of the axes, every second vector mirrored; then the medians and the share of each centroid. */
function cluster(vectors: Float32Array, n: number, half: number): Cluster {
  const value = (i: number, d: number): number => {
    const axis = HALF_AXES * half + d;
    const v = vectors[DESCRIPTOR_AXES * i + axis];
    return i & 1 && parity[axis] ? -v : v;
  };
  const points = new Float32Array(HALF_AXES * n);
  for (let i = 0; i < n; i++) for (let d = 0; d < HALF_AXES; d++) points[HALF_AXES * i + d] = value(i, d);

  const centroids = new Float32Array(HALF_AXES * CENTROID_COUNT);
  let state = 1 + half;
  const random = (): number => (state = (Math.imul(state, 1664525) + 1013904223) >>> 0) / 2 ** 32;
  for (let c = 0; c < CENTROID_COUNT; c++) {
    const i = Math.floor(random() * n);
    centroids.set(points.subarray(HALF_AXES * i, HALF_AXES * i + HALF_AXES), HALF_AXES * c);
  }
  const owner = new Uint8Array(n);
  for (let round = 0; round < 25; round++) {
    const sums = new Float64Array(HALF_AXES * CENTROID_COUNT);
    const sizes = new Uint32Array(CENTROID_COUNT);
    let error = 0;
    for (let i = 0; i < n; i++) {
      let best = Infinity;
      for (let c = 0; c < CENTROID_COUNT; c++) {
        let d = 0;
        for (let k = 0; k < HALF_AXES; k++) {
          const x = points[HALF_AXES * i + k] - centroids[HALF_AXES * c + k];
          d += x * x;
        }
        if (d < best) {
          best = d;
          owner[i] = c;
        }
      }
      error += best;
      sizes[owner[i]]++;
      for (let k = 0; k < HALF_AXES; k++) sums[HALF_AXES * owner[i] + k] += points[HALF_AXES * i + k];
    }
    for (let c = 0; c < CENTROID_COUNT; c++) {
      if (sizes[c] === 0) {
        const i = Math.floor(random() * n);
        centroids.set(points.subarray(HALF_AXES * i, HALF_AXES * i + HALF_AXES), HALF_AXES * c);
      } else for (let k = 0; k < HALF_AXES; k++) centroids[HALF_AXES * c + k] = sums[HALF_AXES * c + k] / sizes[c];
    }
    if (round % 8 === 0) console.log(`half ${half}, round ${round}: mean squared error ${(error / n).toFixed(5)}`);
  }
  const medians = new Float32Array(CENTROID_COUNT * HALF_AXES);
  for (let c = 0; c < CENTROID_COUNT; c++) {
    const members: number[] = [];
    for (let i = 0; i < n; i++) if (owner[i] === c) members.push(i);
    for (let k = 0; k < HALF_AXES; k++) {
      const sorted = Float32Array.from(members, (i) => points[HALF_AXES * i + k]).sort();
      medians[HALF_AXES * c + k] = sorted.length ? sorted[sorted.length >> 1] : centroids[HALF_AXES * c + k];
    }
  }
  return { centroids, medians, owner };
}

/** The weight of a word by how rare it is among the training descriptors, in 1/256; unseen pairs lean on their halves. */
function idf(owners: readonly Uint8Array[], n: number): Uint16Array {
  const joint = new Float64Array(CENTROID_COUNT * CENTROID_COUNT);
  const marginals = owners.map((owner) => {
    const counts = new Float64Array(CENTROID_COUNT);
    for (const c of owner) counts[c]++;
    return counts;
  });
  for (let i = 0; i < n; i++) joint[CENTROID_COUNT * owners[0][i] + owners[1][i]]++;
  return Uint16Array.from(joint, (count, word) => {
    const expected = (marginals[0][Math.floor(word / CENTROID_COUNT)] * marginals[1][word % CENTROID_COUNT]) / n;
    const share = (count + expected + 0.1) / (2 * n);
    const bits = -Math.log2(share);
    return Math.round(256 * Math.min(1.5, Math.max(0.4, bits / 14)));
  });
}

function write(halves: readonly Cluster[]): void {
  const columns = new Float32Array(2 * HALF_AXES * CENTROID_COUNT);
  const norms = new Float32Array(2 * CENTROID_COUNT);
  halves.forEach(({ centroids }, half) => {
    for (let c = 0; c < CENTROID_COUNT; c++) {
      let squares = 0;
      for (let k = 0; k < HALF_AXES; k++) {
        const v = centroids[HALF_AXES * c + k];
        columns[(half * HALF_AXES + k) * CENTROID_COUNT + c] = v;
        squares += v * v;
      }
      norms[half * CENTROID_COUNT + c] = squares / 2;
    }
  });
  const medians = Float32Array.from([...halves[0].medians, ...halves[1].medians]);
  const owners = halves.map(({ owner }) => owner);
  const parts = [axes, mean, Float32Array.from(step), columns, norms, medians, idf(owners, n), parity];
  const file = new URL('../../engine/data/vocabulary.bin', import.meta.url);
  writeFileSync(file, Buffer.concat(parts.map((part) => Buffer.from(part.buffer, part.byteOffset, part.byteLength))));
  console.log(`wrote ${file.pathname}`);
}
