import { similarity } from '../../parts/figures.ts';
import { verdictOf } from './match-info.ts';

export function Verdict({ decision }: { decision: string | undefined }) {
  if (!decision) return null;
  const { word, accepted, sentence } = verdictOf(decision);
  return (
    <span class={`verdict ${accepted ? word.toLowerCase() : 'rejected'}`} title={sentence}>
      {word}
    </span>
  );
}

/** A bar and a number, both full for the same picture. */
export function Score({ score }: { score: number }) {
  return (
    <span class="score" title={`Similarity; 100 % is the same picture. Score (distance): ${score.toFixed(4)}`}>
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${Math.max(2, (1 - score) * 100)}%` }} />
      </span>
      <span class="figure">{similarity(score)}</span>
    </span>
  );
}
