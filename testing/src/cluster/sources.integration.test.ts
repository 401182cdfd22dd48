import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { copyFileSync, existsSync, mkdirSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Sosia } from '@sosia/client';
import { samplesFolder } from '@sosia/fixtures';
import { sampleIds } from '../service/samples.ts';
import { createApplicationIn, sosia, startService, type Service } from '../service/service.ts';
import { startCluster, stopCluster } from './cluster.ts';
import { engineInstalled } from './engine.ts';

// A folder that two processes of a cluster see: one of them follows it.

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
const quick = { javaOptions: ['-XX:TieredStopAtLevel=1'], settings: { 'node.store.allow_mmap': 'true' } };
const folder = mkdtempSync(join(tmpdir(), 'sosia-followed-'));
const pictures = join(folder, 'pictures');
const samples = sampleIds(5);
const services: Service[] = [];
let key: string;
let administrator: string;
let flags: string[];

before(async () => {
  if (skip) return;
  mkdirSync(pictures);
  for (const name of samples.slice(0, 3)) copyFileSync(join(samplesFolder, name), join(pictures, name));
  const nodes = await startCluster(folder, { ...quick, nodes: 1 });
  const place = ['--cluster', nodes.map(({ url }) => url).join()];
  key = createApplicationIn(place, 'media-matching');
  const made = execFileSync(process.execPath, [sosia, 'admin', 'key', ...place, '--json'], { encoding: 'utf8' });
  administrator = (JSON.parse(made) as { key: string }).key;
  flags = [...place, '--source-folders', pictures, '--search-workers', '1', '--decode-workers', '1'];
  for (let i = 0; i < 2; i++) services.push(await startService({ flags }));
});
after(async () => {
  for (const service of services) await service.close();
  await stopCluster(folder);
  rmSync(folder, { recursive: true, force: true });
});

const administer = ({ modify, query }: Service): Sosia => new Sosia({ key: administrator, modify, query });

/** Waits until the application has these pictures, each once. @returns milliseconds */
async function untilFollowed(service: Service, names: readonly string[]): Promise<number> {
  const begin = performance.now();
  for (;;) {
    const images = [];
    for await (const image of service.client(key).images()) images.push(image);
    const found = images.map(({ id, origin }) => `${id} at ${origin?.path}`);
    const expected = names.map((name) => `${name} at ${name}`).sort();
    if (found.join() === expected.join()) return performance.now() - begin;
    assert.ok(performance.now() - begin < 120_000, `${found.join()} instead of ${expected.join()}`);
    await pause(500);
  }
}

test('whichever process follows a folder, the other goes on within half a minute after a kill', { skip }, async () => {
  const source = { name: 'photos', kind: 'folder', path: pictures, interval: 5, application: 'media-matching' };
  await administer(services[1]!).ask('administration', 'CreateSource', source);
  await untilFollowed(services[0]!, samples.slice(0, 3));
  for (const killed of [0, 1]) {
    await services[killed]!.kill();
    const added = samples[3 + killed]!;
    copyFileSync(join(samplesFolder, added), join(pictures, added));
    const ms = await untilFollowed(services[1 - killed]!, samples.slice(0, 4 + killed));
    assert.ok(ms < 40_000, `${ms} ms with the pass itself`);
    services[killed] = await startService({ flags });
  }
});

test(
  'whichever process removes a picture moves its file, and the pass that follows has nothing to do',
  { skip },
  async () => {
    const selected = { application: 'media-matching', source: 'photos' };
    await administer(services[0]!).ask('administration', 'SetSource', { ...selected, writable: 1 });
    for (const [i, service] of services.entries()) {
      const own = service.client(key);
      const { files } = await own.ask('modify', 'DeleteImage', { image_id: samples[i]!, files: 'trash' });
      assert.deepEqual(files, { changed: 1, kept: [] });
      const places = [samples[i]!, `.trash/${samples[i]}`].map((path) => existsSync(join(pictures, path)));
      assert.deepEqual(places, [false, true]);
    }
    await pause(7000); // a pass after the deletions has ended
    await untilFollowed(services[0]!, samples.slice(2));
    const { source } = await administer(services[1]!).ask('administration', 'GetSource', selected);
    const { added, removed } = source.progress;
    assert.deepEqual([added, removed, source.question, source.fault], [0, 0, null, '']);
  },
);
