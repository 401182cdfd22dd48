import type { Applications } from '../applications/applications.ts';
import type { Budget } from './budget.ts';
import type { Limits } from './limits.ts';
import type { WrongKeys } from './wrong-keys.ts';

/** What the listeners share. */
export interface House {
  readonly limits: Limits;
  /** Bytes of bodies. */
  readonly uploads: Budget;
  /** Operations being carried out. */
  readonly work: Budget;
  readonly wrongKeys: WrongKeys;
  readonly applications: Pick<Applications, 'find'>;
  /** `leaving`: still answers, but asks clients to leave. `stopped`: turns everything down. */
  readonly stage: 'running' | 'leaving' | 'stopped';
  /** The id under which a request is in the log and in its answer's X-Request-Id. */
  nextRequest(): string;
}
