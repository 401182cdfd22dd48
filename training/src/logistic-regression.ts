import { functionOf, product } from './linear-algebra.ts';

/** A vector of numbers with its class and its weight. */
export interface Example {
  readonly vector: readonly number[];
  readonly positive: boolean;
  readonly weight: number;
}

/** Newton's method converges in fewer steps. */
const NEWTON_STEPS = 40;
/** Least variance of a class, so that a step stays finite where every example is sure. */
const MIN_VARIANCE = 1e-6;

/**
 * The weights of a logistic regression, the constant last; by Newton's method.
 * @param ridge  of all weights but the constant
 */
export function logisticRegression(examples: readonly Example[], ridge: number): number[] {
  const size = examples[0].vector.length + 1;
  let weights = new Array<number>(size).fill(0);
  for (let step = 0; step < NEWTON_STEPS; step++) {
    const gradient = weights.map((weight, k) => (k < size - 1 ? -ridge * weight : 0));
    const hessian = weights.map((_, k) => weights.map((_, j) => (k === j ? (k < size - 1 ? ridge : 1e-9) : 0)));
    for (const { vector, positive, weight } of examples) {
      const x = [...vector, 1];
      const p = 1 / (1 + Math.exp(-x.reduce((sum, value, k) => sum + value * weights[k], 0)));
      const variance = Math.max(MIN_VARIANCE, p * (1 - p));
      for (let k = 0; k < size; k++) {
        gradient[k] += weight * (Number(positive) - p) * x[k];
        for (let j = 0; j < size; j++) hessian[k][j] += weight * variance * x[k] * x[j];
      }
    }
    const inverse = functionOf(hessian, (eigenvalue) => 1 / eigenvalue);
    const change = product(
      inverse,
      gradient.map((value) => [value]),
    );
    weights = weights.map((weight, k) => weight + change[k][0]);
  }
  return weights;
}
