import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { LOOKS } from '@sosia/engine';
import sharp from 'sharp';
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

test('a profile of the folder counts from the next request on, and goes when it is deleted', async () => {
  const { number } = service.store.list().find(({ type }) => type === 'filter')!;
  const profile = { name: 'always', weights: new Float32Array(LOOKS), bias: 0.25 };
  service.store.profiles.add({ profile, report: null, mistakes: new Uint8Array() });
  service.store.update(number, { profiles: ['always', 'photograph'] });
  const query_image = await photograph(5);
  const { scores } = await filter({ query_image });
  assert.deepEqual(Object.keys(scores), ['always', 'photograph']);
  assert.equal(scores.always, 0.25);
  service.store.profiles.delete('always');
  assert.deepEqual(Object.keys((await filter({ query_image })).scores), ['photograph']);
});

test('without a profile there is a code of its own', async () => {
  const { number } = service.store.list().find(({ type }) => type === 'filter')!;
  service.store.update(number, { profiles: [] });
  const { status, scores } = await filter({ query_image: await photograph(5) });
  assert.equal(status.code, -2630);
  assert.deepEqual(scores, {});
});
