import { verdictOf } from './match-info.ts';

export function Verdict({ decision }: { decision: string | undefined }) {
  if (!decision) return null;
  const { word, accepted } = verdictOf(decision);
  return (
    <span class={`verdict ${accepted ? word.toLowerCase() : 'rejected'}`} title={decision}>
      {word}
    </span>
  );
}

/** A bar that is full for the same picture, and the number. */
export function Score({ score }: { score: number }) {
  return (
    <span class="score" title="0 is the same picture, 1 has nothing in common">
      <span class="score-bar" aria-hidden="true">
        <span style={{ width: `${Math.max(2, (1 - score) * 100)}%` }} />
      </span>
      <span class="figure">{score.toFixed(3)}</span>
    </span>
  );
}
