/**
 * A score in per cent with one decimal: 100 for score 0 alone, at most 99.9 otherwise, falling with the score.
 * @param score   in [0, 1]
 * @param wholes  whether the type compares pictures as wholes. Scores are then squared, since another picture begins at about 0.4
 */
export function similarityOf(score: number, wholes: boolean): number {
  if (score === 0) return 100;
  const share = wholes ? (1 - score) * (1 - score) : 1 - score;
  return Math.min(99.9, Math.round(1000 * share) / 10);
}
