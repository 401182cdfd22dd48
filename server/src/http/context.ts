import type { Applications } from '../applications/applications.ts';
import type { Failure } from '../errors.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { Loading } from '../applications/references.ts';
import type { AuditTrail } from '../administration/audit-trail.ts';
import type { Administered } from '../administration/operation.ts';
import type { Reviews } from '../review/reviews.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { Activity } from './activity.ts';
import type { Budget } from './budget.ts';
import type { Limits } from './limits.ts';
import type { BodyPacer } from './body-pacer.ts';
import type { WrongKeys } from './wrong-keys.ts';

/** Shared by all listeners. */
export interface HttpContext {
  readonly limits: Limits;
  /** The memory of requests, in bytes. */
  readonly uploads: Budget;
  /** Operations in progress. */
  readonly work: Budget;
  /** Streams of events. */
  readonly streams: Budget;
  readonly fetcher: Pick<Fetcher, 'fetch'>;
  /** Pictures that are being fetched. */
  readonly fetches: Budget;
  readonly pacer: BodyPacer;
  readonly wrongKeys: WrongKeys;
  readonly metrics: Metrics;
  readonly applications: Pick<Applications, 'recognize' | 'caller' | 'withNumber'>;
  /** What the operations of administration work on; without it there are none. */
  readonly administered: Administered | undefined;
  /** The reviews of the applications; without them there are no operations of the review. */
  readonly reviews: Reviews | undefined;
  readonly audit: Pick<AuditTrail, 'note' | 'collect' | 'refuse'>;
  /** The progress of the start; undefined once all pictures are loaded. */
  readonly loading: () => Loading | undefined;
  /** Why no request can be served at the moment, known without waiting. */
  readonly outage: () => Failure | undefined;
  readonly activity: Activity;
  /** The MODIFY port, once the ports are open. */
  readonly modifyPort: number;
  readonly queryPort: number;
  /**
   * A stopping service is `unready`, then `leaving`: it still answers everything, but closes connections after each
   * answer.
   */
  readonly stage: 'running' | 'unready' | 'leaving';
  /** The id of a request in the log and in X-Request-Id of its answer. */
  nextRequest(): string;
}
