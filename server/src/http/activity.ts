import type { Application } from '../applications/application.ts';
import type { ErrorName, Failure } from '../errors.ts';
import { forClients } from './envelope.ts';

/** Failed operations stored per application, of each kind. */
const MAX_FAILURES_STORED = 50;

/** Seconds of an interval, and the number of intervals: the last 24 hours. */
export const INTERVAL_SECONDS = 300;
export const INTERVAL_COUNT = 288;

export interface FailedOperation {
  /** ISO 8601, UTC. */
  readonly at: string;
  readonly operation: string;
  readonly code: number;
  readonly message: string;
}

/** What is counted in each interval. Times are of all operations of the interval. */
export const counted = [
  'searches',
  'additions',
  'deletions',
  'others',
  'refusals',
  'failures',
  'total_ms',
  'slowest_ms',
] as const;
export type Counted = (typeof counted)[number];

/** Failures that the service or the machine causes, beside those of the store. Others refuse a request of the client. */
const ofTheService: ReadonlySet<ErrorName> = new Set([
  'INTERNAL',
  'DECODE_TIMEOUT',
  'DECODER_CRASHED',
  'NETWORK_FAILED',
  'OVERLOADED',
]);

interface ActivityRecord {
  /** The number of the interval since 1970 that each row was last used for. */
  readonly intervals: Uint32Array;
  readonly rows: Float32Array;
  failures: readonly FailedOperation[];
  refusals: readonly FailedOperation[];
}

/** The operations of each application in the last 24 hours, in memory, for the console: 10 KB per active application. */
export class Activity {
  readonly #records = new WeakMap<Application, ActivityRecord>();

  note(
    application: Application,
    operation: { readonly name: string },
    ms: number,
    failure?: Failure,
    at = Date.now(),
  ): void {
    const record = this.#recordOf(application);
    const row = rowOf(record, Math.floor(at / 1000 / INTERVAL_SECONDS));
    const add = (name: Counted, by = 1): void => void (row[counted.indexOf(name)]! += by);
    add(kindOf(operation));
    add('total_ms', ms);
    const slowest = counted.indexOf('slowest_ms');
    row[slowest] = Math.max(row[slowest]!, ms);
    if (!failure) return;

    const kind = isOfTheService(failure.error) ? 'failures' : 'refusals';
    add(kind);
    const { code, message } = forClients(failure);
    const one = { at: new Date(at).toISOString(), operation: operation.name, code, message };
    record[kind] = [one, ...record[kind]].slice(0, MAX_FAILURES_STORED);
  }

  /** The last failures of the service, and the last refusals of requests; the latest first. */
  failed(application: Application): Pick<ActivityRecord, 'failures' | 'refusals'> {
    const { failures = [], refusals = [] } = this.#records.get(application) ?? {};
    return { failures, refusals };
  }

  /** For each name a number per interval, the oldest first, up to the current interval. */
  series(application: Application, at = Date.now()): Record<Counted, number[]> {
    const record = this.#records.get(application);
    const current = Math.floor(at / 1000 / INTERVAL_SECONDS);
    const valueAt = (interval: number, column: number): number => {
      const row = interval % INTERVAL_COUNT;
      if (record?.intervals[row] !== interval) return 0;
      return Math.round(record.rows[row * counted.length + column]!);
    };
    const intervals = Array.from({ length: INTERVAL_COUNT }, (_, i) => current - INTERVAL_COUNT + 1 + i);
    const columns = counted.map((name, column) => [name, intervals.map((each) => valueAt(each, column))] as const);
    return Object.fromEntries(columns) as Record<Counted, number[]>;
  }

  #recordOf(application: Application): ActivityRecord {
    const known = this.#records.get(application);
    if (known) return known;
    const rows = new Float32Array(INTERVAL_COUNT * counted.length);
    const made: ActivityRecord = { intervals: new Uint32Array(INTERVAL_COUNT), rows, failures: [], refusals: [] };
    this.#records.set(application, made);
    return made;
  }
}

function isOfTheService(error: ErrorName): boolean {
  return /^(?:STORE|CLUSTER)_/.test(error) || ofTheService.has(error);
}

/** The counters of an interval; a row of an older interval begins anew. */
function rowOf({ intervals, rows }: ActivityRecord, interval: number): Float32Array {
  const at = interval % INTERVAL_COUNT;
  const row = rows.subarray(at * counted.length, (at + 1) * counted.length);
  if (intervals[at] !== interval) {
    intervals[at] = interval;
    row.fill(0);
  }
  return row;
}

function kindOf({ name }: { readonly name: string }): Counted {
  if (name.startsWith('Search') || name === 'Filter') return 'searches';
  if (name === 'AddImage') return 'additions';
  return name === 'DeleteImage' ? 'deletions' : 'others';
}
