import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from './database.ts';
import { EVENT_KIND, eventIn, MAX_EVENTS, REPEAT_MS } from './event-records.ts';
import { eventWriter } from './event-table.ts';
import { recordReader, recordWriter } from './record-table.ts';
import { imageSchema } from './schema.ts';
import type { NewEvent } from './store.ts';

const noon = Date.UTC(2026, 0, 1, 12);
const event = (key: string, image: string, ms = 0, existing?: boolean): NewEvent => ({
  ...{ key, search: 's', watched: 'w', image, at: new Date(noon + ms).toISOString(), score: 0, similarity: 100 },
  ...{ decision: 'Clone', info: '', ...(existing && { existing }) },
});

function table(t: { after: (done: () => void) => void }, kept?: number) {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-events-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const database = openDatabase(join(folder, 'images.db'), imageSchema);
  const add = eventWriter(database, recordWriter(database), kept);
  const events = () =>
    recordReader(database)
      .records(1, EVENT_KIND)
      .map(({ id, body }) => eventIn(id, body));
  return { database, add: (...added: NewEvent[]) => add(1, added), events };
}

test('100,000 events are kept, and a search counts the same picture once a day', () => {
  assert.deepEqual([MAX_EVENTS, REPEAT_MS], [100_000, 86_400_000]);
});

test('a repeat less than a day after the first event is counted there, with the first 20 pictures', (t) => {
  const { add, events } = table(t);
  assert.equal(add(event('k', 'first')), 1);
  for (let i = 1; i <= 25; i++) assert.equal(add(event('k', `p${i}`, REPEAT_MS - 1)), 0);
  const [{ count, repeats, ...rest }] = events() as [ReturnType<typeof events>[number]];
  assert.deepEqual([rest.number, rest.image, count], [1, 'first', 26]);
  assert.deepEqual(
    repeats,
    Array.from({ length: 20 }, (_, i) => `p${i + 1}`),
  );
  assert.equal(add(event('k', 'next', REPEAT_MS)), 1);
  assert.deepEqual(
    events().map(({ image }) => image),
    ['first', 'next'],
  );
});

test('a picture that is compared again is no further event, at any time, and no repeat', (t) => {
  const { add, events } = table(t);
  add(event('k', 'a'), event('k', 'b'));
  const before = events();
  for (const image of ['a', 'b'])
    for (const ms of [0, 5 * REPEAT_MS]) assert.equal(add(event('k', image, ms, true)), 0);
  assert.deepEqual(events(), before);
  assert.equal(add(event('k', 'c', 0, true)), 0);
  assert.deepEqual(events()[0]!.repeats, ['b', 'c']);
  assert.equal(add(event('k', 'd', REPEAT_MS, true)), 1);
});

test('an event has a number, what was given, and nothing of its key; none is written for no events', (t) => {
  const { database, add, events } = table(t);
  assert.equal(add(), 0);
  assert.deepEqual(events(), []);
  assert.equal(add(event('k', 'a'), event('l', 'b')), 2);
  const { key: _, ...given } = event('k', 'a');
  assert.deepEqual(events()[0], { number: 1, ...given, count: 1, repeats: [] });
  database.exec(`UPDATE records SET id = 'x' WHERE kind = '${EVENT_KIND}'  AND id LIKE '%2'`);
  assert.throws(() => add(event('m', 'c')), { code: 'SQLITE_CORRUPT', message: /latest event is damaged/ });
  assert.equal(add(), 0);
});

test('of the oldest events that go, those of a key that has a later event leave the key', (t) => {
  const { database, add, events } = table(t, 2);
  const keys = () => recordReader(database).records(1, 'event-key').length;
  add(event('k', 'a'), event('l', 'b'));
  assert.deepEqual([events().length, keys()], [2, 2]);
  add(event('k', 'c', REPEAT_MS));
  assert.deepEqual(
    events().map(({ number, image }) => `${number} ${image}`),
    ['2 b', '3 c'],
  );
  assert.equal(keys(), 2);
  add(event('m', 'd'), event('n', 'e'));
  assert.deepEqual([events().map(({ number }) => number), keys()], [[4, 5], 2]);
  assert.equal(add(event('k', 'f')), 1);
});
