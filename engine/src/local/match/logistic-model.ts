/** A logistic regression. Its features have names; weights and intercept are in hundredths. */
export interface LogisticModel<Feature extends string> {
  readonly weights: Readonly<Record<Feature, number>>;
  readonly intercept: number;
}

/** Whether the odds are even or better. The sum is their logarithm, so no exponential is needed. */
export function isLikely<Feature extends string>(
  { weights, intercept }: LogisticModel<Feature>,
  features: Readonly<Record<Feature, number>>,
): boolean {
  let logOdds = intercept;
  for (const name in weights) logOdds += weights[name] * features[name];
  return logOdds >= 0;
}

/**
 * The same of features and of their products, in hundredths. The first row is the constant. The next ones have a weight for the feature,
 * and for its product with each feature up to itself.
 */
export type ProductWeights = readonly (readonly number[])[];

/** The logarithm of the odds. @param features  one for each row but the first */
export function logOddsByProducts(weights: ProductWeights, features: readonly number[]): number {
  const values = [1, ...features];
  let hundredths = 0;
  for (const [i, row] of weights.entries())
    for (const [j, weight] of row.entries()) hundredths += weight * values[i] * values[j];
  return hundredths / 100;
}
