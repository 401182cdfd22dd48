import type { Applications } from '../applications/applications.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Budget } from './budget.ts';
import type { Limits } from './limits.ts';
import type { BodyPacer } from './body-pacer.ts';
import type { RecentFailures } from './recent-failures.ts';
import type { WrongKeys } from './wrong-keys.ts';

/** What the listeners share. */
export interface HttpContext {
  readonly limits: Limits;
  /** Bytes of memory that requests take. */
  readonly uploads: Budget;
  /** Operations being carried out. */
  readonly work: Budget;
  readonly pacer: BodyPacer;
  readonly wrongKeys: WrongKeys;
  readonly metrics: Metrics;
  readonly applications: Pick<Applications, 'find' | 'withDigest'>;
  readonly failures: RecentFailures;
  /** Where the operations that change something are, once the ports are open. */
  readonly modifyPort: number;
  readonly queryPort: number;
  /** A stopping service is `unready`, then `leaving`: it still answers everything, but asks its clients to leave. */
  readonly stage: 'running' | 'unready' | 'leaving';
  /** The id under which a request is in the log and in its answer's X-Request-Id. */
  nextRequest(): string;
}
