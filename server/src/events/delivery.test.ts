import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Application } from '../applications/application.ts';
import type { Fetcher } from '../fetch/fetcher.ts';
import { Metrics } from '../metrics/metrics.ts';
import { Delivery } from './delivery.ts';
import type { RecordChange } from '../store/store.ts';
import { PROGRESS_KIND, WEBHOOK_KIND } from './stored.ts';
import { Webhooks, type WebhookParts } from './webhooks.ts';

const EVENTS = 3;
const webhook = { url: 'http://receiver.example/', secrets: [{ secret: 'whsec_AAAA' }], added: '', who: '' };
const body = (value: object): Uint8Array => new TextEncoder().encode(JSON.stringify(value));

/** A store with three events, and a receiver that answers as the next of the statuses says, then with 204. */
function opened({ statuses = [] as number[], isEnabled = true, arrived = async () => {}, readable = true } = {}) {
  const sent: number[] = [];
  const faults: unknown[] = [];
  const metrics = new Metrics();
  const state = { isEnabled };
  let stored = body({ position: 0 });
  const parts = {
    ...{ metrics, isEnabled: () => state.isEnabled, failed: (cause: unknown) => faults.push(cause) },
    after: async (_: number, number: number) => {
      if (!readable) throw new Error('a fault of the store');
      const numbers = Array.from({ length: EVENTS }, (_, i) => i + 1).filter((each) => each > number);
      return numbers.map((each) => ({ number: each, image: 'a', repeats: [] }));
    },
    latest: async () => EVENTS,
    records: {
      shared: false,
      changeRecords: async (_: number, changes: readonly RecordChange[]) =>
        void (stored = changes.find(({ kind }) => kind === PROGRESS_KIND)?.body ?? stored),
      update: async (_: number, __: string, [id]: string[], change: (id: string, body: Uint8Array) => Uint8Array) =>
        void (stored = change(id!, stored) ?? stored),
      ofAll: async (_: number[], kind: string) => {
        const record = kind === WEBHOOK_KIND ? body(webhook) : body({ position: 1, isDead: true });
        return new Map([[1, [{ id: 'a', body: record }]]]);
      },
    },
    fetcher: {
      post: async (_: string, request: { body: string }) => {
        sent.push((JSON.parse(request.body) as { data: { id: number } }).data.id);
        await arrived();
        return statuses.shift() ?? 204;
      },
    } as unknown as Fetcher,
  } as unknown as WebhookParts;
  const delivery = new Delivery(1, 'a', { webhook, progress: { position: 0 } }, parts);
  return { delivery, parts, sent, faults, state, metrics };
}

async function until(condition: () => boolean): Promise<void> {
  while (!condition()) await pause(1);
}

test('an event whose failing attempt is resumed meanwhile is sent again before the next ones', async (t) => {
  const arrived = async (): Promise<void> => {
    if (sent.length === 1) await delivery.resume({ position: 0 });
  };
  const { delivery, sent } = opened({ statuses: [500], arrived });
  t.after(() => delivery.stop());
  delivery.start();
  await until(() => sent.length === 1 + EVENTS);
  assert.deepEqual(sent, [1, 1, 2, 3]);
});

test('nothing is sent while the application is disabled, whatever ends a pause', async (t) => {
  const { delivery, sent, state } = opened({ isEnabled: false });
  t.after(() => delivery.stop());
  delivery.start();
  for (let i = 0; i < 3; i++) {
    await pause(5);
    delivery.notice();
  }
  assert.deepEqual(sent, []);
  state.isEnabled = true;
  delivery.notice();
  await until(() => sent.length === EVENTS);
});

test('a store that cannot be read is reported, and the next look is later', async (t) => {
  const { delivery, faults } = opened({ readable: false });
  t.after(() => delivery.stop());
  delivery.start();
  await pause(20);
  assert.match(String(faults), /^Error: a fault of the store$/);
});

test('the metrics have the webhooks by their states, and the events that wait', async () => {
  const { parts, metrics } = opened();
  const webhooks = new Webhooks(parts);
  await webhooks.start(() => [{ record: { number: 1 } } as Application]);
  const text = await metrics.text();
  assert.match(
    text,
    /^sosia_webhooks\{state="sending"\} 0\nsosia_webhooks\{state="failing"\} 0\nsosia_webhooks\{state="dead"\} 1$/m,
  );
  assert.match(text, /^sosia_webhook_events_waiting 2$/m);
  await webhooks.close();
});
