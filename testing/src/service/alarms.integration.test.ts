import assert from 'node:assert/strict';
import { execFileSync, spawnSync } from 'node:child_process';
import { closeSync, mkdirSync, mkdtempSync, openSync, rmSync, statSync, writeSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes } from '@sosia/client';
import { startWeb } from '@sosia/server/fetch/web.test.kit';
import { sumOf } from '@sosia/server/http/exposition.test.kit';
import { photograph, startService as startServer } from '@sosia/server/service.test.kit';
import { fires, recommendedAlarms, scrape, type Scrape } from './alarms.ts';
import { sampleFile, sampleIds } from './samples.ts';
import { codeOf, startService, type Service } from './service.ts';

// Each alarm of docs/operating.md: silent while the service is well, and seen firing in the state that it is for.

const home = mkdtempSync(join(tmpdir(), 'sosia-alarms-'));
after(() => rmSync(home, { recursive: true }));
const alarms = recommendedAlarms('operating.md');
const [id] = sampleIds(1) as [string];
const fired = new Set<string>();

async function started(t: TestContext, name: string, ...flags: string[]): Promise<Service> {
  const service = await startService({ data: join(home, name), flags: ['--decode-workers', '1', ...flags] });
  t.after(() => service.close());
  return service;
}

/** Process ids of the children that decode, of the service on a folder. */
function decodersIn(data: string): number[] {
  const lines = execFileSync('ps', ['-ww', '-eo', 'pid=,ppid=,args='], { encoding: 'utf8' }).split('\n');
  const rows = lines.map((line) => /^ *(\d+) +(\d+) (.*)$/.exec(line)).filter((row) => row !== null);
  const parent = rows.find(([, , , args]) => args!.includes(`serve --data ${data} `))![1];
  return rows
    .filter(([, , ppid, args]) => ppid === parent && args!.includes('decode.child'))
    .map(([, pid]) => Number(pid));
}

async function untilFires(name: string, service: Pick<Service, 'modify'>, scrapes: Scrape[]): Promise<void> {
  const expression = alarms.get(name) ?? assert.fail(`no alarm ${name}`);
  for (const end = Date.now() + 30_000; scrapes.length === 0 || !fires(expression, scrapes); await pause(200)) {
    assert.ok(Date.now() < end, `${expression} does not fire`);
    scrapes.push(await scrape(service.modify));
  }
  fired.add(name);
}

test('on a healthy service no alarm fires, and each gauge says what is so', async (t) => {
  const service = await started(t, 'healthy');
  const client = service.client(service.createApplication('media-matching'));
  await client.add(id, sampleFile(id));
  const scrapes = [await scrape(service.modify)];
  await client.search(sampleFile(id));
  const now = await scrape(service.modify);
  scrapes.push(now);
  for (const [name, expression] of alarms) assert.ok(!fires(expression, scrapes), name);
  const value = (name: string, labels = {}) => sumOf(now.families, name, labels);
  const expected: Record<string, number> = {
    sosia_operations_in_work: 0,
    sosia_operations_limit: 512,
    sosia_upload_bytes: 0,
    sosia_upload_bytes_limit: 256 * 2 ** 20,
    sosia_decode_waiting: 0,
    sosia_applications: 1,
    sosia_pictures: 1,
    sosia_damaged_pictures: 0,
    sosia_store_writable: 1,
    sosia_webhooks: 0,
    sosia_webhook_events_waiting: 0,
  };
  for (const [name, is] of Object.entries(expected)) assert.equal(value(name), is, name);
  assert.ok(value('sosia_decode_waiting_limit') > 0);
  assert.deepEqual([value('sosia_decode_children', { state: 'idle' }), value('sosia_decode_children')], [1, 1]);
  assert.ok(value('sosia_index_bytes') > 0);
  const bytes = Number(execFileSync('du', ['-sb', service.data], { encoding: 'utf8' }).split('\t')[0]);
  assert.ok(Math.abs(value('sosia_store_bytes') - bytes) < bytes / 2, `${value('sosia_store_bytes')} of ${bytes}`);
  if (process.platform === 'linux') assert.ok(value('sosia_confinement') >= 5);
  const checked = new Set([...Object.keys(expected), 'sosia_decode_waiting_limit', 'sosia_decode_children']);
  for (const name of ['sosia_index_bytes', 'sosia_store_bytes', 'sosia_confinement']) checked.add(name);
  for (const [name, { kind, samples }] of now.families) {
    if (kind !== 'gauge' || !name.startsWith('sosia_') || checked.has(name)) continue;
    assert.match(name, /^sosia_cluster_/);
    assert.deepEqual(samples, [], `${name} is about a cluster`);
  }
});

test('an internal fault', async (t) => {
  const service = await started(t, 'internal');
  const key = service.createApplication('media-matching');
  const scrapes = [await scrape(service.modify)];
  // the log of changes cannot be read: a folder has its name
  rmSync(join(service.data, 'audit.log'), { force: true });
  mkdirSync(join(service.data, 'audit.log'));
  const address = `${service.modify}/api/v2.0/administration/json/ListAudit`;
  const answer = await fetch(address, { method: 'POST', body: new URLSearchParams({ application_key: key }) });
  assert.equal(((await answer.json()) as { status: { code: number } }).status.code, errorCodes.INTERNAL);
  await untilFires('a fault of the service itself', service, scrapes);
});

test('a full disk', async (t) => {
  const data = join(home, 'full');
  mkdirSync(data);
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=4m,mode=0700', 'tmpfs', data]).status === 0;
  if (!mounted) return t.skip('no right to mount');
  t.after(() => spawnSync('umount', ['-l', data]));
  const service = await started(t, 'full');
  const client = service.client(service.createApplication('media-matching'));
  const scrapes = [await scrape(service.modify)];
  const filler = openSync(join(data, 'filler'), 'w');
  try {
    for (;;) writeSync(filler, Buffer.alloc(65_536));
  } catch {
    closeSync(filler);
  }
  for (let i = 0, code = 0; code === 0; i++) code = await codeOf(client.add(`${i}`, sampleFile(id)));
  await untilFires('nothing can be added', service, scrapes);
});

test('damage', async (t) => {
  const service = await started(t, 'damage');
  const client = service.client(service.createApplication('media-matching'));
  for (let i = 0; i < 8; i++) await client.add(`${i}`, sampleFile(id));
  await service.stop();
  const path = join(service.data, 'images.db');
  const at = 4096 * Math.floor(statSync(path).size / 4096 / 2);
  const file = openSync(path, 'r+');
  writeSync(file, Buffer.alloc(8192, 0xa5), 0, 8192, at);
  closeSync(file);
  rmSync(join(service.data, 'index'), { recursive: true, force: true });
  const again = await started(t, 'damage');
  for (const name of ['damage detected since the start', 'damaged pictures set aside'])
    await untilFires(name, again, []);
});

test('overload', async (t) => {
  const service = await started(t, 'overload');
  const scrapes = [await scrape(service.modify)];
  const wrong = () => fetch(`${service.query}/api/v2.0/enginequery/json/ListImages?application_key=wrong`);
  for (let i = 0; i < 30; i++) {
    for (const each of await Promise.all(Array.from({ length: 50 }, wrong))) await each.arrayBuffer();
  }
  await untilFires('overload for minutes', service, scrapes);
});

test('decoders die', async (t) => {
  const service = await started(t, 'decoders');
  const scrapes = [await scrape(service.modify)];
  for (let kills = 1; kills <= 7; kills++) {
    const lost = async () => sumOf((await scrape(service.modify)).families, 'sosia_decode_child_restarts_total');
    for (const end = Date.now() + 30_000; (await lost()) < kills; await pause(200)) {
      assert.ok(Date.now() < end, `${kills} children were killed`);
      for (const pid of decodersIn(service.data)) process.kill(pid, 'SIGKILL');
    }
  }
  await untilFires('decoders dying', service, scrapes);
});

test('slow answers', async (t) => {
  const service = await started(t, 'slow', '--search-wait', '5');
  const client = service.client(service.createApplication('media-matching'));
  await client.search(sampleFile(id)); // with it the series begins
  const scrapes = [await scrape(service.modify)];
  const [child] = decodersIn(service.data);
  process.kill(child!, 'SIGSTOP'); // it is replaced after the time of a picture
  await codeOf(client.search(sampleFile(id)));
  await untilFires('slow answers', service, scrapes);
});

test('a receiver that wants no more events', async (t) => {
  const web = await startWeb({ '/events': (response) => response.writeHead(410).end() });
  t.after(() => web.close());
  const server = await startServer({ fetching: web.options }, { fetch_hosts: `*:${web.port}` });
  t.after(() => server.close());
  const application_key = server.application('media-matching');
  const ask = (operation: string, values: object) => server.ask('review', operation, { application_key, ...values });
  const image_content = await photograph(1);
  await ask('SaveSearch', { search_id: 'a', image_content });
  await ask('AddWebhook', { webhook_id: 'a', url: `${web.base}/events` });
  const name = 'events are no longer sent to a webhook';
  const modify = `http://127.0.0.1:${server.modifyPort}`;
  assert.ok(!fires(alarms.get(name)!, [await scrape(modify)]), 'a webhook that sends');
  await server.modify('AddImage', { application_key, image_id: 'a', image_content });
  await untilFires(name, { modify }, []);
});

test('each alarm has fired', () => assert.deepEqual([...fired].sort(), [...alarms.keys()].sort()));
