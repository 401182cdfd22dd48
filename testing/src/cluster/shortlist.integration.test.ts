import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import type { Sosia } from '@sosia/client';
import { type ApplicationType, type Picture, typeDefinitions } from '@sosia/engine';
import { pictureNames, readPicture } from '@sosia/fixtures';
import { openImageStore } from '@sosia/server';
import { SHARD_DEPTH } from '@sosia/server/shards/shard-source';
import { drawer, withFeaturesOf } from '../describing/drawn.ts';
import { randomFor } from '../pictures/random.ts';
import { createApplication, sosia, startService } from '../service/service.ts';
import { startCluster, stopCluster } from './cluster.ts';
import { engineInstalled } from './engine.ts';

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';
const SEED = Number(process.env['SEED'] ?? 7);
/** More than are listed, so that nothing is equal only because all pictures are compared. */
const PICTURES = SHARD_DEPTH.listed + 200;
const AT_ONCE = 100;
const MOST_REPLACED = 0.97;
/** Parts of each sample, and of how many pictures one is a variation. */
const PARTS = 16;
const VARIATION = 8;

const folder = mkdtempSync(join(tmpdir(), 'sosia-shortlist-'));
after(async () => {
  await stopCluster(join(folder, 'cluster'));
  rmSync(folder, { recursive: true, force: true });
});

test(
  `of ${PICTURES} pictures, variations among them, a data folder and the lists of a node of a cluster give the same answers (seed ${SEED})`,
  { skip },
  async (t) => {
    const type = 'media-matching';
    chmodSync(folder, 0o755); // the node of OpenSearch runs as another user
    const data = join(folder, 'data');
    const key = createApplication(data, type);
    await fill(data, stockOf(type));
    const quick = { javaOptions: ['-XX:TieredStopAtLevel=1'], settings: { 'node.store.allow_mmap': 'true' } };
    const [node] = await startCluster(join(folder, 'cluster'), { ...quick, nodes: 1 });
    const { url } = node!;
    execFileSync(process.execPath, [sosia, 'move', '--from', data, '--to', url]);
    execFileSync(process.execPath, [sosia, 'app', 'enable', type, '--data', data]); // both take the same changes
    const own = await startService({ data });
    const lists = ['--cluster', url, '--cluster-search', 'lists'];
    const cluster = await startService({ data: join(folder, 'none'), flags: lists });
    t.after(() => Promise.all([own.close(), cluster.close()]));
    const clients = [own.client(key), cluster.client(key)] as const;
    const totals: number[] = [];
    const compare = async (name: (typeof pictureNames)[number], keywords: string[]) => {
      const dna = typeDefinitions[type].describe(pictureOf(name), 'query');
      const search = (client: Sosia) => client.searchByDna(dna, { keywords, count: 1000 });
      const [expected, found] = await Promise.all(clients.map(search));
      assert.ok(JSON.stringify(found) === JSON.stringify(expected), `${name} among ${keywords.join() || 'all'}`);
      totals.push(expected!.total);
      return expected!;
    };
    for (const name of pictureNames) for (const keywords of [[], ['half 1']]) await compare(name, keywords);
    const [name] = pictureNames;
    const { images } = await compare(name, []);
    for (const client of clients) await client.delete(images[0]!.id);
    assert.notEqual((await compare(name, [])).images[0]!.id, images[0]!.id);
    t.diagnostic(`matches: ${totals.join()}`);
    assert.ok(Math.max(...totals) > 20 && totals.every((total) => total > 0));
  },
);

async function fill(data: string, dnas: readonly Uint8Array[]): Promise<void> {
  const store = await openImageStore(data);
  for (let start = 0; start < dnas.length; start += AT_ONCE)
    await Promise.all(
      dnas.slice(start, start + AT_ONCE).map((dna, i) => {
        return store.append(1, { id: `p${start + i}`, keywords: [`half ${i % 2}`], dna });
      }),
    );
  await store.close();
}

/** Pictures with features drawn from parts of the samples, among them variations of the samples with ever fewer of their features. */
function stockOf(type: ApplicationType): Uint8Array[] {
  const random = randomFor('shortlist', type, SEED);
  const { describe } = typeDefinitions[type];
  const samples = pictureNames.map((name) => describe(pictureOf(name), 'reference'));
  const parts = pictureNames.flatMap((name) =>
    Array.from({ length: PARTS }, () => describe(pictureOf(name, [random(), random()]), 'reference')),
  );
  const draw = drawer(parts, random);
  return Array.from({ length: PICTURES }, (_, i) => {
    const sample = samples[(i / VARIATION) % samples.length];
    return sample ? withFeaturesOf(sample, draw(), (MOST_REPLACED * i) / PICTURES, random) : draw();
  });
}

/** A sample, or a part of it. */
function pictureOf(name: (typeof pictureNames)[number], part?: readonly [left: number, top: number]): Picture {
  const { width, height, rgb } = readPicture(name);
  if (!part) return { width, height, originalWidth: width, originalHeight: height, rgb };
  const [w, h] = [Math.floor(width / 3), Math.floor(height / 3)];
  const [x, y] = [Math.floor(part[0] * (width - w)), Math.floor(part[1] * (height - h))];
  const cut = new Uint8Array(3 * w * h);
  for (let row = 0; row < h; row++) {
    const from = 3 * ((y + row) * width + x);
    cut.set(rgb.subarray(from, from + 3 * w), 3 * w * row);
  }
  return { width: w, height: h, originalWidth: w, originalHeight: h, rgb: cut };
}
