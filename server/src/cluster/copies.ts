import { fail, type Failure } from '../errors.ts';
import type { Shards } from './body.ts';

/** Milliseconds between two attempts to write to enough copies, and how many there are. */
export const COPIES_PAUSE = 500;
export const COPIES_TRIALS = 10;

/** Whether two copies have a change, or the only one: what one of several has would be lost with it. */
export function hasCopies({ total, successful }: Pick<Shards, 'total' | 'successful'>): boolean {
  return successful >= Math.min(2, total);
}

export function fewCopies({ total, successful }: Shards): Failure {
  return fail('CLUSTER_OUTCOME_UNKNOWN', `expected 2 of ${total} copies to have the change, got ${successful}`);
}
