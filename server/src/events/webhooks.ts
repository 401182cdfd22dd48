import type { ShownWebhook } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { KeyedMutex } from '../applications/keyed-mutex.ts';
import { put, recordsNumber, remove, valueOf } from '../applications/records.ts';
import { fail } from '../errors.ts';
import type { Reading } from '../metrics/metrics.ts';
import { inOneProcess } from '../store/one-process.ts';
import type { StoredRecord } from '../store/store.ts';
import { Pause } from '../workers/pause.ts';
import { Delivery } from './delivery.ts';
import type { DeliveryParts } from './delivery.ts';
import { newSecret } from './signature.ts';
import { PROGRESS_KIND, WEBHOOK_KIND } from './stored.ts';
import type { Progress, SigningSecret, StoredWebhook } from './stored.ts';

export const MAX_WEBHOOKS = 100;

/** Milliseconds in which a replaced secret signs, too. */
const ROTATION_MS = 24 * 3600 * 1000;
/** Of several rotations within this time, the latest. */
const MAX_SECRETS = 5;

/** The lease of the process that sends, and the milliseconds between its looks for changes by others. */
const [LEASE, LOOK_MS] = ['webhooks', 1000];

export interface WebhookParts extends DeliveryParts {
  /** The number of the latest event; 0 where there is none. */
  readonly latest: (records: number) => Promise<number>;
}

interface WithSecret {
  readonly webhook: ShownWebhook;
  readonly secret: string;
}

/**
 * The webhooks of all applications. Each has a loop of its own, so no receiver delays another. One process sends; any
 * process lists and changes them.
 */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #all = new Map<number, Map<string, Delivery>>();
  readonly #changes = new KeyedMutex();
  readonly #closed = new AbortController();
  readonly #nextLook = new Pause();
  #loop: Promise<void> = Promise.resolve();
  /** Whether this process is the one that sends. */
  #isSending = false;

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    const { metrics } = parts;
    metrics.sample('webhooks', () => this.#states());
    metrics.sample('webhookEventsWaiting', () => this.#waiting());
  }

  /** Continues what an earlier process has begun to send. @param applications  those of the moment */
  async start(applications: () => readonly Application[]): Promise<void> {
    const { records, failed } = this.#parts;
    const refresh = () => this.#refresh(applications().map(recordsNumber));
    if (!records.shared) {
      await refresh();
      return this.#send();
    }
    this.#loop = inOneProcess(records, {
      lease: LEASE,
      refresh,
      isAny: () => this.#each().length > 0,
      begin: () => this.#send(),
      end: async () => {
        this.#isSending = false;
        await Promise.all(this.#each().map((each) => each.stop()));
      },
      wait: () => this.#nextLook.wait(LOOK_MS),
      signal: this.#closed.signal,
      failed,
    });
  }

  #send(): void {
    this.#isSending = true;
    for (const each of this.#each()) each.start();
  }

  /** Takes what is stored for some applications, and forgets the others. */
  async #refresh(numbers: readonly number[]): Promise<void> {
    const { records } = this.#parts;
    const webhooks = await records.ofAll(numbers, WEBHOOK_KIND);
    const progresses = await records.ofAll([...webhooks.keys()], PROGRESS_KIND);
    for (const number of new Set([...webhooks.keys(), ...this.#all.keys()]))
      await this.#take(number, webhooks.get(number) ?? [], progresses.get(number) ?? []);
  }

  async #take(records: number, webhooks: readonly StoredRecord[], progresses: readonly StoredRecord[]): Promise<void> {
    const known = this.#of(records);
    for (const stored of webhooks) {
      const found = progresses.find(({ id }) => id === stored.id);
      // without a position that can be read, an event is rather sent twice than never
      const state = {
        webhook: valueOf<StoredWebhook>(stored),
        progress: found ? valueOf<Progress>(found) : { position: 0 },
      };
      const delivery = known.get(stored.id);
      if (delivery) delivery.take(state.webhook, state.progress);
      else this.#begin(records, stored.id, state);
    }
    for (const [id, delivery] of known) {
      if (webhooks.some((stored) => stored.id === id)) continue;
      known.delete(id);
      await delivery.stop();
    }
    if (known.size === 0) this.#all.delete(records);
  }

  /** Fails as `Fetcher.check`, and with WEBHOOKS_FULL. */
  add(
    application: Application,
    id: string,
    { url, after, who }: { url: string; after?: number; who: string },
  ): Promise<WithSecret> {
    return this.#change(application, async (records) => {
      const { href } = this.#parts.fetcher.check(url);
      const known = this.#of(records).get(id);
      if (!known && this.#of(records).size >= MAX_WEBHOOKS) throw fail('WEBHOOKS_FULL', `there are ${MAX_WEBHOOKS}`);
      const { secrets, added } = known?.webhook ?? {
        secrets: [{ secret: newSecret() }],
        added: new Date().toISOString(),
      };
      const webhook = { url: href, secrets, added, who };
      const position = after ?? known?.progress.position ?? (await this.#parts.latest(records));
      if (known) {
        await this.#parts.records.changeRecords(records, [put(WEBHOOK_KIND, id, webhook)]);
        known.webhook = webhook;
        await known.resume({ position });
      } else {
        const progress = { position };
        await this.#parts.records.changeRecords(records, [
          put(PROGRESS_KIND, id, progress),
          put(WEBHOOK_KIND, id, webhook),
        ]);
        this.#begin(records, id, { webhook, progress });
      }
      return this.#withSecret(records, id);
    });
  }

  /** By name. */
  async list(application: Application, page: { readonly start: number; readonly count: number }) {
    const records = recordsNumber(application);
    await this.#read(records);
    const ids = [...this.#of(records).keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const listed = ids.slice(page.start, page.start + page.count);
    const latest = await this.#parts.latest(records);
    return { found: ids.length, webhooks: listed.map((id) => this.#shown(records, id, latest)) };
  }

  /** Fails with UNKNOWN_WEBHOOK, as the next ones do. */
  rotate(application: Application, id: string): Promise<WithSecret> {
    return this.#change(application, async (records) => {
      const known = this.#known(records, id);
      const until = new Date(Date.now() + ROTATION_MS).toISOString();
      const [{ secret }, ...replaced] = known.webhook.secrets as [SigningSecret, ...SigningSecret[]];
      const signing = [{ secret: newSecret() }, { secret, until }, ...replaced].slice(0, MAX_SECRETS);
      const webhook = { ...known.webhook, secrets: signing };
      await this.#parts.records.changeRecords(records, [put(WEBHOOK_KIND, id, webhook)]);
      known.webhook = webhook;
      return this.#withSecret(records, id);
    });
  }

  resume(application: Application, id: string): Promise<ShownWebhook> {
    return this.#change(application, async (records) => {
      const known = this.#known(records, id);
      await known.resume({ position: known.progress.position });
      return this.#shown(records, id, await this.#parts.latest(records));
    });
  }

  /** @returns the number of those that are left */
  delete(application: Application, id: string): Promise<number> {
    return this.#change(application, async (records) => {
      await this.#known(records, id).stop();
      this.#of(records).delete(id);
      await this.#parts.records.changeRecords(records, [remove(WEBHOOK_KIND, id), remove(PROGRESS_KIND, id)]);
      return this.#of(records).size;
    });
  }

  /** The application has new events. */
  notice(application: Application): void {
    for (const each of this.#all.get(recordsNumber(application))?.values() ?? []) each.notice();
  }

  /** Ends those of a deleted application. */
  async forget(records: number): Promise<void> {
    const ended = [...this.#of(records).values()];
    this.#all.delete(records);
    await Promise.all(ended.map((each) => each.stop()));
  }

  async close(): Promise<void> {
    this.#closed.abort();
    this.#nextLook.end();
    await this.#loop;
    await Promise.all([...this.#all.keys()].map((records) => this.forget(records)));
  }

  #begin(records: number, id: string, state: { webhook: StoredWebhook; progress: Progress }): void {
    const delivery = new Delivery(records, id, state, this.#parts);
    this.#of(records).set(id, delivery);
    if (this.#isSending) delivery.start();
    this.#nextLook.end();
  }

  #change<T>(application: Application, work: (records: number) => Promise<T>): Promise<T> {
    const records = recordsNumber(application);
    return this.#changes.run(String(records), async () => {
      await this.#read(records);
      return work(records);
    });
  }

  /** Takes what other processes have changed for an application. */
  async #read(number: number): Promise<void> {
    const { records } = this.#parts;
    if (!records.shared) return;
    const [webhooks, progresses] = [
      await records.records(number, WEBHOOK_KIND),
      await records.records(number, PROGRESS_KIND),
    ];
    await this.#take(number, webhooks, progresses);
  }

  #each(): Delivery[] {
    return [...this.#all.values()].flatMap((known) => [...known.values()]);
  }

  #of(records: number): Map<string, Delivery> {
    const known = this.#all.get(records) ?? new Map<string, Delivery>();
    this.#all.set(records, known);
    return known;
  }

  #known(records: number, id: string): Delivery {
    const known = this.#of(records).get(id);
    if (!known) throw fail('UNKNOWN_WEBHOOK', id);
    return known;
  }

  async #withSecret(records: number, id: string): Promise<WithSecret> {
    const { secret } = this.#known(records, id).webhook.secrets[0]!;
    return { webhook: this.#shown(records, id, await this.#parts.latest(records)), secret };
  }

  /** @param latest  the number of the latest event */
  #shown(records: number, id: string, latest: number): ShownWebhook {
    const { webhook, progress, state } = this.#known(records, id);
    const { position, fault, failingSince } = progress;
    const { url, added, who } = webhook;
    const waiting = Math.max(0, latest - position);
    const failing = {
      ...(fault !== undefined && { fault }),
      ...(failingSince !== undefined && { failing_since: failingSince }),
    };
    return { id, url, state, position, waiting, ...failing, added, who };
  }

  #states(): Reading {
    const counts = { sending: 0, failing: 0, dead: 0 };
    if (this.#isSending) for (const { state } of this.#each()) counts[state]++;
    return Object.entries(counts).map(([state, count]) => [count, { state }]);
  }

  async #waiting(): Promise<Reading> {
    let sum = 0;
    for (const [records, known] of this.#isSending ? this.#all : []) {
      const latest = known.size > 0 ? await this.#parts.latest(records) : 0;
      for (const { progress } of known.values()) sum += Math.max(0, latest - progress.position);
    }
    return [[sum]];
  }
}
