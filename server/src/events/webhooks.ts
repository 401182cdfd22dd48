import type { ShownWebhook } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import { KeyedMutex } from '../applications/keyed-mutex.ts';
import { put, recordsNumber, remove, valueOf } from '../applications/records.ts';
import { fail } from '../errors.ts';
import type { Reading } from '../metrics/metrics.ts';
import { Delivery } from './delivery.ts';
import type { DeliveryParts } from './delivery.ts';
import { latestEvent, requireFolder } from './feed.ts';
import { newSecret } from './signature.ts';
import { PROGRESS_KIND, WEBHOOK_KIND } from './stored.ts';
import type { Progress, SigningSecret, StoredWebhook } from './stored.ts';

export const MAX_WEBHOOKS = 100;

/** Milliseconds in which a replaced secret signs, too. */
const ROTATION_MS = 24 * 3600 * 1000;
/** Of several rotations within this time, the latest. */
const MAX_SECRETS = 5;

/** Without `images` in a cluster, which has no events. */
export type WebhookParts = Omit<DeliveryParts, 'images'> & Partial<Pick<DeliveryParts, 'images'>>;

interface WithSecret {
  readonly webhook: ShownWebhook;
  readonly secret: string;
}

/** The webhooks of all applications. Each has a loop of its own, so no receiver delays another. */
export class Webhooks {
  readonly #parts: WebhookParts;
  readonly #all = new Map<number, Map<string, Delivery>>();
  readonly #changes = new KeyedMutex();

  constructor(parts: WebhookParts) {
    this.#parts = parts;
    const { metrics } = parts;
    metrics.sample('webhooks', () => this.#states());
    metrics.sample('webhookEventsWaiting', () => this.#waiting());
  }

  /** Continues what an earlier process has begun to send. */
  async start(applications: readonly Application[]): Promise<void> {
    const { images } = this.#parts;
    if (!images) return;
    for (const records of applications.map(recordsNumber)) {
      for (const stored of await images.records(records, WEBHOOK_KIND)) {
        const progress = await images.record(records, PROGRESS_KIND, stored.id);
        // without a position that can be read, an event is rather sent twice than never
        const state = {
          webhook: valueOf<StoredWebhook>(stored),
          progress: progress ? valueOf<Progress>(progress) : { position: 0 },
        };
        this.#begin(records, stored.id, state);
      }
    }
  }

  /** Fails as `Fetcher.check`, with WEBHOOKS_FULL, and with NOT_IN_CLUSTERS. */
  add(
    application: Application,
    id: string,
    { url, after, who }: { url: string; after?: number; who: string },
  ): Promise<WithSecret> {
    return this.#change(application, async (images, records) => {
      const { href } = this.#parts.fetcher.check(url);
      const known = this.#of(records).get(id);
      if (!known && this.#of(records).size >= MAX_WEBHOOKS) throw fail('WEBHOOKS_FULL', `there are ${MAX_WEBHOOKS}`);
      const { secrets, added } = known?.webhook ?? {
        secrets: [{ secret: newSecret() }],
        added: new Date().toISOString(),
      };
      const webhook = { url: href, secrets, added, who };
      const position = after ?? known?.progress.position ?? (await latestEvent(images, records));
      if (known) {
        await images.changeRecords(records, [put(WEBHOOK_KIND, id, webhook)]);
        known.webhook = webhook;
        await known.resume({ position });
      } else {
        const progress = { position };
        await images.changeRecords(records, [put(PROGRESS_KIND, id, progress), put(WEBHOOK_KIND, id, webhook)]);
        this.#begin(records, id, { webhook, progress });
      }
      return this.#withSecret(records, id);
    });
  }

  /** By name. */
  async list(application: Application, page: { readonly start: number; readonly count: number }) {
    requireFolder(this.#parts.images);
    const records = recordsNumber(application);
    const ids = [...this.#of(records).keys()].sort((a, b) => Buffer.compare(Buffer.from(a), Buffer.from(b)));
    const listed = ids.slice(page.start, page.start + page.count);
    return { found: ids.length, webhooks: await Promise.all(listed.map((id) => this.#shown(records, id))) };
  }

  /** Fails with UNKNOWN_WEBHOOK, as the next ones do. */
  rotate(application: Application, id: string): Promise<WithSecret> {
    return this.#change(application, async (images, records) => {
      const known = this.#known(records, id);
      const until = new Date(Date.now() + ROTATION_MS).toISOString();
      const [{ secret }, ...replaced] = known.webhook.secrets as [SigningSecret, ...SigningSecret[]];
      const signing = [{ secret: newSecret() }, { secret, until }, ...replaced].slice(0, MAX_SECRETS);
      const webhook = { ...known.webhook, secrets: signing };
      await images.changeRecords(records, [put(WEBHOOK_KIND, id, webhook)]);
      known.webhook = webhook;
      return this.#withSecret(records, id);
    });
  }

  resume(application: Application, id: string): Promise<ShownWebhook> {
    return this.#change(application, async (_images, records) => {
      const known = this.#known(records, id);
      await known.resume({ position: known.progress.position });
      return this.#shown(records, id);
    });
  }

  /** @returns the number of those that are left */
  delete(application: Application, id: string): Promise<number> {
    return this.#change(application, async (images, records) => {
      await this.#known(records, id).stop();
      this.#of(records).delete(id);
      await images.changeRecords(records, [remove(WEBHOOK_KIND, id), remove(PROGRESS_KIND, id)]);
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
    await Promise.all([...this.#all.keys()].map((records) => this.forget(records)));
  }

  #begin(records: number, id: string, state: { webhook: StoredWebhook; progress: Progress }): void {
    this.#of(records).set(
      id,
      new Delivery(records, id, state, { ...this.#parts, images: requireFolder(this.#parts.images) }).start(),
    );
  }

  #change<T>(
    application: Application,
    work: (images: DeliveryParts['images'], records: number) => Promise<T>,
  ): Promise<T> {
    const records = recordsNumber(application);
    return this.#changes.run(String(records), async () => work(requireFolder(this.#parts.images), records));
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
    return { webhook: await this.#shown(records, id), secret };
  }

  async #shown(records: number, id: string): Promise<ShownWebhook> {
    const { webhook, progress, state } = this.#known(records, id);
    const { position, fault, failingSince } = progress;
    const { url, added, who } = webhook;
    const waiting = Math.max(0, (await latestEvent(requireFolder(this.#parts.images), records)) - position);
    const failing = {
      ...(fault !== undefined && { fault }),
      ...(failingSince !== undefined && { failing_since: failingSince }),
    };
    return { id, url, state, position, waiting, ...failing, added, who };
  }

  #states(): Reading {
    const counts = { sending: 0, failing: 0, dead: 0 };
    for (const each of this.#all.values()) for (const { state } of each.values()) counts[state]++;
    return Object.entries(counts).map(([state, count]) => [count, { state }]);
  }

  async #waiting(): Promise<Reading> {
    const { images } = this.#parts;
    if (!images) return [];
    let sum = 0;
    for (const [records, known] of this.#all) {
      const latest = known.size > 0 ? await latestEvent(images, records) : 0;
      for (const { progress } of known.values()) sum += Math.max(0, latest - progress.position);
    }
    return [[sum]];
  }
}
