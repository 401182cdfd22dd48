import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import type { Sosia } from '@sosia/client';
import sharp, { type Sharp } from 'sharp';
import { fromTemplate, templates } from '../pictures/templates.ts';
import { rasterOf, sharpOf, type Raster } from '../pictures/raster.ts';
import { sampleFile, sampleIds } from './samples.ts';
import { startService, type Service } from './service.ts';

let service: Service;
let client: Sosia;
const [one, two, three, four] = sampleIds(4).map((id) => sampleFile(id)) as [Buffer, Buffer, Buffer, Buffer];

/** A picture of a template of its family. @param content  what is in it */
async function drawn(family: string, content: string, photograph: Buffer): Promise<Buffer> {
  const picture: Raster = await fromTemplate(family, '1', content, await rasterOf(sharp(photograph)));
  return sharpOf(picture).png().toBuffer();
}

before(async () => {
  service = await startService();
  client = service.client(service.createApplication('media-matching'));
  await client.add('one', one);
  await client.add('two', two);
  for (const family of ['ornate border', 'slide']) {
    assert.ok(family in templates);
    await client.add(family, await drawn(family, 'a', three));
  }
});
after(() => service.close());

/** By id the decision and the relation of all that is found. */
async function found(query: Sharp | Buffer): Promise<Record<string, string>> {
  const { images } = await client.search(Buffer.isBuffer(query) ? query : await query.png().toBuffer());
  return Object.fromEntries(
    images.map(({ id, resultInfo }) => {
      assert.ok(resultInfo && 'relation' in resultInfo);
      return [id, `${resultInfo.decision}: ${resultInfo.relation}`];
    }),
  );
}

const resized = (picture: Buffer, width: number, height: number): Promise<Buffer> =>
  sharp(picture).resize(width, height, { fit: 'fill' }).png().toBuffer();

test('a copy is a copy, its mirror image too', async () => {
  assert.equal((await found(one)).one, 'Clone: copy');
  assert.equal((await found(sharp(one).resize(400).jpeg({ quality: 60 }))).one, 'Clone: copy');
  assert.equal((await found(sharp(one).flop())).one, 'Match: copy');
});

test('two copies of one picture are both Clones, beside a better one too', async () => {
  await client.add('one again', await sharp(one).resize(500).jpeg({ quality: 70 }).toBuffer());
  for (const query of [one, sharp(one).resize(450)]) {
    const shown = await found(query);
    assert.deepEqual([shown.one, shown['one again']], ['Clone: copy', 'Clone: copy']);
  }
  await client.delete('one again');
});

test('a crop is a part, and so is a picture on a larger ground', async () => {
  const crop = sharp(await resized(one, 600, 400)).extract({ left: 150, top: 100, width: 300, height: 200 });
  assert.equal((await found(crop)).one, 'Match: part');
  const ground = sharp(await resized(three, 800, 600));
  const pasted = ground.composite([{ input: await resized(one, 300, 200), left: 60, top: 60 }]);
  assert.equal((await found(pasted)).one, 'Match: part');
});

test('two pictures beside each other are a montage of both, on either side', async () => {
  const pair = [await resized(one, 400, 300), await resized(two, 400, 300)];
  for (const [left, right] of [pair, pair.toReversed()]) {
    const canvas = sharp({ create: { width: 800, height: 300, channels: 3, background: '#fff' } });
    const places = [
      { input: left!, left: 0, top: 0 },
      { input: right!, left: 400, top: 0 },
    ];
    const shown = await found(canvas.composite(places));
    assert.deepEqual([shown.one, shown.two], ['Match: montage', 'Match: montage']);
  }
});

test('half a picture beside half of another one is a montage', async () => {
  const half = await resized(four, 300, 400);
  const shown = await found(sharp(await resized(one, 600, 400)).composite([{ input: half, left: 0, top: 0 }]));
  assert.equal(shown.one, 'Match: montage');
});

test('another photograph in a frame is the same frame, and other entries are the same form', async () => {
  assert.equal((await found(await drawn('ornate border', 'a', three)))['ornate border'], 'Clone: copy');
  assert.equal((await found(await drawn('ornate border', 'b', four)))['ornate border'], 'Similar: same frame');
  assert.equal((await found(await drawn('slide', 'a', three))).slide, 'Clone: copy');
  assert.equal((await found(await drawn('slide', 'b', four))).slide, 'Similar: same form');
});
