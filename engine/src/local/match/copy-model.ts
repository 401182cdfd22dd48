/**
 * The weights of `copyFeatureNames` in their order, and the constant, in hundredths. A logistic regression that
 * training/decision.ts learns: its sum is the logarithm of the odds of a copy, so no exponential is needed.
 */
const WEIGHTS = [226, 113, 643, 231, 231, 444, 359, 728, -295, -65, -229, 276, -566, -255];
const CONSTANT = -1242;

/** Whether what two pictures share is a picture or a part of one, and not a frame, a design or a pose. */
export function isCopy(features: readonly number[]): boolean {
  return WEIGHTS.reduce((sum, weight, i) => sum + weight * features[i], CONSTANT) >= 0;
}
