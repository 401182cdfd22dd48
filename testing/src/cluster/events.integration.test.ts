import assert from 'node:assert/strict';
import { type ChildProcess, spawn } from 'node:child_process';
import { randomBytes } from 'node:crypto';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { after, before, describe, test, type TestContext } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errorCodes } from '@sosia/client';
import type { Family } from '@sosia/contract';
import { newApplication } from '@sosia/server/applications/create';
import { clusterAddress } from '@sosia/server/cluster/address';
import { ClusteredBackend } from '@sosia/server/cluster/clustered-backend';
import { eventsAfter } from '@sosia/server/store/event-records';
import { Metrics } from '@sosia/server/metrics/metrics';
import type { ApplicationRecord } from '@sosia/server/store/store';
import { askServer, photograph, type Values } from '@sosia/server/service.test.kit';
import sharp from 'sharp';
import { startCluster, stopCluster } from './cluster.ts';
import { engineInstalled } from './engine.ts';

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';

/** A process of its own, which a signal can kill. */
interface Node {
  process: ChildProcess;
  modifyPort: number;
  queryPort: number;
  administratorKey?: string;
}

describe('events in a cluster', { skip, timeout: 400_000 }, () => {
  const [home, cluster] = ['home', 'cluster'].map((what) => mkdtempSync(join(tmpdir(), `sosia-events-${what}-`))) as [
    string,
    string,
  ];
  const received = new Map<string, { id: string; number: number; image: string }[]>();
  const receiver = createServer((request, response) => {
    void (async () => {
      const { data } = JSON.parse(Buffer.concat(await request.toArray()).toString()) as any;
      const path = request.url!.slice(1);
      const all = received.get(path) ?? [];
      received.set(path, [
        ...all,
        { id: String(request.headers['webhook-id']), number: data.id, image: data.image_id },
      ]);
      response.writeHead(204).end();
    })();
  }).listen(0, '127.0.0.1');
  const keys: Record<string, string> = {};
  const nodes: Node[] = [];
  let administratorKey: string;
  let url: string;

  async function start(): Promise<Node> {
    const { port } = receiver.address() as AddressInfo;
    const kit = import.meta.resolve('@sosia/server/service.test.kit');
    const file = join(home, 'node.mjs');
    writeFileSync(
      file,
      `const { startServerOn } = await import(${JSON.stringify(kit)});
       const fetching = { exempt: new Set(['127.0.0.1:${port}']), resolve: async () => ['127.0.0.1'] };
       const flags = { cluster: ${JSON.stringify(`${url}/events`)}, fetch_hosts: '*:${port}' };
       const { close, ...shown } = await startServerOn(${JSON.stringify(home)}, flags, { fetching });
       console.log(JSON.stringify(shown));`,
    );
    const child = spawn(process.execPath, [file], { stdio: ['ignore', 'pipe', 'inherit'] });
    const [line] = (await once(createInterface(child.stdout), 'line')) as [string];
    return { process: child, ...JSON.parse(line) };
  }

  async function kill(node: 0 | 1): Promise<void> {
    nodes[node]!.process.kill('SIGKILL');
    await once(nodes[node]!.process, 'exit');
  }

  /** @param node  of the two */
  async function ask(node: 0 | 1, name: string, family: Family, operation: string, values: Values = {}): Promise<any> {
    const key = name === 'administrator' ? administratorKey : keys[name]!;
    const answer = await askServer(nodes[node]!, family, operation, { application_key: key, ...values });
    assert.equal(answer.status.code, 0, `${operation}: ${answer.status.message}`);
    return answer;
  }

  const add = (node: 0 | 1, name: string, image_id: string, image_content: Uint8Array, values: Values = {}) =>
    ask(node, name, 'enginemodify', 'AddImage', { image_id, image_content, ...values });
  const events = async (node: 0 | 1, name: string): Promise<any[]> =>
    (await ask(node, name, 'review', 'ListEvents', { nb_results: 1000 })).events;
  const copyOf = async (number: number, width = 500): Promise<Buffer> =>
    sharp(await photograph(number))
      .resize(width)
      .jpeg()
      .toBuffer();
  const dnaOf = async (picture: Uint8Array): Promise<Buffer> =>
    Buffer.from((await ask(0, 'press', 'enginequery', 'GetDnaByUpload', { image_content: picture })).dna, 'base64');

  async function backendFor(t: TestContext, prefix = 'steps'): Promise<ClusteredBackend> {
    const address = clusterAddress(`${url}/${prefix}`);
    const backend = await ClusteredBackend.start(address, { threads: 1, metrics: new Metrics(), warn: () => {} });
    t.after(() => backend.close());
    return backend;
  }

  async function applicationIn(backend: ClusteredBackend) {
    const { row } = newApplication({ type: 'media-matching', name: randomBytes(4).toString('hex') });
    const record = await backend.store.create(row);
    await pause(2000); // other nodes know it
    return { record };
  }

  /** Adds a picture that causes an event. */
  async function addWith(backend: ClusteredBackend, record: ApplicationRecord, id: string): Promise<void> {
    const common = {
      watched: 'w',
      at: new Date().toISOString(),
      score: 0,
      similarity: 100,
      decision: 'Clone',
      info: '',
    };
    const events = [{ key: `key ${id}`, search: 's', image: id, ...common }];
    const dna = await dnaOf(await copyOf(1));
    const picture = { id, keywords: ['k'], dna, details: { metadata: { year: 1999 } } };
    await backend.open(record).add({ ...picture, events: { application: record.number, events } });
  }

  before(async () => {
    url = (await startCluster(cluster, { nodes: 1, settings: { 'node.store.allow_mmap': 'true' } }))[0]!.url;
    nodes.push(await start());
    administratorKey = nodes[0]!.administratorKey!;
    nodes.push(await start());
    for (const name of ['press', 'archive', 'hashes', 'sent', 'killed', 'flood'])
      keys[name] = (
        await ask(0, 'administrator', 'administration', 'CreateApplication', { name, type: 'media-matching' })
      ).secret;
    await pause(2000); // each node knows them
  });
  after(async () => {
    for (const { process } of nodes) process.kill('SIGKILL');
    receiver.closeAllConnections();
    receiver.close();
    await stopCluster(cluster);
    rmSync(home, { recursive: true });
  });

  test('a step that a process has begun is ended by the next one, wherever it was killed', async (t) => {
    const [own, next] = [await backendFor(t), await backendFor(t)];
    const { record } = await applicationIn(own);
    const ids = ['a', 'b', 'c', 'd'];
    for (const [changes, id] of ids.entries()) {
      await addWith(own, record, id);
      const { records } = own;
      const write = records.changeRecords.bind(records);
      let left = changes < 3 ? changes : Infinity;
      records.changeRecords = async (...of) => (left-- > 0 ? write(...of) : Promise.reject(new Error('killed')));
      const of = { records: record.number, pictures: record.number };
      if (changes < 3) await assert.rejects(records.collectEvents(of), /killed/);
      else assert.equal(await records.collectEvents(of), true);
      records.changeRecords = write;
      assert.equal(await next.records.collectEvents(of), changes < 2);
    }
    const found = await eventsAfter(next.records, record.number, 0, 10);
    assert.deepEqual(
      found.map(({ number, image, count }) => [number, image, count]),
      ids.map((id, i) => [i + 1, id, 1]),
    );
    assert.deepEqual((await own.open(record).image('a')).keywords, ['k']);
    assert.deepEqual(await own.open(record).details('a'), { metadata: { year: 1999 } });
  });

  test('a process that was stopped before it numbers events writes none when it goes on', async (t) => {
    const [stopped, next] = [await backendFor(t), await backendFor(t)];
    const { record } = await applicationIn(next);
    await addWith(next, record, 'a');
    const of = { records: record.number, pictures: record.number };
    const { records } = stopped;
    records.exclusively = (_, work) => work(() => {}); // its lease is over, which it does not know
    const read = records.lastRecord.bind(records);
    records.lastRecord = async (...place) => {
      const last = await read(...place);
      assert.equal(await next.records.collectEvents(of), true);
      return last;
    };
    await assert.rejects(records.collectEvents(of), { error: 'CONFLICT' });
    const found = await eventsAfter(next.records, record.number, 0, 10);
    assert.deepEqual(
      found.map(({ number, image, count }) => [number, image, count]),
      [[1, 'a', 1]],
    );
  });

  test('a search that one node has saved finds what another one adds, and both list the event', async () => {
    await add(1, 'press', 'before', await copyOf(1, 450));
    const saved = { search_id: 's', image_content: await photograph(1), existing: 1 };
    assert.equal((await ask(0, 'press', 'review', 'SaveSearch', saved)).nb_events, 1);
    await add(1, 'press', 'other', await copyOf(2));
    await add(1, 'press', 'copy', await copyOf(1));
    const listed = await events(0, 'press');
    assert.deepEqual(
      listed.map(({ id, image_id, decision, count }) => [id, image_id, decision, count]),
      [
        [1, 'before', 'Clone', 1],
        [2, 'copy', 'Clone', 1],
      ],
    );
    assert.ok(JSON.parse(listed[1].result_info).reference.matchingBox);
    assert.deepEqual(await events(1, 'press'), listed);
    const { nb_unread } = await ask(1, 'press', 'review', 'ReviewEvents', { nb_results: 1 });
    assert.equal(nb_unread, 2);
    const { status } = await askServer(nodes[1]!, 'enginequery', 'SearchDetailsById', {
      application_key: keys['press']!,
      image_id: 'copy',
    });
    assert.ok(!JSON.stringify(status).includes('caused'));
    await ask(1, 'press', 'review', 'DeleteSavedSearch', { search_id: 's' });
    await add(0, 'press', 'later', await copyOf(1, 480));
    assert.equal((await events(0, 'press')).length, 2);
  });

  test('the event of a picture that is changed and deleted at once stays, and is one', async () => {
    await ask(1, 'press', 'review', 'SaveSearch', { search_id: 'kept', image_content: await photograph(3) });
    const before = (await events(0, 'press')).length;
    for (const [i, width] of [400, 410, 420].entries()) {
      await add((i % 2) as 0 | 1, 'press', 'short', await copyOf(3, width), { metadata: '{"a":1}' });
      await ask(1, 'press', 'enginemodify', 'SetKeywords', { image_id: 'short', keywords: [`k${i}`] });
      const { images } = await ask(0, 'press', 'enginequery', 'ListImages', { keywords: [`k${i}`], metadata: 1 });
      assert.deepEqual([images[0].keywords, images[0].metadata], [[`k${i}`], { a: 1 }]);
      await ask(0, 'press', 'enginemodify', 'DeleteImage', { image_id: 'short' });
    }
    const own = (await events(1, 'press')).slice(before);
    assert.deepEqual(
      own.map(({ image_id, count }) => [image_id, count]),
      Array(3).fill(['short', 1]),
    );
  });

  test('an emptied application has the events that nobody has numbered before', async (t) => {
    const backend = await backendFor(t, 'events');
    const record = backend.store.list().find(({ name }) => name === 'press')!;
    const before = (await events(0, 'press')).length;
    await addWith(backend, record, 'waits');
    const confirmed = { application: 'press', confirm: 'press' };
    await ask(1, 'administrator', 'administration', 'EmptyApplication', confirmed);
    await pause(2000); // each node knows it
    assert.deepEqual(
      (await events(0, 'press')).slice(before).map(({ image_id }) => image_id),
      ['waits'],
    );
  });

  test('pictures of the same pixels are one event, whichever node adds them', async () => {
    await ask(0, 'flood', 'review', 'SaveSearch', { search_id: 's', image_content: await photograph(4) });
    const dna = await dnaOf(await copyOf(4));
    await Promise.all(
      Array.from({ length: 40 }, (_, i) =>
        ask((i % 2) as 0 | 1, 'flood', 'enginemodify', 'AddImage', { image_id: `copy ${i}`, dna }),
      ),
    );
    const [event, ...others] = await events(1, 'flood');
    assert.deepEqual([event.count, event.repeats.length, others], [40, 20, []]);
  });

  test('the pictures of another application that were there before are compared once, also where the node is killed', async () => {
    for (let i = 5; i < 25; i++) await add((i % 2) as 0 | 1, 'archive', `${i}`, await photograph(i));
    for (const number of [6, 7]) await add(1, 'archive', `copy ${number}`, await copyOf(number));
    await add(0, 'sent', 'six', await copyOf(6, 400));
    for (let i = 0; i < 30; i++)
      await ask(1, 'sent', 'enginemodify', 'AddImage', {
        image_id: `other ${i}`,
        dna: await dnaOf(await copyOf(1, 300 + i)),
      });
    await ask(0, 'sent', 'review', 'SaveSearch', { search_id: 'all', watched_key: keys['archive']!, existing: 1 });
    await kill(0); // the other node continues
    const backlog = async () => (await ask(1, 'sent', 'review', 'ListSavedSearches')).saved_searches[0].existing;
    while (await backlog()) await pause(100);
    nodes[0] = await start();
    await add(1, 'sent', 'seven', await copyOf(7, 400));
    const found = (await events(0, 'sent')).map(({ image_id, watched_in }) => `${image_id} < ${watched_in.image_id}`);
    assert.deepEqual(found.sort(), ['seven < 7', 'seven < copy 7', 'six < 6', 'six < copy 6']);
  });

  test('a list of hashes is compared by every node, and leaves as it came', async () => {
    const picture = await photograph(8);
    const { pdq } = await ask(0, 'hashes', 'enginequery', 'GetPdq', { image_content: picture });
    const lines = Array.from({ length: 100_000 }, () => `${randomBytes(32).toString('hex')},100,of nobody`);
    lines.splice(70_000, 0, `${pdq},99,ours`);
    const list = { list_id: 'l', hashes: Buffer.from(`hash,quality,label\n${lines.join('\n')}\n`) };
    assert.equal((await ask(0, 'hashes', 'review', 'ImportHashes', list)).hash_list.nb_hashes, 100_001);
    await add(1, 'hashes', 'a', picture);
    const [event] = await events(0, 'hashes');
    assert.deepEqual([event.image_id, event.hash.entry, event.hash.label], ['a', 70_000, 'ours']);
    const pages: string[] = [];
    for (let start = 0; start <= 100_000; start += 10_000) {
      const page = { list_id: 'l', format: 'csv', starting_index: start, nb_results: 10_000 };
      pages.push((await ask(1, 'hashes', 'review', 'ExportHashes', page)).text);
    }
    assert.ok(pages.join('') === String(list.hashes), 'another list');
    await ask(1, 'hashes', 'review', 'DeleteHashList', { list_id: 'l' });
    await add(0, 'hashes', 'b', await copyOf(8));
    assert.equal((await events(0, 'hashes')).length, 1);
  });

  test('one node sends, and where it is killed another one continues; nothing is lost or out of order', async () => {
    const at = `http://web.example:${(receiver.address() as AddressInfo).port}/killed`;
    await ask(0, 'killed', 'review', 'SaveSearch', { search_id: 's', image_content: await photograph(9) });
    await ask(1, 'killed', 'review', 'AddWebhook', { webhook_id: 'w', url: at });
    const of = () => received.get('killed') ?? [];
    const until = async (count: number): Promise<void> => {
      for (const end = performance.now() + 60_000; new Set(of().map(({ id }) => id)).size < count; await pause(50))
        assert.ok(performance.now() < end, `${of().length} of ${count}`);
    };
    for (let i = 0; i < 4; i++) await add((i % 2) as 0 | 1, 'killed', `copy ${i}`, await copyOf(9, 400 + i));
    await until(4);
    const metrics = async (node: 0 | 1): Promise<string> =>
      (await fetch(`http://127.0.0.1:${nodes[node]!.modifyPort}/metrics`)).text();
    const sending = await Promise.all(
      ([0, 1] as const).map(async (node) => /state="sending"\} 1/.test(await metrics(node))),
    );
    assert.equal(sending.filter(Boolean).length, 1);
    const sender = sending[0] ? 0 : 1;
    const other = sender === 0 ? 1 : 0;
    await kill(sender);
    for (let i = 4; i < 8; i++) await add(other, 'killed', `copy ${i}`, await copyOf(9, 400 + i));
    await until(8);
    nodes[sender] = await start();
    const rotated = await ask(sender, 'killed', 'review', 'RotateWebhookSecret', { webhook_id: 'w' });
    assert.match(rotated.secret, /^whsec_/);
    await add(sender, 'killed', 'copy 8', await copyOf(9, 408));
    await until(9);
    const once = [...new Map(of().map((each) => [each.id, each.number])).values()];
    assert.deepEqual(once, [1, 2, 3, 4, 5, 6, 7, 8, 9]);
    await ask(other, 'killed', 'review', 'DeleteWebhook', { webhook_id: 'w' });
    await pause(2500);
    await add(other, 'killed', 'copy 9', await copyOf(9, 409));
    await pause(2500);
    assert.equal(new Set(of().map(({ id }) => id)).size, 9);
  });

  test('nodes that are killed while they add and number lose no event, and double none', async () => {
    const before = (await events(0, 'killed')).length;
    const dna = new Map<string, Buffer>();
    for (let i = 0; i < 8; i++) dna.set(`kill ${i}`, await dnaOf(await copyOf(9, 300 + i)));
    const confirmed = new Set<string>();
    for (const [i, id] of [...dna.keys()].entries()) {
      const node = (i % 2) as 0 | 1;
      const values = { application_key: keys['killed']!, image_id: id, dna: dna.get(id)! };
      const added = askServer(nodes[node]!, 'enginemodify', 'AddImage', values).then(
        ({ status }) => status.code === 0 && confirmed.add(id),
        () => {},
      );
      await pause(90 * i);
      await kill(node);
      await added;
      nodes[node] = await start();
      const again = await askServer(nodes[node]!, 'enginemodify', 'AddImage', values);
      assert.ok([0, errorCodes.IMAGE_EXISTS].includes(again.status.code), again.status.message);
    }
    assert.ok(confirmed.size > 0 && confirmed.size < dna.size, `${confirmed.size} were confirmed`);
    let own: any[] = [];
    for (const end = performance.now() + 60_000; own.length < dna.size && performance.now() < end; await pause(500))
      own = (await events(1, 'killed')).slice(before);
    assert.deepEqual(
      own.map(({ image_id, count }) => [image_id, count]),
      Array.from(dna.keys(), (id) => [id, 1]),
    );
    assert.deepEqual(
      own.map(({ id }) => id),
      own.map((_, i) => before + 1 + i),
    );
  });
});
