import { alarmScore, claimOf, judge, type Answer, type Outcome } from './outcome.ts';
import type { Found, Hit } from './searching.ts';

/** One query to ask. */
export interface Trial {
  readonly path: string;
  /** The name of the picture it was made from. */
  readonly source: string;
  /** null for the picture as it is. */
  readonly attack: string | null;
  /** null for a picture that is not among the references. */
  readonly answer: Answer | null;
}

export interface Judged {
  /** A first hit counts as found below this score, which at most one negative in a hundred gets below. */
  readonly alarm: number;
  /** By attack, in the order of the trials. */
  readonly attacked: ReadonlyMap<string, readonly Outcome[]>;
  /** The references as they are. */
  readonly exact: readonly Outcome[];
  /** Of each negative the score of its first hit; 1 for none. */
  readonly negatives: readonly number[];
  /** Wrong pictures that stand first and claim to be the same. */
  readonly falseClaims: readonly { readonly trial: Trial; readonly hit: Hit }[];
}

const ALARMS = 0.01;
const nothing: Found = { shortlist: [], hits: [], candidatesMs: NaN, verifyMs: NaN };

/** @param found  what each trial gave; null where the query could not be described, which finds nothing */
export function judgeAll(trials: readonly Trial[], found: readonly (Found | null)[]): Judged {
  const attacked = new Map<string, Outcome[]>();
  const exact: Outcome[] = [];
  const negatives: number[] = [];
  const falseClaims: { trial: Trial; hit: Hit }[] = [];
  trials.forEach((trial, i) => {
    const answer = found[i] ?? nothing;
    const outcome = trial.answer && judge(answer, trial.answer);
    const falseClaim = outcome ? outcome.falseClaim : claimOf(answer.hits[0]);
    if (falseClaim) falseClaims.push({ trial, hit: falseClaim });
    if (!outcome) negatives.push(answer.hits[0]?.score ?? 1);
    else if (trial.attack === null) exact.push(outcome);
    else attacked.set(trial.attack, [...(attacked.get(trial.attack) ?? []), outcome]);
  });
  return { alarm: alarmScore(negatives, ALARMS), attacked, exact, negatives, falseClaims };
}
