import { scoreOf } from './decision.ts';

type Curve = readonly (readonly [strength: number, probability: number])[];

/**
 * Shares of wrong answers by the score that the evidence gives a match, 0 for the same picture; see
 * docs/experiments/2026-11-25-probability.md.
 */
const CURVES = {
  match: [
    [0, 0],
    [0.05, 0.001],
    [0.1, 0.006],
    [0.125, 0.015],
    [0.15, 0.03],
    [0.2, 0.085],
    [0.25, 0.18],
    [0.3, 0.32],
    [0.4, 0.7],
    [0.5, 0.9],
  ],
  similar: [
    [0.05, 0.17],
    [0.1, 0.21],
    [0.2, 0.4],
    [0.3, 0.65],
    [0.4, 0.8],
    [0.45, 0.9],
    [0.5, 0.955],
    [0.6, 0.99],
  ],
} as const satisfies Record<string, Curve>;

/** How likely an answer of Media Matching with so much evidence shows no copy, 4 decimals. It grows as the evidence falls. */
export function falseMatchProbability(evidence: number, decision: 'Clone' | 'Match' | 'Similar'): number {
  const curve: Curve = decision === 'Similar' ? CURVES.similar : CURVES.match;
  const strength = Math.max(curve[0][0], scoreOf(evidence));
  const next = curve.findIndex(([at]) => at > strength);
  if (next < 0) return curve[curve.length - 1][1];
  const [[from, low], [to, high]] = [curve[next - 1], curve[next]];
  return Math.round(1e4 * (low + ((strength - from) / (to - from)) * (high - low))) / 1e4;
}
