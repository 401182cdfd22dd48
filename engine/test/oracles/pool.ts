import type { Mixture } from '../../src/classify/mixtures.ts';

const MAX_LOG_LIKELIHOOD_GAP = 9;

/** Twin of assembly/pool.ts: what one vector adds to the sums. */
export function pool(vector: ArrayLike<number>, mixture: Mixture): Float64Array {
  const { size, dims, even, count, axes, mean, likelihood } = mixture;
  const entry = 2 * dims + 1;
  const places = Array.from(mean, (centre, axis) => {
    let dot = 0;
    for (let k = 0; k < size; k++) dot += vector[k] * axes[axis * size + k];
    return dot - centre;
  });
  const sums = new Float64Array(count * entry);
  for (const seen of [places, places.map((value, axis) => (axis < even ? value : -value))]) {
    const logs = Array.from({ length: count }, (_, k) => {
      const at = k * entry;
      return seen.reduce(
        (sum, x, j) => sum + x * likelihood[at + j] + x * x * likelihood[at + dims + j],
        likelihood[at + 2 * dims],
      );
    });
    const best = Math.max(...logs);
    const likely = logs.map((log) => exponential(log - best));
    const whole = likely.reduce((sum, value) => sum + value, 0);
    likely.forEach((value, k) => {
      const share = value / whole;
      seen.forEach((x, j) => {
        sums[k * entry + j] += share * x;
        sums[k * entry + dims + j] += share * x * x;
      });
      sums[k * entry + 2 * dims] += share;
    });
  }
  return sums;
}

function exponential(x: number): number {
  if (x < -MAX_LOG_LIKELIHOOD_GAP) return 0;
  let power = 1 + x / 1048576;
  for (let i = 0; i < 20; i++) power *= power;
  return power;
}
