import { EMBEDDING_LENGTH } from './embedding.ts';
import { likeness } from './likeness.ts';
import { type Profile } from './profile.ts';
import { fit } from './ridge.ts';

const CROSS_VALIDATION_FOLDS = 5;
/** Tried in cross-validation; the one that sorts the pictures best, of equals the largest, is taken. */
const RIDGE_PENALTIES = [20, 6, 2, 0.6, 0.2];
/** Fewest pictures of either class. */
export const MIN_PICTURES_PER_CLASS = 10;
/** Steps between the thresholds of a report, four to either side of 0: the first that reaches to nearly all scores. */
const THRESHOLD_STEPS = [0.02, 0.05, 0.1, 0.15, 0.25];
const REPORTED_SCORE_QUANTILE = 0.9;

/** How a profile did on pictures that it had not learnt from, each left out once. */
export interface Report {
  readonly positives: number;
  readonly negatives: number;
  /** Mean of the shares of both classes that are classified correctly. */
  readonly balancedAccuracy: number;
  /** Share of the pairs of a picture that fits and one that does not in which the first has the higher score. */
  readonly area: number;
  readonly byThreshold: readonly { threshold: number; precision: number; recall: number }[];
  /** The worst mistakes first: the number of the picture, positives before negatives, and its score. */
  readonly mistakes: readonly { picture: number; score: number }[];
}

/**
 * Learns a linear model from embeddings of pictures that fit and of pictures that do not. The same embeddings in the same
 * order give the same profile.
 */
export function train(
  name: string,
  positives: readonly Uint8Array[],
  negatives: readonly Uint8Array[],
): { profile: Profile; report: Report } {
  if (Math.min(positives.length, negatives.length) < MIN_PICTURES_PER_CLASS) {
    throw new RangeError(
      `expected at least ${MIN_PICTURES_PER_CLASS} pictures that fit and ${MIN_PICTURES_PER_CLASS} that do not, got ${positives.length} and ${negatives.length}`,
    );
  }
  const embeddings = [...positives, ...negatives];
  const positive = embeddings.map((_, i) => i < positives.length);
  const { products, centre, scales } = likeness(embeddings);

  const tried = RIDGE_PENALTIES.map((ridge) => ({ ridge, scores: crossValidated(products, positive, ridge) }));
  const best = tried.reduce((a, b) => (areaOf(b.scores, positive) > areaOf(a.scores, positive) ? b : a));
  const threshold = evenThreshold(best.scores, positive);
  const { alphas, bias } = fit(products, positive, [...embeddings.keys()], best.ridge);
  const weights = new Float64Array(EMBEDDING_LENGTH);
  alphas.forEach((alpha, i) => {
    for (let k = 0; k < EMBEDDING_LENGTH; k++) weights[k] += alpha * scales[k] * (embeddings[i][k] - centre[k]);
  });
  const away = weights.reduce((sum, weight, k) => sum + weight * centre[k], 0);
  return {
    profile: { name, weights: Float32Array.from(weights), bias: Math.fround(bias - away - threshold) },
    report: reported(
      best.scores.map((score) => score - threshold),
      positive,
    ),
  };
}

/** Each picture scored by a model of the four fifths that it is not in. */
function crossValidated(kernel: Float64Array, positive: readonly boolean[], ridge: number): Float64Array {
  const n = positive.length;
  const scores = new Float64Array(n);
  const fold = (i: number): number => (positive[i] ? i : n - 1 - i) % CROSS_VALIDATION_FOLDS;
  const all = [...positive.keys()];
  for (let held = 0; held < CROSS_VALIDATION_FOLDS; held++) {
    const chosen = all.filter((i) => fold(i) !== held);
    const { alphas, bias } = fit(kernel, positive, chosen, ridge);
    for (const i of all.filter((each) => fold(each) === held)) {
      scores[i] = bias;
      chosen.forEach((j, k) => (scores[i] += alphas[k] * kernel[i * n + j]));
    }
  }
  return scores;
}

/**
 * The score above which as large a share of the pictures that do not fit lies as of those that do lies below; of
 * thresholds that are equally good the one nearest to 0.
 */
function evenThreshold(scores: Float64Array, positive: readonly boolean[]): number {
  const order = [...scores.keys()].sort((a, b) => scores[a] - scores[b]);
  const fitting = positive.filter(Boolean).length;
  let [missed, passed] = [0, 1];
  let best = { threshold: 0, gap: Infinity };
  order.slice(0, -1).forEach((i, place) => {
    if (positive[i]) missed += 1 / fitting;
    else passed -= 1 / (positive.length - fitting);
    const [low, high] = [scores[i], scores[order[place + 1]]];
    const threshold = low < 0 && high > 0 ? 0 : (low + high) / 2;
    const gap = Math.abs(missed - passed);
    const nearer = Math.abs(threshold) < Math.abs(best.threshold);
    if (gap < best.gap - 1e-9 || (gap < best.gap + 1e-9 && nearer)) best = { threshold, gap };
  });
  return best.threshold;
}

function areaOf(scores: Float64Array, positive: readonly boolean[]): number {
  const of = (side: boolean): Float64Array => scores.filter((_, i) => positive[i] === side);
  const [fitting, others] = [of(true), of(false)];
  let won = 0;
  for (const score of fitting) for (const other of others) won += score > other ? 1 : score === other ? 0.5 : 0;
  return won / (fitting.length * others.length);
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

function thresholdsFor(scores: Float64Array): number[] {
  const far = scores.map(Math.abs).sort()[Math.floor(REPORTED_SCORE_QUANTILE * (scores.length - 1))];
  const step = THRESHOLD_STEPS.find((each) => 4 * each >= far) ?? THRESHOLD_STEPS[THRESHOLD_STEPS.length - 1];
  return [-4, -3, -2, -1, 0, 1, 2, 3, 4].map((times) => Math.round(100 * times * step) / 100);
}

function reported(scores: Float64Array, positive: readonly boolean[]): Report {
  const positives = positive.filter(Boolean).length;
  const byThreshold = thresholdsFor(scores).map((threshold) => {
    const accepted = [...positive.keys()].filter((i) => scores[i] > threshold);
    const right = accepted.filter((i) => positive[i]).length;
    return { threshold, precision: accepted.length > 0 ? right / accepted.length : 1, recall: right / positives };
  });
  const mistakes = [...positive.keys()]
    .filter((i) => scores[i] > 0 !== positive[i])
    .map((picture) => ({ picture, score: scores[picture] }))
    .sort((a, b) => Math.abs(b.score) - Math.abs(a.score) || a.picture - b.picture);
  return {
    positives,
    negatives: positive.length - positives,
    balancedAccuracy: balanced(scores, positive),
    area: areaOf(scores, positive),
    byThreshold,
    mistakes,
  };
}
