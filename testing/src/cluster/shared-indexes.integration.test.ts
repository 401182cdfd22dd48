import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { typeDefinitions } from '@sosia/engine';
import { readPicture, pictureNames } from '@sosia/fixtures';
import { pictureOf } from '../pictures/raster.ts';
import { codeOf, sosia, startService, type Service } from '../service/service.ts';
import { addInBulk } from './bulk.ts';
import { startCluster, stopCluster, type ClusterNode } from './cluster.ts';
import { engineInstalled } from './engine.ts';

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
const folder = mkdtempSync(join(tmpdir(), 'sosia-shared-'));
let nodes: readonly ClusterNode[] = [];
let services: readonly Service[] = [];

before(async () => {
  if (skip) return;
  nodes = await startCluster(folder, {
    javaOptions: ['-XX:TieredStopAtLevel=1'],
    settings: { 'node.store.allow_mmap': 'true' },
  });
  const serve = () => startService({ flags: ['--cluster', cluster(), '--search-workers', '1'] });
  services = [await serve(), await serve()];
});
after(async () => {
  await Promise.all(services.map((service) => service.close()));
  await stopCluster(folder);
});

const cluster = (): string => nodes.map(({ url }) => url).join();

async function run(...words: string[]): Promise<string> {
  const child = spawn(process.execPath, [sosia, ...words, '--cluster', cluster()], {
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [[code], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  assert.equal(code, 0, err);
  return out;
}

async function create(name: string): Promise<string> {
  const out = await run('app', 'create', '--type', 'media-matching', '--name', name, '--json');
  await pause(2000); // until every node has the change
  return (JSON.parse(out) as { application_key: string }).application_key;
}

async function read<T>(path: string): Promise<T> {
  return (await (await fetch(`${nodes[0]!.url}${path}`)).json()) as T;
}

/** The index of an application. */
async function indexOf(application: number): Promise<string> {
  const aliases = await read<{ index: string }[]>(`/_cat/aliases/sosia-${application}?format=json`);
  return aliases.map(({ index }) => index).join();
}

/** The documents of an application in an index, marks of deleted pictures too. */
async function documentsIn(index: string, application: number): Promise<number> {
  await fetch(`${nodes[0]!.url}/${index}/_refresh`, { method: 'POST' });
  return (await read<{ count: number }>(`/${index}/_count?q=application:${application}`)).count;
}

const dnas = pictureNames.slice(0, 6).map((name) => {
  return typeDefinitions['media-matching'].describe(pictureOf(readPicture(name)), 'reference');
});

test('small applications share an index, and see nothing of one another', { skip }, async () => {
  const [a, b] = [await create('a'), await create('b')];
  assert.deepEqual([await indexOf(1), await indexOf(2)], ['sosia-shared-1', 'sosia-shared-1']);
  const [one, other] = services as [Service, Service];
  await one.client(a).addDna('same id', dnas[0]!, ['of a']);
  await one.client(b).addDna('same id', dnas[1]!, ['of b']);
  await one.client(b).addDna('copy', dnas[0]!);
  const idsOf = async (key: string, dna: Uint8Array) =>
    (await other.client(key).searchByDna(dna)).images.map(({ id, score }) => [id, score]);
  assert.deepEqual(await idsOf(a, dnas[0]!), [['same id', 0]]);
  assert.deepEqual(await idsOf(b, dnas[0]!), [['copy', 0]]);
  assert.deepEqual(await idsOf(a, dnas[1]!), []);
  assert.deepEqual([await other.client(a).count(), await other.client(b).count()], [1, 2]);
  assert.deepEqual((await other.client(a).searchByKeywords(['of b'])).images, []);
  await one.client(b).delete('same id');
  assert.deepEqual([await other.client(a).count(), await other.client(b).count()], [1, 1]);
  assert.deepEqual(await idsOf(a, dnas[0]!), [['same id', 0]]);
  await run('app', 'delete', 'b', '--yes');
  assert.equal(await documentsIn('sosia-shared-1', 2), 0);
  assert.equal(await indexOf(2), '');
  assert.deepEqual(await idsOf(a, dnas[0]!), [['same id', 0]]);
});

test(
  'an application that grows gets its own index beside changes and searches, and none is refused',
  { skip },
  async () => {
    const key = await create('growing');
    const neighbour = await create('neighbour');
    const [one, other] = services.map((service) => service.client(key)) as [
      ReturnType<Service['client']>,
      ReturnType<Service['client']>,
    ];
    await services[0]!.client(neighbour).addDna('n', dnas[5]!);
    await one.addDna('first', dnas[5]!);
    const before = Array.from({ length: 850 }, (_, i) => `before ${i}`);
    await addInBulk(cluster(), 3, before, (i) => dnas[i % 5]!);
    const expected = await other.searchByDna(dnas[5]!);
    const present = new Set(['first', ...before]);
    const moves = new Set<string>();
    let [ended, searches] = [false, 0];
    const made = async (change: Promise<unknown>): Promise<void> => assert.equal(await codeOf(change), 0);
    const adding = async (part: number): Promise<void> => {
      const client = part % 2 === 0 ? one : other;
      for (let i = 0; !ended; i++) {
        const id = `${part} ${i}`;
        await made(client.addDna(id, dnas[i % 5]!, [`k${i % 3}`]));
        if (i % 7 === 0) await made(client.delete(id));
        else present.add(id);
        if (i % 7 === 1) await made(client.setKeywords(id, ['changed']));
      }
    };
    const searching = async (): Promise<void> => {
      for (; !ended; searches++) {
        assert.deepEqual(await other.searchByDna(dnas[5]!), expected);
        await pause(100);
      }
    };
    const beside = async (): Promise<void> => {
      for (let i = 0; !ended; i++) await made(services[1]!.client(neighbour).addDna(`n${i}`, dnas[4]!));
    };
    const busy = [...Array.from({ length: 8 }, (_, part) => adding(part)), searching(), beside()];
    const work = Promise.all(busy);
    const begin = performance.now();
    for (let index = ''; !index.startsWith('sosia-3-'); await pause(200)) {
      assert.ok(performance.now() - begin < 240_000, 'it still shares an index');
      index = await indexOf(3);
      moves.add(index);
    }
    await pause(2000);
    ended = true;
    await work;
    assert.equal(moves.size, 2, [...moves].join());
    assert.ok(present.size > 1000 && searches > 0, `${present.size} pictures, ${searches} searches`);
    const found: string[] = [];
    for await (const { id } of other.images()) found.push(id);
    assert.deepEqual(found.toSorted(), [...present].toSorted());
    assert.equal((await one.images({ keywords: ['changed'] }).next()).done, false);
    assert.equal(await documentsIn('sosia-shared-1', 3), 0);
    assert.equal(await indexOf(4), 'sosia-shared-1');
  },
);
