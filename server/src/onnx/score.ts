import type { NetworkSpec } from '@sosia/engine';

/** How far probabilities may be off by rounding. */
const ROUNDING_TOLERANCE = 0.01;

/** Thrown for what a network may not answer. The message says what was expected and what came. */
export class AnswerError extends Error {}

type Reading = Pick<NetworkSpec, 'labels' | 'positive' | 'output' | 'threshold'>;

/**
 * The answer of a network as a score: 0 where the probability of the positive labels is the threshold, 1 where it is 1,
 * -1 where it is 0, with straight lines between; 2p - 1 for a threshold of a half. Six decimals.
 */
export function scoreOf(answer: Float32Array, reading: Reading): number {
  const { threshold } = reading;
  const p = probabilityOf(answer, reading);
  const score = p >= threshold ? (p - threshold) / (1 - threshold) : (p - threshold) / threshold;
  return Math.round(1e6 * score) / 1e6 + 0; // no negative zero
}

function probabilityOf(answer: Float32Array, { labels, positive, output }: Reading): number {
  if (answer.length !== labels.length)
    throw new AnswerError(`expected ${labels.length} numbers, one a label, got ${answer.length}`);
  const odd = answer.find((value) => !Number.isFinite(value));
  if (odd !== undefined) throw new AnswerError(`expected finite numbers, got ${odd}`);
  const values = output === 'logits' ? fromLogits(answer) : [...answer];
  const out = values.find((value) => value < -ROUNDING_TOLERANCE || value > 1 + ROUNDING_TOLERANCE);
  if (out !== undefined) throw new AnswerError(`expected probabilities, got ${out}; these may be logits`);
  const all = values.reduce((a, b) => a + b, 0);
  if (positive.length > 1 && Math.abs(all - 1) > ROUNDING_TOLERANCE)
    throw new AnswerError(`expected probabilities that add up to 1, since several labels count, got ${all.toFixed(3)}`);
  const sum = values.filter((_, i) => positive.includes(labels[i]!)).reduce((a, b) => a + b, 0);
  return Math.min(1, Math.max(0, sum));
}

function fromLogits(logits: Float32Array): number[] {
  if (logits.length === 1) return [1 / (1 + Math.exp(-logits[0]!))];
  const most = Math.max(...logits);
  const powers = Array.from(logits, (logit) => Math.exp(logit - most));
  const sum = powers.reduce((a, b) => a + b, 0);
  return powers.map((power) => power / sum);
}
