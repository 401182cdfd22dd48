import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { networkSpecOf } from '@sosia/engine';
import { onnxFile } from '@sosia/engine/classify/onnx-file.test.kit';
import { meanColor } from '@sosia/fixtures';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import { createApplication } from '../applications/create.ts';
import type { RunningServer } from '../main.ts';
import { openApplicationStore } from '../store/application-store.ts';
import { embeddingNetwork } from '../store/embedding-network.ts';
import { restore } from '../store/restore.ts';
import { snapshot } from '../store/snapshot.ts';
import { verify } from '../store/verify.ts';
import { askServer, formOf, startServerOn, type Values } from '../service.test.kit.ts';

const home = mkdtempSync(join(tmpdir(), 'sosia-network-'));
const folder = join(home, 'data');
const consoleFolder = join(home, 'console');
mkdirSync(consoleFolder);
writeFileSync(join(consoleFolder, 'index.html'), 'the page');
let server: RunningServer;
async function start(data = folder): Promise<void> {
  server = await startServerOn(data, { search_workers: '2' }, { consoleFolder });
}

const embeddingOf = (gain: number) =>
  embeddingNetwork(networkSpecOf({ output: 'embedding' }), onnxFile(meanColor({ gain })), 3);
const keys: Record<string, string> = {};
before(async () => {
  await start();
  const store = openApplicationStore(folder);
  const create = (name: string, gain?: number): void => {
    const embedding = gain === undefined ? {} : { embedding: embeddingOf(gain) };
    keys[name] = createApplication(store, { type: 'image-similarity', name, ...embedding }).key;
  };
  create('plain');
  create('one', 1);
  create('same', 1);
  create('other', 2);
  store.close();
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

async function ask(operation: string, application: string, values: Values): Promise<any> {
  const family = /^(Add|Delete|GetDna)/.test(operation) ? 'enginemodify' : 'enginequery';
  return askServer(server, family, operation, { application_key: keys[application]!, ...values });
}

/** A picture of two colours, so that it is not plain, whose mean is the colour. */
async function picture(r: number, g: number, b: number, delta = 20): Promise<Buffer> {
  const half = (sign: number) => ({ r: r + sign * delta, g: g + sign * delta, b: b + sign * delta });
  const left = { create: { width: 32, height: 64, channels: 3, background: half(1) } } as const;
  const both = sharp({ create: { width: 64, height: 64, channels: 3, background: half(-1) } });
  return both
    .composite([{ input: await sharp(left).png().toBuffer(), left: 0, top: 0 }])
    .png()
    .toBuffer();
}

type Color = readonly [r: number, g: number, b: number];
const colors: Record<'red' | 'orange' | 'blue', Color> = {
  red: [200, 60, 60],
  orange: [200, 100, 50],
  blue: [50, 60, 200],
};
const vectorOf = (color: readonly number[]): number[] => color.map((value) => value / 255 - 0.4);
const expected = (a: readonly number[], b: readonly number[]): number => {
  const dot = (x: number[], y: number[]): number => x.reduce((sum, value, i) => sum + value * y[i]!, 0);
  const [v, w] = [vectorOf(a), vectorOf(b)];
  return 0.5 - (0.5 * dot(v, w)) / Math.sqrt(dot(v, v) * dot(w, w));
};

async function checkSearch(): Promise<void> {
  const image_content = await picture(...colors.red, 30);
  const { images } = await ask('SearchImageByUpload', 'one', { image_content, color_weight: 0 });
  assert.deepEqual(images.map(({ id }: { id: string }) => id), ['red', 'orange', 'blue']); // prettier-ignore
  for (const { id, score, result_info } of images) {
    const wanted = expected(colors.red, colors[id as keyof typeof colors]);
    assert.ok(Math.abs(score - wanted) < 0.01, `${id}: ${score}, not ${wanted}`);
    const info = JSON.parse(result_info);
    assert.deepEqual([info.category, info.shapeScore], ['SIMILARITY', score]);
  }
}

test('the console learns which application has a network', async () => {
  const origin = `http://127.0.0.1:${server.modifyPort}`;
  for (const [name, expected] of Object.entries({ plain: false, one: true })) {
    const body = formOf({ application_key: keys[name]! });
    const answer = await fetch(`${origin}/console/api/sign-in`, { method: 'POST', body, headers: { origin } });
    const { session } = (await answer.json()) as { session: { application: { network: boolean } } };
    assert.equal(session.application.network, expected, name);
  }
});

test('pictures are found by the vectors of the network', async () => {
  for (const [image_id, color] of Object.entries(colors)) {
    const { status } = await ask('AddImage', 'one', { image_id, image_content: await picture(...color) });
    assert.equal(status.code, 0, JSON.stringify(status));
  }
  await checkSearch();
  const half = await ask('SearchImageByUpload', 'one', {
    image_content: await picture(...colors.red),
    color_weight: 50,
  });
  const [first, second] = half.images;
  assert.deepEqual([first.id, first.score], ['red', 0]);
  const { shapeScore, colorScore } = JSON.parse(second.result_info);
  assert.equal(second.score, 0.5 * shapeScore + 0.5 * colorScore);
  assert.ok(colorScore > 0);
});

test('DNA serves applications with the same network, and is refused by all others', async () => {
  const { dna } = (await ask('GetDnaById', 'one', { image_id: 'red' })).dna;
  const add = (application: string) => ask('AddImage', application, { image_id: 'copy', dna });
  assert.equal((await add('same')).status.code, 0);
  for (const application of ['plain', 'other']) assert.match((await add(application)).status.message, /DNA/);
  await ask('AddImage', 'plain', { image_id: 'red', image_content: await picture(...colors.red) });
  const { dna: plain } = (await ask('GetDnaById', 'plain', { image_id: 'red' })).dna;
  const { status } = await ask('SearchImageByDna', 'one', { dna: plain });
  assert.equal(status.code, errors.BAD_DNA.code, JSON.stringify(status));
});

test('a restart, a backup and a restored folder keep network and pictures', async () => {
  await server.close();
  await start();
  await checkSearch();
  const [backup, restored] = [join(home, 'backup'), join(home, 'restored')];
  await snapshot(folder, backup);
  await server.close();
  assert.deepEqual(verify(folder), { applications: 4, images: 5, damages: [] });
  restore(backup, restored);
  assert.deepEqual(verify(restored), { applications: 4, images: 5, damages: [] });
  await start(restored);
  await checkSearch();
});

test('applications share one network, which is deleted with the last of them', async () => {
  const store = openApplicationStore(join(home, 'restored'));
  const names = () => store.profiles.names().map(({ name }) => name);
  const [one, other] = [embeddingOf(1).network.name, embeddingOf(2).network.name];
  assert.deepEqual(names(), [one, other].sort());
  const numberOf = (wanted: string): number => store.list().find(({ name }) => name === wanted)!.number;
  store.delete(numberOf('one'));
  assert.deepEqual(names(), [one, other].sort());
  store.delete(numberOf('same'));
  assert.deepEqual(names(), [other]);
  const lost = numberOf('other');
  store.profiles.delete(other);
  const { damages } = verify(join(home, 'restored'));
  assert.deepEqual(damages, [{ file: 'applications.db', application: lost, what: `there is no ${other}` }]);
  const { status } = await ask('AddImage', 'other', { image_id: 'red', image_content: await picture(...colors.red) });
  assert.match(status.message, /embedding-.* is not in the data folder/);
  store.close();
});
