/**
 * The weights of `copyFeatureNames` in their order, and the constant, in hundredths. A logistic regression that
 * training/decision.ts learns: its sum is the logarithm of the odds of a copy, so no exponential is needed.
 */
const WEIGHTS = [178, 128, 516, 116, 201, 533, 386, 745, -459, -171, -311, 211, -633];
const CONSTANT = -1060;

/** Whether what two pictures share is a picture or a part of one, and not a frame, a design or a pose. */
export function isCopy(features: readonly number[]): boolean {
  return WEIGHTS.reduce((sum, weight, i) => sum + weight * features[i], CONSTANT) >= 0;
}
