import { keypointsOf, type LocalDna, type LocalKind, openLocalDna } from '../dna/local.ts';
import { Workspace } from '../kernels/workspace.ts';

/** How well a picture can be matched: 0 hardly, 4 well; and what takes points off. */
export interface ReferenceQuality {
  readonly grade: number;
  readonly reasons: readonly string[];
}

/** Features from which on a picture earns one point more. */
const MIN_FEATURES_FOR_POINTS = [24, 60, 120, 200];
/** Features compared with each other: enough to find a pattern, few enough to cost a millisecond. */
const MAX_COMPARED_FEATURES = 120;
/** Sum of squared differences over 64 axes of 16 levels below which two features of one picture are hardly distinct. */
const MAX_TWIN_DISTANCE = 100;
/** Share of features with a twin from which on a picture is repetitive; 98 % of covers and photographs have below 0.13. */
const MIN_REPETITIVE_SHARE = 0.3;
/** Of 16 cells, those that must hold features. */
const MIN_CELLS_WITH_FEATURES = 6;

/** How well a reference can be matched by its local features. */
export function localReferenceQuality(block: Uint8Array, ...kinds: readonly LocalKind[]): ReferenceQuality {
  const dna = openLocalDna(block, kinds);
  const reasons: string[] = [];
  let grade = MIN_FEATURES_FOR_POINTS.filter((step) => dna.count >= step).length;
  if (grade < MIN_FEATURES_FOR_POINTS.length) reasons.push(`few features: ${dna.count}`);

  const cells = cellsWithFeatures(dna);
  if (cells < MIN_CELLS_WITH_FEATURES) {
    reasons.push(`features in one part only: ${cells} of 16 cells`);
    grade--;
  }
  const share = repeated(dna.codes, dna.count);
  if (share >= MIN_REPETITIVE_SHARE) {
    reasons.push(`repetitive: ${Math.round(100 * share)} % of the features have a twin`);
    grade--;
  }
  return { grade: Math.max(0, grade), reasons };
}

/** Of the 16 cells of a picture. */
function cellsWithFeatures(dna: LocalDna): number {
  const { x, y } = keypointsOf(dna);
  const held = new Uint8Array(16);
  for (let i = 0; i < dna.count; i++) held[cell(x[i] / dna.width) + 4 * cell(y[i] / dna.height)] = 1;
  return held.reduce((sum, one) => sum + one, 0);
}

function cell(fraction: number): number {
  return Math.min(3, Math.floor(4 * fraction));
}

/** Share of an even sample of the features that have a twin in it. */
function repeated(codes: Uint8Array, count: number): number {
  const n = Math.min(MAX_COMPARED_FEATURES, count);
  const products = productsOf(codes, n, count);
  const alike = new Uint8Array(n);
  for (let i = 0; i < n; i++) {
    for (let j = 0; j < i; j++) {
      const distance = products[n * i + i] + products[n * j + j] - 2 * products[n * i + j];
      if (distance < MAX_TWIN_DISTANCE) alike[i] = alike[j] = 1;
    }
  }
  return alike.filter(Boolean).length / n;
}

let workspace: Workspace | undefined;

/** Inner products of all pairs of `n` of `count` features, row-major. */
function productsOf(codes: Uint8Array, n: number, count: number): Uint32Array {
  const levels = new Uint8Array(64 * n);
  for (let i = 0; i < n; i++) {
    const from = 32 * Math.floor((i * count) / n);
    for (let k = 0; k < 64; k++) levels[64 * i + k] = 128 + ((codes[from + (k >> 1)] >> (4 * (k & 1))) & 15);
  }
  const space = (workspace ??= new Workspace());
  const mark = space.mark();
  const out = space.take(4 * n * n);
  space.kernels.products(space.put(levels), n, 64, 64, out);
  const products = space.integers(out, n * n);
  space.release(mark);
  return products;
}
