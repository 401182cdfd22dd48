import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { EMBEDDING_LENGTH, networkSpecOf } from '@sosia/engine';
import { onnxFile } from '@sosia/engine/classify/onnx-file.test.kit';
import { redOrBlue } from '@sosia/fixtures';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import type { Service } from '../service.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';

let service: Service;
let key: string;
before(async () => {
  service = await startService();
  key = service.application('filter');
});
after(() => service.close());

const filter = (values: object) => service.query('Filter', { application_key: key, ...values });

test('a new application has the shipped profiles, and a photograph is one', async () => {
  const { status, scores } = await filter({ query_image: await photograph(5) });
  assert.deepEqual(status, { code: 0, message: 'No error' });
  assert.deepEqual(Object.keys(scores), ['photograph', 'document']);
  assert.ok(scores.photograph > 0, `photograph ${scores.photograph}`);
  assert.ok(scores.document < 0, `document ${scores.document}`);
});

test('a page of lines is a document and no photograph', async () => {
  const words = (y: number) =>
    Array.from({ length: 60 }, (_, i) => `M${50 + i * 8 + 6 * Math.floor(i / 5)} ${y}v9q4 -9 5 0`).join('');
  const lines = Array.from({ length: 40 }, (_, i) => `<path d="${words(50 + 19 * i)}"/>`).join('');
  const page = `<svg xmlns="http://www.w3.org/2000/svg" width="620" height="877"><rect width="100%" height="100%" fill="#fff"/><g stroke="#111" fill="none">${lines}</g></svg>`;
  const { scores } = await filter({ image_content: await sharp(Buffer.from(page)).jpeg().toBuffer() });
  assert.ok(scores.document > 0, `document ${scores.document}`);
  assert.ok(scores.photograph < 0, `photograph ${scores.photograph}`);
});

test('a profile of the folder counts from the next request on, until its deletion', async () => {
  const { number } = service.store.list().find(({ type }) => type === 'filter')!;
  const profile = { name: 'always', weights: new Float32Array(EMBEDDING_LENGTH), bias: 0.25 };
  service.store.profiles.add({ profile, report: null, mistakes: new Uint8Array() });
  service.store.update(number, { profiles: ['always', 'photograph'] });
  const query_image = await photograph(5);
  const { scores } = await filter({ query_image });
  assert.deepEqual(Object.keys(scores), ['always', 'photograph']);
  assert.equal(scores.always, 0.25);
  service.store.profiles.delete('always');
  assert.deepEqual(Object.keys((await filter({ query_image })).scores), ['photograph']);
});

test('a network of the folder scores beside the other profiles, and reports its failure', async () => {
  const { number } = service.store.list().find(({ type }) => type === 'filter')!;
  const spec = networkSpecOf({ labels: ['red', 'blue'], positive: ['red'] });
  const keep = (name: string, model: Uint8Array) =>
    service.store.profiles.add({ profile: { name, spec, model }, report: null, mistakes: new Uint8Array() });
  keep('red', onnxFile(redOrBlue()));
  keep('broken', Uint8Array.of(1, 2, 3));
  service.store.update(number, { profiles: ['photograph', 'red'] });
  const plain = async (background: string) => {
    const query_image = await sharp({ create: { width: 90, height: 60, channels: 3, background } })
      .png()
      .toBuffer();
    return (await filter({ query_image })).scores;
  };
  const [red, blue] = [await plain('#f00'), await plain('#00f')];
  assert.deepEqual(Object.keys(red), ['photograph', 'red']);
  assert.ok(Math.abs(red.red - (2 / (1 + Math.exp(-8)) - 1)) < 1e-5, `${red.red}`);
  assert.equal(blue.red, -red.red);
  service.store.update(number, { profiles: ['red', 'broken'] });
  const { status, scores } = await filter({ query_image: await photograph(5) });
  assert.equal(status.code, errors.BAD_PROFILE.code);
  assert.match(status.message, /the model cannot be read/);
  assert.deepEqual(scores, {});
});

test('an application without a profile has its own code', async () => {
  const { number } = service.store.list().find(({ type }) => type === 'filter')!;
  service.store.update(number, { profiles: [] });
  const { status, scores } = await filter({ query_image: await photograph(5) });
  assert.equal(status.code, errors.NO_PROFILES.code);
  assert.deepEqual(scores, {});
});
