import type { Application } from '../applications/application.ts';
import type { Budget } from './budget.ts';
import type { Limits } from './limits.ts';
import type { WrongKeys } from './wrong-keys.ts';

/** What the listeners share. */
export interface House {
  readonly limits: Limits;
  readonly budget: Budget;
  readonly wrongKeys: WrongKeys;
  readonly applications: Applications;
  /** `leaving`: still answers, but asks clients to leave. `stopped`: turns everything down. */
  readonly stage: 'running' | 'leaving' | 'stopped';
}

export interface Applications {
  /** The application of a key; undefined for an unknown key and for a disabled application. */
  find(key: string): Application | undefined;
}
