import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { applicationTypes } from '@sosia/engine';
import { editedFolder, goldenFolder, samplesFolder } from '@sosia/fixtures';
import sharp from 'sharp';
import { errors } from '../errors.ts';
import { photograph, type Service, startService } from '../service.test.kit.ts';

/** `python3 -m venv node_modules/.cache/pdq && node_modules/.cache/pdq/bin/pip install threatexchange` installs the peer. */
const python = fileURLToPath(new URL('../../../node_modules/.cache/pdq/bin/python', import.meta.url));
const peer = `
import sys
from threatexchange.signal_type.pdq.pdq_hasher import pdq_from_file
for path in sys.argv[1:]: print(*pdq_from_file(path), path, sep=',')`;
const folders = { samples: samplesFolder, edited: editedFolder };

let service: Service;
let key: string;
const home = mkdtempSync(join(tmpdir(), 'sosia-pdq-'));
before(async () => {
  service = await startService();
  key = service.application('media-matching');
});
after(async () => {
  await service.close();
  rmSync(home, { recursive: true });
});

async function hashed(content: Uint8Array): Promise<{ readonly pdq: string; readonly quality: number }> {
  const { status, ...rest } = await service.query('GetPdq', { application_key: key, image_content: content });
  assert.equal(status.code, 0);
  return rest as { pdq: string; quality: number };
}

/** Compares with lines of the hash, the quality and the picture. */
async function assertAgrees(lines: string, read: (name: string) => Uint8Array): Promise<void> {
  for (const line of lines.trim().split('\n')) {
    const [expected, quality, name] = line.split(',') as [string, string, string];
    const found = await hashed(read(name));
    assert.ok(distance(found.pdq, expected) <= 4, `${name}: ${found.pdq}, expected ${expected}`);
    assert.ok(Math.abs(found.quality - Number(quality)) <= 1, `${name}: quality ${found.quality}, expected ${quality}`);
  }
}

function distance(one: string, two: string): number {
  const differing = (BigInt(`0x${one}`) ^ BigInt(`0x${two}`)).toString(2);
  return differing.replaceAll('0', '').length;
}

test('28 pictures have the hashes that pdqhash 0.2.8 computed', async () => {
  const lines = readFileSync(join(goldenFolder, 'pdq/pdqhash-0.2.8.csv'), 'utf8');
  await assertAgrees(lines, (name) => {
    const [folder, file] = name.split('/') as ['samples' | 'edited', string];
    return readFileSync(join(folders[folder], file));
  });
});

test(
  'pictures of every size, blurred and dark ones have the hash and the quality of threatexchange',
  { skip: !existsSync(python) && `threatexchange is not installed in ${python}` },
  async () => {
    const paths: string[] = [];
    const picture = await photograph(7);
    for (const [width, height] of [
      [16, 24],
      [64, 64],
      [63, 200],
      [640, 480],
      [2048, 1365],
    ] as const)
      for (const [sigma, light] of [
        [0.3, 1],
        [15, 0.3],
      ] as const) {
        const edited = sharp(picture).resize(width, height, { fit: 'fill' }).blur(sigma).linear(light);
        const path = join(home, `${width}-${height}-${sigma}.png`);
        writeFileSync(path, await edited.png().toBuffer());
        paths.push(path);
      }
    const lines = execFileSync(python, ['-c', peer, ...paths], { encoding: 'utf8' });
    assert.ok(lines.split('\n').some((line) => Number(line.split(',')[1]) < 50));
    await assertAgrees(lines, (path) => readFileSync(path));
  },
);

test('an even picture has quality 0', async () => {
  const even = { create: { width: 90, height: 90, channels: 3, background: 'teal' } } as const;
  assert.equal((await hashed(await sharp(even).png().toBuffer())).quality, 0);
});

test('applications of every type answer the same, and no picture is a refusal', async () => {
  const image_content = await photograph(2);
  const expected = await service.query('GetPdq', { application_key: key, image_content });
  for (const type of applicationTypes)
    assert.deepEqual(
      await service.query('GetPdq', { application_key: service.application(type), image_content }),
      expected,
    );
  const { status, ...rest } = await service.query('GetPdq', {
    application_key: key,
    image_content: Buffer.from('no picture'),
  });
  assert.equal(status.code, errors.NOT_A_PICTURE.code);
  assert.deepEqual(rest, { pdq: '', quality: 0 });
});
