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
