import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import fc from 'fast-check';
import { measures } from '../workers/confinement/measures.ts';
import { instruments } from '../metrics/instruments.ts';
import { administration } from '../administration/operations.ts';
import { operations } from '../operations/operations.ts';
import { review } from '../review/operations.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';
import { faultsOfNames } from './conventions.test.kit.ts';
import type { Family } from './exposition.test.kit.ts';
import { readExposition, sumOf } from './exposition.test.kit.ts';
import { Wire } from './wire.test.kit.ts';

let service: Service;
let key: string;
let picture: Buffer;
before(async () => {
  service = await startService();
  key = service.application('media-matching');
  picture = await photograph(1);
  await service.modify('AddImage', { application_key: key, image_id: 'known.jpg', image_content: picture });
});
after(() => service.close());

/** Not those of an earlier request, which serve for a second. */
async function figures(): Promise<ReadonlyMap<string, Family>> {
  await pause(1000);
  return latestFigures();
}

async function latestFigures(): Promise<ReadonlyMap<string, Family>> {
  const response = await fetch(`http://127.0.0.1:${service.modifyPort}/metrics`);
  assert.equal(response.status, 200);
  assert.match(response.headers.get('content-type')!, /^text\/plain; version=0\.0\.4/);
  return readExposition(await response.text());
}

test('the metrics are those of the table, with its labels and nothing else', async () => {
  await service.query('SearchImageByUpload', { application_key: key, image_content: picture });
  const families = await figures();
  const ours = [...families].filter(([name]) => name.startsWith('sosia_'));
  assert.deepEqual(
    ours.map(([name]) => name).sort(),
    Object.values(instruments)
      .map(({ name }) => name)
      .sort(),
  );
  for (const { name, kind, labels } of Object.values(instruments)) {
    const family = families.get(name)!;
    assert.equal(family.kind, kind, name);
    for (const sample of family.samples) {
      const found = Object.keys(sample.labels).filter((label) => label !== 'le');
      assert.deepEqual(found.sort(), [...labels].sort(), name);
    }
  }
  for (const name of [
    'process_resident_memory_bytes',
    'nodejs_heap_size_used_bytes',
    'nodejs_eventloop_lag_p99_seconds',
  ])
    assert.ok(families.get(name)!.samples[0]!.value >= 0, name);
});

test('names keep the conventions of Prometheus, those of Node included', async () => {
  assert.deepEqual(faultsOfNames(await latestFigures()), []);
});

test('what promtool refuses is found', () => {
  const families = readExposition(`# HELP made_items items
# TYPE made_items counter
made_items 1
# HELP waiting_total items
# TYPE waiting_total gauge
waiting_total{le="1"} 1
# HELP items_gauge items
# TYPE items_gauge gauge
items_gauge 1
# HELP wait_milliseconds wait
# TYPE wait_milliseconds gauge
wait_milliseconds 1
# HELP wait_ms wait
# TYPE wait_ms gauge
wait_ms{itemKind="a"} 1
# HELP items_count items
# TYPE items_count gauge
items_count 1
`);
  assert.deepEqual(faultsOfNames(families), [
    'made_items: a counter ends with _total',
    'waiting_total: only a counter ends with _total',
    'waiting_total: a label of histograms',
    'items_gauge: a type in the name',
    'wait_milliseconds: expected seconds, bytes or another base unit',
    'wait_ms: an abbreviated unit',
    'wait_ms: expected lower case with _ between words',
    'items_count: a suffix of histograms',
  ]);
  assert.deepEqual(faultsOfNames(new Map([['items', { kind: 'gauge', help: ' ', samples: [] }]])), ['items: no help']);
});

test('labels contain operations, codes, types and phases, never a key, a name or an id', async () => {
  const secret = 'SECRETSECRETSECRETSECRETSECRET12';
  await service.query('GetImageById', { application_key: key, image_id: secret });
  await service.query(`Get${secret}`, { application_key: secret });
  const families = await figures();
  const allowed = new Set([
    ...[...operations, ...administration, ...review].map(({ name }) => name),
    ...Object.keys(typeDefinitions),
    ...['none', 'gone', 'idle', 'busy', 'worn', 'lost', 'describe', 'keep', 'decode', 'compare'],
    ...['wait', 'candidates', 'verify', 'rank'],
    ...['sending', 'failing', 'dead', 'received', 'refused', 'unreachable'],
    ...Object.keys(measures),
  ]);
  for (const [name, { samples }] of families) {
    if (!name.startsWith('sosia_')) continue;
    for (const { labels } of samples) {
      for (const [label, value] of Object.entries(labels)) {
        assert.ok(allowed.has(value) || /^-?\d+$/.test(value) || label === 'le', `${name} has ${label}=${value}`);
      }
    }
  }
});

test('pictures, applications and the store are counted as they are', async () => {
  const colors = service.application('color-similarity');
  await service.modify('AddImage', { application_key: colors, image_id: 'a', image_content: picture });
  const before = await figures();
  await service.modify('AddImage', { application_key: colors, image_id: 'b', image_content: picture });
  const then = await figures();
  assert.equal(sumOf(then, 'sosia_pictures', { type: 'color-similarity' }), 2);
  assert.equal(sumOf(then, 'sosia_applications', { type: 'color-similarity' }), 1);
  assert.ok(sumOf(then, 'sosia_index_bytes', { type: 'color-similarity' }) > 0);
  assert.ok(sumOf(then, 'sosia_store_bytes') > 4096);
  assert.equal(sumOf(then, 'sosia_store_writable'), 1);
  const rise = (name: string, labels = {}) => sumOf(then, name, labels) - sumOf(before, name, labels);
  assert.equal(rise('sosia_store_changes_total'), 1);
  assert.equal(rise('sosia_store_commit_duration_seconds_count'), 1);
  assert.equal(rise('sosia_decode_duration_seconds_count', { work: 'keep' }), 1);
  assert.equal(rise('sosia_decode_wait_seconds_count'), 1);
  assert.equal(rise('sosia_requests_total', { operation: 'AddImage', code: '0' }), 1);
  const seconds = rise('sosia_request_duration_seconds_sum', { operation: 'AddImage' });
  assert.ok(seconds > 0 && seconds < 60, `${seconds} s`);
});

/** Kinds of requests, each of which counts once. */
const kindsOfRequest: Record<string, () => Promise<unknown>> = {
  async found() {
    await service.query('SearchImageById', { application_key: key, image_id: 'known.jpg' });
  },
  async upload() {
    await service.query('SearchImageByUpload', { application_key: key, image_content: picture });
  },
  async unknownImage() {
    await service.query('GetImageById', { application_key: key, image_id: 'nobody' });
  },
  async wrongKey() {
    await service.query('GetImageById', { application_key: 'wrong', image_id: 'nobody' });
  },
  async unknownPath() {
    await (await fetch(`http://127.0.0.1:${service.queryPort}/nothing?application_key=${key}`)).arrayBuffer();
  },
  async wrongMethod() {
    const url = `http://127.0.0.1:${service.queryPort}/api/v2.0/enginequery/json/GetImageById`;
    await (await fetch(url, { method: 'PUT' })).arrayBuffer();
  },
  async ready() {
    await (await fetch(`http://127.0.0.1:${service.queryPort}/readyz`)).arrayBuffer();
  },
  async leavesInTheMiddle() {
    const wire = await Wire.open(service.modifyPort);
    const head = `POST /api/v2.0/enginemodify/json/AddImage?application_key=${key} HTTP/1.1\r\nHost: a\r\nExpect: 100-continue\r\n`;
    wire.send(`${head}Content-Type: multipart/form-data; boundary=x\r\nContent-Length: 1000\r\n\r\n`);
    assert.equal((await wire.reply()).http, 100); // the id of the request is valid
    wire.send('--x\r\n');
    wire.cut();
  },
};

test('after any concurrent requests, the sum over operations and codes is the number of requests', async () => {
  const kind = fc.constantFrom(...Object.keys(kindsOfRequest));
  await fc.assert(
    fc.asyncProperty(fc.array(kind, { minLength: 1, maxLength: 40 }), async (kinds) => {
      const before = await figures();
      await Promise.all(kinds.map((each) => kindsOfRequest[each]!()));
      // the counter includes the request for `before` itself after it was read, and so each waiting request
      for (let looks = 1; ; looks++) {
        const now = await latestFigures();
        const rise = (name: string) => sumOf(now, name) - sumOf(before, name);
        const expected = kinds.length + looks;
        if (rise('sosia_requests_total') < expected && looks < 600) {
          await pause(100); // a disconnected client is counted when the server notices
          continue;
        }
        assert.equal(rise('sosia_requests_total'), expected);
        assert.equal(rise('sosia_request_duration_seconds_count'), expected);
        const uploads = kinds.filter((each) => each === 'upload').length;
        const searches = { operation: 'SearchImageByUpload' };
        assert.equal(
          sumOf(now, 'sosia_requests_total', searches) - sumOf(before, 'sosia_requests_total', searches),
          uploads,
        );
        assert.deepEqual([sumOf(now, 'sosia_operations_in_work'), sumOf(now, 'sosia_upload_bytes')], [0, 0]);
        return;
      }
    }),
    { numRuns: 15 },
  );
});

test('the metrics are read once in a second, however often they are requested', async () => {
  await figures();
  const [one, another] = [await latestFigures(), await latestFigures()];
  assert.equal(sumOf(another, 'sosia_requests_total'), sumOf(one, 'sosia_requests_total'));
  await pause(1000);
  assert.ok(sumOf(await latestFigures(), 'sosia_requests_total') >= sumOf(one, 'sosia_requests_total') + 3);
});

test('malformed HTTP is counted, but not as a request', async () => {
  const before = await figures();
  const wire = await Wire.open(service.queryPort);
  wire.send('not HTTP\r\n\r\n');
  await wire.reply();
  wire.cut();
  const now = await figures();
  assert.equal(
    sumOf(now, 'sosia_connections_refused_total', { code: '-1900' }) - sumOf(before, 'sosia_connections_refused_total'),
    1,
  );
  assert.equal(sumOf(now, 'sosia_requests_total') - sumOf(before, 'sosia_requests_total'), 1);
});

test('the metrics are on the MODIFY port alone by default; the probes are on both', async () => {
  const at = async (port: number, path: string) => (await fetch(`http://127.0.0.1:${port}${path}`)).status;
  assert.equal(await at(service.queryPort, '/metrics'), 404);
  for (const port of [service.modifyPort, service.queryPort]) {
    assert.deepEqual(
      [await at(port, '/healthz'), await at(port, '/readyz'), await at(port, '/ready')],
      [200, 200, 200],
    );
  }
});
