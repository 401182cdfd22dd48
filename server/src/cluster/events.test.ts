import assert from 'node:assert/strict';
import { beforeEach, mock, test } from 'node:test';
import { put } from '../applications/records.ts';
import { fail } from '../errors.ts';
import { EVENT_KIND, eventId, eventsAfter, KEY_KIND, MAX_EVENTS } from '../store/event-records.ts';
import type { NewEvent } from '../store/store.ts';
import type { CausedPictures } from './caused-pictures.ts';
import { ClusterEvents } from './events.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { RecordIndex } from './records.test.kit.ts';

const pauses = withoutPauses();
const [RECORDS, PICTURES] = [7, 8];
const of = { records: RECORDS, pictures: PICTURES };
const JOURNAL = 'event-journal';

const event = (image: string, key = `key ${image}`): NewEvent => ({
  ...{ key, search: 's', watched: 'w', image, at: '2026-01-01T00:00:00.000Z' },
  ...{ score: 0, similarity: 100, decision: 'Clone', info: '' },
});
/** The events of one addition, as they wait in a document. */
const caused = (image: string, ...keys: string[]) => [
  { token: `token ${image}`, events: (keys.length > 0 ? keys : [`key ${image}`]).map((key) => event(image, key)) },
];

let index: RecordIndex;
let waiting: Map<string, ReturnType<typeof caused>>;
let settled: [key: string, tokens: readonly string[]][];
let sizes: number[];
beforeEach(() => {
  index = new RecordIndex();
  waiting = new Map();
  settled = [];
  sizes = [];
});

/** What one node does with the events; it knows the pictures of one application. */
function node(): ClusterEvents {
  const pictures: Partial<CausedPictures> = {
    waiting: async (most) => {
      sizes.push(most);
      return [...waiting].slice(0, most).map(([key, each]) => ({ key, caused: each }));
    },
    settle: async (key, tokens) => {
      settled.push([key, tokens]);
      waiting.delete(key);
    },
  };
  return new ClusterEvents(index.connection, (number) =>
    number === PICTURES ? (pictures as CausedPictures) : undefined,
  );
}

async function shown(events = node(), after = 0): Promise<[number: number, image: string, count: number][]> {
  const found = await eventsAfter(events, RECORDS, after, 1000);
  return found.map(({ number, image, count }) => [number, image, count]);
}
const journal = async () => JSON.parse(Buffer.from((await node().record(RECORDS, JOURNAL, 'latest'))!.body).toString());
const keys = async () => (await node().records(RECORDS, KEY_KIND)).map(({ id }) => id);

test('new events get the next numbers, one that repeats an earlier one is counted in it, and none sends no request', async () => {
  const events = node();
  assert.equal(await events.addEvents({ application: RECORDS, events: [] }), 0);
  assert.deepEqual(index.calls, []);
  assert.equal(await events.addEvents({ application: RECORDS, events: [event('a'), event('b')] }), 2);
  assert.equal(await events.addEvents({ application: RECORDS, events: [event('c', 'key a'), event('d')] }), 1);
  assert.deepEqual(await shown(), [[1, 'a', 2], [2, 'b', 1], [3, 'd', 1]]); // prettier-ignore
  assert.deepEqual(await journal(), { isDone: true, changes: [], pictures: 0, settled: [] });
  assert.deepEqual([settled, sizes], [[], []], 'no picture is looked at');
});

test('events that wait in documents are numbered in their order, 32 pictures at a time, and taken out of them', async () => {
  const ids = Array.from({ length: 33 }, (_, i) => `p${String(i).padStart(2, '0')}`);
  for (const id of ids) waiting.set(`doc ${id}`, caused(id));
  waiting.set('doc two', [...caused('x', 'key 1', 'key 2'), ...caused('y')]);
  assert.equal(await node().collectEvents(of), true);
  const images = [...ids, 'x', 'x', 'y'];
  assert.deepEqual(await shown(), images.map((image, i) => [i + 1, image, 1])); // prettier-ignore
  assert.deepEqual(sizes, [1, 32, 32, 32]);
  assert.deepEqual(settled.slice(0, 1), [['doc p00', ['token p00']]]);
  assert.deepEqual(settled.at(-1), ['doc two', ['token x', 'token y']]);
  assert.deepEqual([settled.length, waiting.size], [34, 0]);
});

test('where no event waits, or the application is not there, nothing is written', async () => {
  assert.equal(await node().collectEvents(of), false);
  assert.equal(await node().collectEvents({ records: RECORDS, pictures: 9 }), false);
  assert.deepEqual([index.calls, sizes], [[], [1]]);
});

test('a step that a process has begun is ended by the next one, wherever it was killed', async () => {
  for (const done of [0, 1, 2, 3]) {
    index = new RecordIndex();
    waiting = new Map([['doc a', caused('a')]]);
    settled = [];
    const killed = node();
    const write = killed.changeRecords.bind(killed);
    let left = done;
    killed.changeRecords = async (...change) => (left-- > 0 ? write(...change) : Promise.reject(new Error('killed')));
    if (done < 3) await assert.rejects(killed.collectEvents(of), /killed/);
    else assert.equal(await killed.collectEvents(of), true);
    const next = node();
    if (done === 1) assert.deepEqual((await journal()).settled, [['doc a', ['token a']]]);
    assert.equal(await next.collectEvents(of), done < 2, `${done} writes`);
    assert.equal(await next.addEvents({ application: RECORDS, events: [event('b')] }), 1);
    assert.deepEqual(await shown(), [[1, 'a', 1], [2, 'b', 1]], `${done} writes`); // prettier-ignore
    assert.ok(settled.every(([key, [token]]) => key === 'doc a' && token === 'token a'));
    assert.equal(waiting.size, 0);
  }
});

test('the step behind one that was ended is conditional on the journal, too', async () => {
  waiting.set('doc a', caused('a'));
  const killed = node();
  const write = killed.changeRecords.bind(killed);
  let left = 1;
  killed.changeRecords = async (...change) => (left-- > 0 ? write(...change) : Promise.reject(new Error('killed')));
  await assert.rejects(killed.collectEvents(of), /killed/);
  index.calls = [];
  await node().addEvents({ application: RECORDS, events: [event('b')] });
  const conditional = index.calls.filter(
    ({ method, path }) => method === 'PUT' && /require_alias=true&if_seq_no=\d/.test(path),
  );
  assert.equal(conditional.length, 1);
});

test('a process that lost the lease, or was stopped before another one wrote, writes nothing', async () => {
  const lost = node();
  lost.exclusively = (_, work) =>
    work(() => {
      throw fail('CLUSTER_OUTCOME_UNKNOWN', 'another node may continue');
    });
  await assert.rejects(lost.addEvents({ application: RECORDS, events: [event('a')] }), {
    error: 'CLUSTER_OUTCOME_UNKNOWN',
  });
  const stopped = node();
  stopped.exclusively = (_, work) => work(() => {});
  waiting.set('doc a', caused('a'));
  const read = stopped.lastRecord.bind(stopped);
  stopped.lastRecord = async (...place) => {
    const last = await read(...place);
    assert.equal(await node().collectEvents(of), true);
    return last;
  };
  await assert.rejects(stopped.collectEvents(of), { error: 'CONFLICT' });
  assert.deepEqual(await shown(), [[1, 'a', 1]]);
});

test('calls that wait share one work, which begins when the one before has ended, failed or not', async () => {
  const events = node();
  waiting.set('doc a', caused('a'));
  const first = events.collectEvents(of);
  await new Promise(setImmediate); // it has begun
  const [second, third] = [events.collectEvents(of), events.collectEvents(of)];
  assert.notEqual(second, first);
  assert.equal(third, second);
  assert.deepEqual(await Promise.all([first, second, third]), [true, false, false]);
  assert.deepEqual(sizes, [1, 32, 32, 1]);
  index.failed = 1;
  waiting.set('doc b', caused('b'));
  const failing = assert.rejects(events.collectEvents(of), { error: 'CLUSTER_INCOMPLETE' });
  await new Promise(setImmediate);
  const next = events.collectEvents(of);
  await failing;
  index.failed = 0;
  assert.equal(await next, true);
  assert.deepEqual(await shown(), [[1, 'a', 1], [2, 'b', 1]]); // prettier-ignore
});

test('while another process numbers the events, a call waits for three seconds', async (t) => {
  const paused = (): number => pauses.reduce((sum, each) => sum + each, 0);
  mock.method(performance, 'now', paused);
  t.after(() => mock.restoreAll());
  pauses.length = 0;
  waiting.set('doc a', caused('a'));
  await node().exclusively(`events-${RECORDS}`, async () => {
    await assert.rejects(node().collectEvents(of), { error: 'OVERLOADED' });
    assert.equal(paused(), 3000);
  });
  assert.equal(await node().collectEvents(of), true);
});

test('of more than a hundred thousand events the oldest go, 200 at a time, with the keys that name them', async () => {
  const add = (image: string) => node().addEvents({ application: RECORDS, events: [event(image)] });
  const store = (number: number, key: string) =>
    put(EVENT_KIND, eventId(number), { key, event: { ...event('old'), count: 1, repeats: [] } });
  const last = MAX_EVENTS + 199;
  const old = Array.from({ length: 203 }, (_, i) => i + 1);
  const named = (number: number) => put(KEY_KIND, `key of ${number}`, { id: eventId(number) });
  await node().changeRecords(RECORDS, [
    ...old.map((number) => store(number, number === 2 ? 'key again' : `key of ${number}`)),
    ...old.filter((number) => number !== 2).map(named),
    put(KEY_KIND, 'key again', { id: eventId(last) }),
    store(last, 'key again'),
  ]);
  await add('a'); // the 100,200th: up to the 200th go
  const kept = [201, 202, 203].map((number) => [number, 'old', 1]);
  assert.deepEqual(await shown(), [...kept, [last, 'old', 1], [last + 1, 'a', 1]]);
  const ofKept = ['key of 201', 'key of 202', 'key of 203'];
  assert.deepEqual(await keys(), ['key a', 'key again', ...ofKept]);
  await add('b');
  assert.deepEqual((await shown()).map(([number]) => number), [202, 203, last, last + 1, last + 2]); // prettier-ignore
  assert.deepEqual(await keys(), ['key a', 'key again', 'key b', ...ofKept.slice(1)]);
  index.documents.clear();
  await node().changeRecords(RECORDS, [...old.map((number) => store(number, `k${number}`)), store(last + 5, 'k')]);
  await add('c'); // of 206 that are to go
  assert.deepEqual((await shown()).map(([number]) => number), [201, 202, 203, last + 5, last + 6]); // prettier-ignore
});

test('a hundred thousand events stay', async () => {
  const store = (number: number) =>
    put(EVENT_KIND, eventId(number), { key: `key ${number}`, event: { ...event('old'), count: 1, repeats: [] } });
  await node().changeRecords(RECORDS, [store(1), store(MAX_EVENTS - 1)]);
  await node().addEvents({ application: RECORDS, events: [event('a')] });
  assert.deepEqual((await shown()).map(([number]) => number), [1, MAX_EVENTS - 1, MAX_EVENTS]); // prettier-ignore
});
