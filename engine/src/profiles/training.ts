import { LOOKS } from './looks.ts';
import { type Profile } from './profile.ts';
import { fit, products } from './ridge.ts';

const FOLDS = 5;
/** Tried in cross-validation; the one with the fewest mistakes, of equals the largest, is taken. */
const RIDGES = [30, 10, 3, 1, 0.3, 0.1];
/** Fewest pictures of either class. */
export const FEWEST = 10;
const THRESHOLDS = [-1, -0.75, -0.5, -0.25, 0, 0.25, 0.5, 0.75, 1];

/** How a profile did on pictures that it had not learnt from, each in its turn. */
export interface Report {
  readonly positives: number;
  readonly negatives: number;
  /** Mean of the shares of either class that is told rightly. */
  readonly balancedAccuracy: number;
  readonly byThreshold: readonly { threshold: number; precision: number; recall: number }[];
  /** The worst mistakes first: the number of the picture, positives before negatives, and its score. */
  readonly mistakes: readonly { picture: number; score: number }[];
}

/**
 * Learns a linear model from the looks of pictures that fit and of pictures that do not. The same looks in the same
 * order give the same profile.
 */
export function train(
  name: string,
  positives: readonly Uint8Array[],
  negatives: readonly Uint8Array[],
): { profile: Profile; report: Report } {
  if (Math.min(positives.length, negatives.length) < FEWEST) {
    throw new RangeError(
      `expected at least ${FEWEST} pictures that fit and ${FEWEST} that do not, got ${positives.length} and ${negatives.length}`,
    );
  }
  const looks = [...positives, ...negatives];
  const positive = looks.map((_, i) => i < positives.length);
  const rows = looks.map((bytes) => Float64Array.from(bytes, (value) => value / 255));
  const centre = new Float64Array(LOOKS);
  for (const row of rows) for (let k = 0; k < LOOKS; k++) centre[k] += row[k] / rows.length;
  for (const row of rows) for (let k = 0; k < LOOKS; k++) row[k] -= centre[k];
  const kernel = products(rows);

  const tried = RIDGES.map((ridge) => ({ ridge, scores: crossValidated(kernel, positive, ridge) }));
  const best = tried.reduce((a, b) => (balanced(b.scores, positive) > balanced(a.scores, positive) ? b : a));
  const { alphas, bias } = fit(kernel, positive, [...rows.keys()], best.ridge);
  const weights = new Float64Array(LOOKS);
  alphas.forEach((alpha, i) => {
    for (let k = 0; k < LOOKS; k++) weights[k] += alpha * rows[i][k];
  });
  const away = weights.reduce((sum, weight, k) => sum + weight * centre[k], 0);
  return {
    profile: { name, weights: Float32Array.from(weights), bias: Math.fround(bias - away) },
    report: reported(best.scores, positive),
  };
}

/** Each picture scored by a model of the four fifths that it is not in. */
function crossValidated(kernel: Float64Array, positive: readonly boolean[], ridge: number): Float64Array {
  const n = positive.length;
  const scores = new Float64Array(n);
  const fold = (i: number): number => (positive[i] ? i : n - 1 - i) % FOLDS;
  const all = [...positive.keys()];
  for (let held = 0; held < FOLDS; held++) {
    const chosen = all.filter((i) => fold(i) !== held);
    const { alphas, bias } = fit(kernel, positive, chosen, ridge);
    for (const i of all.filter((each) => fold(each) === held)) {
      scores[i] = bias;
      chosen.forEach((j, k) => (scores[i] += alphas[k] * kernel[i * n + j]));
    }
  }
  return scores;
}

function balanced(scores: Float64Array, positive: readonly boolean[]): number {
  const right = [0, 0];
  const all = [0, 0];
  scores.forEach((score, i) => {
    const side = Number(positive[i]);
    all[side]++;
    if (score > 0 === positive[i]) right[side]++;
  });
  return (right[0] / all[0] + right[1] / all[1]) / 2;
}

function reported(scores: Float64Array, positive: readonly boolean[]): Report {
  const positives = positive.filter(Boolean).length;
  const byThreshold = THRESHOLDS.map((threshold) => {
    const told = [...positive.keys()].filter((i) => scores[i] > threshold);
    const right = told.filter((i) => positive[i]).length;
    return { threshold, precision: told.length > 0 ? right / told.length : 1, recall: right / positives };
  });
  const mistakes = [...positive.keys()]
    .filter((i) => scores[i] > 0 !== positive[i])
    .map((picture) => ({ picture, score: scores[picture] }))
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score) || a.picture - b.picture);
  return {
    positives,
    negatives: positive.length - positives,
    balancedAccuracy: balanced(scores, positive),
    byThreshold,
    mistakes,
  };
}
