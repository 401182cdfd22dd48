import { createHash } from 'node:crypto';
import type { ShownWebhook } from '@sosia/contract';
import { isDeepStrictEqual } from 'node:util';
import { bodyOf, put, valueIn } from '../applications/records.ts';
import { Failure } from '../errors.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import type { Metrics } from '../metrics/metrics.ts';
import type { EventStore, StoredEvent } from '../store/store.ts';
import { Pause } from '../workers/pause.ts';
import { signedHeaders } from './signature.ts';
import { PAGE_EVENTS, PROGRESS_KIND } from './stored.ts';
import type { Progress, StoredWebhook } from './stored.ts';
import { wireEvent } from './wire.ts';

/** Milliseconds of service without success after which a webhook is dead. */
const PATIENCE_MS = 3 * 24 * 3600 * 1000;

/** The pause before an attempt is this part of the time without success, within these milliseconds. */
const PAUSE_PART = 1 / 15;
const PAUSE_MS = { least: 1000, most: 3_600_000 };

/** Milliseconds between two looks for events that other processes have stored. */
const POLL_MS = 1000;

/** Milliseconds before another look at a store that could not be read, and at an application that is disabled. */
const LOOK_MS = 5000;

/** The status of a receiver that wants no more. */
const STATUS_410 = 410;

export interface DeliveryParts {
  readonly records: EventStore;
  /** The events of an application behind a number. @param records  see `recordsNumber` */
  readonly after: (records: number, number: number, count: number) => Promise<StoredEvent[]>;
  readonly fetcher: Fetcher;
  readonly metrics: Metrics;
  /** @param records  see `recordsNumber` */
  readonly isEnabled: (records: number) => boolean;
  readonly failed: (cause: unknown) => void;
}

/**
 * Sends the events of an application to one address, one after the other. The position is committed after each answer
 * of success, so a kill repeats one event at most.
 */
export class Delivery {
  webhook: StoredWebhook;
  progress: Progress;
  /** The progress as it was read or written last. */
  #stored: Progress;
  readonly #records: number;
  readonly #id: string;
  readonly #parts: DeliveryParts;
  #stopped = new AbortController();
  /** The end of the time that `failingMs` has counted, by the clock of `performance`. */
  #counted = performance.now();
  readonly #pause = new Pause();
  #ended: Promise<void> = Promise.resolve();
  #isRunning = false;
  #changing: Promise<unknown> = Promise.resolve();

  constructor(
    records: number,
    id: string,
    state: { webhook: StoredWebhook; progress: Progress },
    parts: DeliveryParts,
  ) {
    this.#records = records;
    this.#id = id;
    this.webhook = state.webhook;
    this.progress = state.progress;
    this.#stored = state.progress;
    this.#parts = parts;
  }

  get state(): ShownWebhook['state'] {
    if (this.progress.isDead) return 'dead';
    return this.progress.failingSince === undefined ? 'sending' : 'failing';
  }

  /** Does nothing where it has begun. */
  start(): void {
    if (this.#isRunning) return;
    this.#isRunning = true;
    this.#stopped = new AbortController();
    this.#counted = performance.now();
    this.#ended = this.#run(this.#stopped.signal);
  }

  /** Takes what another process has stored. */
  take(webhook: StoredWebhook, progress: Progress): void {
    this.webhook = webhook;
    if (!isDeepStrictEqual(progress, this.#stored)) this.#adopt(progress);
  }

  #adopt(progress: Progress): void {
    this.progress = progress;
    this.#stored = progress;
    this.#pause.end();
  }

  /** There are new events, which do not shorten a pause between attempts. */
  notice(): void {
    if (this.state === 'sending') this.#pause.end();
  }

  /** Sends at once, from the position in `progress` on. */
  async resume(progress: Progress): Promise<void> {
    await this.#alone(async () => {
      await this.#parts.records.changeRecords(this.#records, [put(PROGRESS_KIND, this.#id, progress)]);
      this.#adopt(progress);
    });
  }

  async stop(): Promise<void> {
    this.#stopped.abort();
    this.#pause.end();
    await this.#ended;
    this.#isRunning = false;
  }

  async #run(signal: AbortSignal): Promise<void> {
    const { after, failed, records } = this.#parts;
    while (!signal.aborted) {
      try {
        const { isDead, position } = this.progress;
        const page = isDead ? [] : await after(this.#records, position, PAGE_EVENTS);
        if (page.length === 0) await this.#pause.wait(records.shared ? POLL_MS : undefined);
        for (const event of page) if (!(await this.#send(event))) break;
      } catch (cause) {
        // oxlint-disable-next-line typescript/no-unnecessary-condition -- the sending takes time
        if (signal.aborted) return;
        failed(cause);
        await this.#pause.wait(LOOK_MS);
      }
    }
  }

  /** @returns whether the next event may follow */
  async #send(event: StoredEvent): Promise<boolean> {
    if (!this.#parts.isEnabled(this.#records)) {
      await this.#pause.wait(LOOK_MS);
      this.#counted = performance.now();
      return false;
    }
    const before = this.progress;
    const { fault, outcome } = await this.#attempt(event);
    if (this.#stopped.signal.aborted) return false;
    this.#parts.metrics.count('webhookRequests', { outcome });
    if (fault === undefined) {
      if (this.progress.position !== before.position) return false; // it begins elsewhere since then
      return this.#commit({ position: event.number });
    }
    if (this.progress !== before) return false; // it was resumed since then
    const { failingSince, failingMs: counted = 0 } = before;
    const now = performance.now();
    const failingMs = failingSince === undefined ? 0 : counted + now - this.#counted;
    this.#counted = now;
    const isDead = outcome === 'gone' || failingMs >= PATIENCE_MS;
    const since = failingSince ?? new Date().toISOString();
    const committed = await this.#commit({
      ...before,
      failingSince: since,
      failingMs,
      fault,
      ...(isDead && { isDead }),
    });
    if (committed && !isDead)
      await this.#pause.wait(Math.min(Math.max(failingMs * PAUSE_PART, PAUSE_MS.least), PAUSE_MS.most));
    return false;
  }

  async #attempt(event: StoredEvent): Promise<{ readonly outcome: string; readonly fault?: string }> {
    const body = JSON.stringify({ type: 'picture.found', timestamp: event.at, data: wireEvent(event) });
    const headers = signedHeaders(this.#messageId(event), body, secretsOf(this.webhook));
    try {
      const { signal } = this.#stopped;
      const status = await this.#parts.fetcher.post(this.webhook.url, { body, headers, signal });
      if (status >= 200 && status < 300) return { outcome: 'received' };
      return { outcome: status === STATUS_410 ? 'gone' : 'refused', fault: `the receiver answered ${status}` };
    } catch (cause) {
      if (!(cause instanceof Failure) && !this.#stopped.signal.aborted) throw cause;
      return { outcome: 'unreachable', fault: (cause as Error).message };
    }
  }

  /** By what never changes of an event, so that an event after a restored backup has another one. */
  #messageId({ number, search, image, at }: StoredEvent): string {
    const of = JSON.stringify([this.#records, number, search, image, at]);
    return `evt_${createHash('sha256').update(of).digest('base64url').slice(0, 22)}`;
  }

  /** @returns false where another call or process has stored something else since, which counts then */
  #commit(progress: Progress): Promise<boolean> {
    return this.#alone(async () => {
      let foreign: Progress | undefined;
      await this.#parts.records.update(this.#records, PROGRESS_KIND, [this.#id], (_, body) => {
        const found = body && valueIn<Progress>(body);
        foreign = isDeepStrictEqual(found, this.#stored) ? undefined : found;
        return foreign ? undefined : bodyOf(progress);
      });
      if (foreign) this.#adopt(foreign);
      else this.progress = this.#stored = progress;
      return !foreign;
    });
  }

  /** One change of what is stored at a time. */
  #alone<T>(work: () => Promise<T>): Promise<T> {
    const done = this.#changing.then(work);
    this.#changing = done.catch(() => {});
    return done;
  }
}

/** Those that sign now, the newest first. */
function secretsOf({ secrets }: StoredWebhook): string[] {
  const isOver = (until: string | undefined): boolean => until !== undefined && Date.parse(until) <= Date.now();
  return secrets.filter(({ until }) => !isOver(until)).map(({ secret }) => secret);
}
