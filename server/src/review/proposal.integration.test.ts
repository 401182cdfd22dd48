import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import type { Family } from '@sosia/contract';
import sharp, { type Sharp } from 'sharp';
import { createApplication } from '../applications/create.ts';
import type { RunningServer } from '../main.ts';
import { askServer, photograph, startServerOn } from '../service.test.kit.ts';
import { openApplicationStore } from '../store/application-store.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-proposal-'));
let server: RunningServer;
let key: string;

before(async () => {
  server = await startServerOn(folder);
  const store = openApplicationStore(folder);
  key = createApplication(store, { type: 'media-matching', name: 'photographs' }).key;
  store.close();
});
after(async () => {
  await server.close();
  rmSync(folder, { recursive: true });
});

const ask = (family: Family, operation: string, values = {}): Promise<any> =>
  askServer(server, family, operation, { application_key: key, ...values });

async function add(image_id: string, image_content: Uint8Array): Promise<void> {
  const { status } = await ask('enginemodify', 'AddImage', { image_id, image_content });
  assert.equal(status.code, 0, status.message);
}

const plain = (width: number, height: number, background: string) =>
  sharp({ create: { width, height, channels: 3, background } })
    .png()
    .toBuffer();

/** Each would be kept by pixels or bytes. */
const edits: readonly { reason: string; edit: (picture: Sharp) => Sharp | Promise<Sharp> }[] = [
  {
    reason: 'it has no border or empty corners',
    edit: (picture) => picture.extend({ top: 40, bottom: 40, left: 40, right: 40, background: '#0a0' }),
  },
  { reason: 'it has no border or empty corners', edit: (picture) => picture.rotate(7, { background: '#888' }) },
  { reason: 'it was not enlarged', edit: (picture) => picture.resize(1200) },
  { reason: 'it was not turned or mirrored', edit: (picture) => picture.flop() },
  {
    reason: 'nothing covers a part of it',
    edit: async (picture) => picture.composite([{ input: await plain(300, 90, '#fd0'), left: 150, top: 60 }]),
  },
];

test('the original is proposed, not the copy that was edited and has the larger file', async () => {
  const expected = new Map<string, { keep: string; reason: string }>();
  for (const [i, { edit, reason }] of edits.entries()) {
    // one saving as JPEG of a size that is no multiple of 8, as cameras and websites make
    const original = await sharp(await photograph(i + 1))
      .resize(702, 501, { fit: 'cover' })
      .jpeg({ quality: 82 })
      .toBuffer();
    const edited = await (await edit(sharp(original))).jpeg({ quality: 96 }).toBuffer();
    assert.ok(edited.length > original.length);
    // neither the order of ids nor that of additions says which is which
    const [first, second] = i % 2 ? [original, edited] : [edited, original];
    await add(`${i} a`, first);
    await add(`${i} b`, second);
    expected.set(`${i} a`, { keep: i % 2 ? `${i} a` : `${i} b`, reason });
  }
  await ask('review', 'StartReview');
  while ((await ask('review', 'GetReview')).review.state === 'running') await pause(20);
  const { groups } = await ask('review', 'ListGroups');
  const found = groups.map(({ images, keep, reason }: any) => [images[0].id, { keep, reason }]);
  assert.deepEqual(new Map(found), expected);
});

test('two photographs under one caption are no copies of one another', async () => {
  const caption = Buffer.from(
    '<svg width="700" height="150"><rect width="700" height="150" fill="#fff"/><text x="20" y="100" font-size="72" font-family="sans-serif">WIDESCREEN EDITION</text></svg>',
  );
  for (const number of [9, 10]) {
    const picture = sharp(await photograph(number)).resize(700, 500, { fit: 'cover' });
    await add(
      `captioned ${number}`,
      await picture
        .composite([{ input: caption, left: 0, top: 350 }])
        .jpeg()
        .toBuffer(),
    );
  }
  await ask('review', 'StartReview');
  while ((await ask('review', 'GetReview')).review.state === 'running') await pause(20);
  const { groups } = await ask('review', 'ListGroups');
  assert.equal(
    groups.some(({ images }: any) => images[0].id.startsWith('captioned')),
    false,
  );
});
