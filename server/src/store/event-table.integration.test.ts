import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { openDatabase } from './database.ts';
import { EVENT_KIND, eventIn, REPEAT_MS } from './event-records.ts';
import { eventWriter } from './event-table.ts';
import { openImageStore } from './image-store.ts';
import type { ImageStore } from './image-store.ts';
import { recordReader, recordWriter } from './record-table.ts';
import { imageSchema } from './schema.ts';
import type { NewEvent, StoredEvent } from './store.ts';
import { verify } from './verify.ts';

const child = fileURLToPath(new URL('./image-store.test.child.js', import.meta.url));
const KILLS = 5;

function folderFor(t: { after: (done: () => void) => void }): string {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-event-table-'));
  t.after(() => rmSync(folder, { recursive: true }));
  return folder;
}

async function eventsOf(store: ImageStore, application: number): Promise<StoredEvent[]> {
  const all: StoredEvent[] = [];
  for (let after = ''; ;) {
    const page = await store.recordsAfter(application, EVENT_KIND, after, 1000);
    all.push(...page.map(({ id, body }) => eventIn(id, body)));
    if (page.length === 0) return all;
    after = page.at(-1)!.id;
  }
}

const event = (key: string, image: string, values: Partial<NewEvent> = {}): NewEvent => ({
  ...{ key, search: 's', watched: 'w', image, at: '2026-01-01T00:00:00.000Z', score: 0, similarity: 100 },
  ...{ decision: 'Clone', info: '' },
  ...values,
});

test('a process killed during additions has lost no event of a stored picture, invented none, and kept their order', async (t) => {
  const folder = folderFor(t);
  let known: StoredEvent[] = [];
  for (let kill = 0; kill < KILLS; kill++) {
    const writer = spawn(process.execPath, [child, 'events', folder], { stdio: ['ignore', 'pipe', 'inherit'] });
    let said = '';
    writer.stdout.on('data', (text) => {
      said += text;
      if (said.split('\n').length > 20 + 13 * kill) writer.kill('SIGKILL');
    });
    await once(writer, 'close');

    const store = await openImageStore(folder, (damage) => assert.fail(JSON.stringify(damage)));
    const stored: string[] = [];
    for await (const batch of store.replay(1)) stored.push(...batch.map(({ id }) => id));
    const events = await eventsOf(store, 1);
    await store.close();
    assert.deepEqual(events.slice(0, known.length), known);
    assert.deepEqual(
      events.map(({ number }) => number),
      events.map((_, i) => i + 1),
    );
    assert.deepEqual(
      events.map(({ image }) => image),
      stored.flatMap((id) => [id, id]),
    );
    for (const id of said.split('\n').slice(0, -1)) assert.ok(stored.includes(id), `${id} is lost`);
    known = events;
  }
});

test('an event with the key of another one within a day is counted there, and later it is a new one', async (t) => {
  const store = await openImageStore(folderFor(t));
  const later = (ms: number) => new Date(Date.parse('2026-01-01T00:00:00.000Z') + ms).toISOString();
  const addEvents = (...events: NewEvent[]) => store.addEvents({ application: 7, events });
  assert.equal(await addEvents(event('k', 'a'), event('l', 'a'), event('k', 'b')), 2);
  assert.equal(await addEvents(event('k', 'c', { at: later(REPEAT_MS - 1) })), 0);
  assert.equal(await addEvents(event('k', 'b', { existing: true }), event('k', 'a', { existing: true })), 0);
  assert.equal(await addEvents(event('k', 'd', { at: later(REPEAT_MS) })), 1);
  assert.equal(await addEvents(event('k', 'e', { at: later(REPEAT_MS) })), 0);
  const shown = (await eventsOf(store, 7)).map(({ number, image, count, repeats }) => [number, image, count, repeats]);
  assert.deepEqual(shown, [
    [1, 'a', 3, ['b', 'c']],
    [2, 'a', 1, []],
    [3, 'd', 2, ['e']],
  ]);
  assert.deepEqual(await eventsOf(store, 8), []);
  await store.close();
});

test('beyond the limit the oldest events go, with their keys', (t) => {
  const database = openDatabase(join(folderFor(t), 'images.db'), imageSchema);
  const add = eventWriter(database, recordWriter(database), 3);
  const ids = (kind: string) =>
    recordReader(database)
      .records(1, kind)
      .map(({ id }) => Number(id) || id);
  for (const key of ['a', 'b', 'c', 'd', 'e']) assert.equal(add(1, [event(key, key)]), 1);
  assert.deepEqual(
    [ids(EVENT_KIND), ids('event-key')],
    [
      [3, 4, 5],
      ['c', 'd', 'e'],
    ],
  );
  assert.equal(add(1, [event('c', 'again'), event('a', 'new')]), 1);
  assert.deepEqual(
    [ids(EVENT_KIND), ids('event-key')],
    [
      [4, 5, 6],
      ['a', 'd', 'e'],
    ],
  );
  database.close();
});

test('a damaged event is left out of the list, and additions go on', async (t) => {
  const folder = folderFor(t);
  let store = await openImageStore(folder);
  await store.addEvents({ application: 1, events: [event('k', 'a'), event('l', 'b')] });
  await store.close();
  const database = openDatabase(join(folder, 'images.db'), imageSchema);
  database.exec(`UPDATE records SET body = '{' WHERE kind = '${EVENT_KIND}' AND id LIKE '%1'`);
  database.close();
  assert.match(
    verify(folder)
      .damages.map(({ what }) => what)
      .join(),
    /^the record event 0+1: expected the checksum/,
  );
  store = await openImageStore(folder);
  assert.equal(await store.addEvents({ application: 1, events: [event('k', 'c')] }), 1);
  assert.deepEqual(
    (await eventsOf(store, 1)).map(({ number, image }) => [number, image]),
    [
      [2, 'b'],
      [3, 'c'],
    ],
  );
  assert.equal(store.state, 'available');
  await store.close();
});
