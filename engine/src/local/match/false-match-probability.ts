/**
 * Shares of wrong answers by the logarithm of the odds that both pictures share a part; see
 * docs/experiments/2026-11-29-odds.md. No answer beyond the last place was wrong, so its share is by judgement.
 */
const SHARES: readonly (readonly [logOdds: number, wrong: number])[] = [
  [-12, 0.998],
  [-8, 0.989],
  [-5, 0.975],
  [-3, 0.95],
  [-2, 0.88],
  [-1, 0.7],
  [0, 0.35],
  [0.5, 0.22],
  [1, 0.12],
  [2, 0.065],
  [3, 0.045],
  [5, 0.006],
  [8, 0.001],
];

/**
 * How likely an answer of Media Matching shows no copy, 4 decimals. It grows as the odds fall.
 * @param logOdds  of a copy, see `logOddsOfCopy`
 */
export function falseMatchProbability(logOdds: number): number {
  const next = SHARES.findIndex(([at]) => at > logOdds);
  if (next <= 0) return SHARES.at(next)![1];
  const [[from, high], [to, low]] = [SHARES[next - 1], SHARES[next]];
  return Math.round(1e4 * (high + ((logOdds - from) / (to - from)) * (low - high))) / 1e4;
}
