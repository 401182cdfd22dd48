import { type CopyFeatureName, copyFeatureNames } from './copy-features.ts';

/**
 * A logistic regression that training/src/decision.ts learns, in hundredths. Its sum is the logarithm of the odds of a copy, so no
 * exponential is needed.
 */
const WEIGHTS: Readonly<Record<CopyFeatureName, number>> = {
  'evidence from 2 to 3': 226,
  'evidence of the middle': 113,
  'inner places': 643,
  'inner cells with agreement': 231,
  'close features': 231,
  'tone of the inner part': 444,
  'tone of the whole': 359,
  'closely agreeing inner part': 728,
  agreeing: -295,
  'largest part apart': -65,
  'nearly equal': -229,
  'share of the picture': 276,
  'small overlap without equal cells': -566,
  agreements: -255,
};
const INTERCEPT = -1242;

/**
 * Whether what two pictures share is a picture or a part of one, and not a frame, a design or a pose.
 * @param features  in the order of `copyFeatureNames`
 */
export function isCopy(features: readonly number[]): boolean {
  return copyFeatureNames.reduce((sum, name, i) => sum + WEIGHTS[name] * features[i], INTERCEPT) >= 0;
}
