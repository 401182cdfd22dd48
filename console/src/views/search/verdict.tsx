import { percent } from '../../parts/figures.ts';
import { type MatchInfo, verdictOf } from './match-info.ts';

export function Verdict({ decision, relation }: Pick<MatchInfo, 'decision' | 'relation'>) {
  if (!decision) return null;
  const { word, accepted, relation: shown, sentence } = verdictOf(decision, relation);
  return (
    <span class={`verdict ${accepted ? word.toLowerCase() : 'rejected'}`} title={sentence}>
      {shown ? `${word}, ${shown}` : word}
    </span>
  );
}

/** What the decision means, in a sentence. */
export function Meaning({ decision, relation, agreeing }: Pick<MatchInfo, 'decision' | 'relation' | 'agreeing'>) {
  if (!decision) return null;
  return (
    <p class="lead">
      {verdictOf(decision, relation).sentence}
      {agreeing !== undefined && ` ${Math.round(agreeing * 100)} % of what both show agrees.`}
    </p>
  );
}

/** A bar and a number, both full for the same picture. */
export function Score({ score, similarity = 0 }: { score: number; similarity: number | undefined }) {
  return (
    <span
      class="line score"
      title={`Similarity to the query; 100 % is the same picture. Score (distance): ${score.toFixed(4)}`}
    >
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${Math.max(2, similarity)}%` }} />
      </span>
      <span>{percent(similarity)}</span>
    </span>
  );
}
