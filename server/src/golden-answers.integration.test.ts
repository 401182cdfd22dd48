import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { applicationTypes, type ApplicationType } from '@sosia/engine';
import { goldenFolder, pictureNames, readPicture, type Pixels } from '@sosia/fixtures';
import sharp from 'sharp';
import type { Family } from '@sosia/contract';
import { operations } from './operations/operations.ts';
import { formOf, startService, type Service, type Values } from './service.test.kit.ts';

/** If 1, the files are rewritten instead of compared, for intended changes of an answer. */
const refresh = process.env['UPDATE_GOLDEN'] === '1';
const folder = join(goldenFolder, 'answers');

/** DNA and JPEG as base64: long ones are recorded as their SHA-256. */
const longBase64 = /"[A-Za-z0-9+/=]{400,}"/g;

const pixels = pictureNames.map(readPicture);
let files: Record<string, Uint8Array>;
let service: Service;
before(async () => {
  service = await startService();
  const [first, , third, , , last] = pixels as [Pixels, Pixels, Pixels, Pixels, Pixels, Pixels];
  files = {
    cropped: await png(cropped(first, 60, 40, 300, 220)),
    mirrored: await png(mirrored(third)),
    pasted: await png(pasted(cropped(last, 0, 0, 200, 150), first, 90, 70)),
    flat: await png({ width: 64, height: 64, rgb: new Uint8Array(3 * 64 * 64).fill(90) }),
  };
  for (const [i, name] of pictureNames.entries()) files[name] = await png(pixels[i]!);
});
after(() => service.close());

for (const type of applicationTypes) {
  test(`${type}: every operation answers the recorded bytes`, async () => {
    const answers = Object.fromEntries(await record(type));
    const path = join(folder, `${type}.json`);
    if (refresh) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, `${JSON.stringify(answers, null, 2)}\n`);
    }
    assert.ok(existsSync(path), `${path} is missing; UPDATE_GOLDEN=1 writes it`);
    assert.deepEqual(answers, JSON.parse(readFileSync(path, 'utf8')));
    const requested = new Set(Object.keys(answers).map((what) => what.split(' ')[0]));
    assert.deepEqual(
      operations.filter(({ name }) => !requested.has(name)).map(({ name }) => name),
      [],
    );
  });
}

/** The body of each answer, in the order of the requests. */
async function record(type: ApplicationType): Promise<[request: string, body: string][]> {
  const key = service.application(type);
  const answers: [string, string][] = [];
  let latest = '';

  async function ask(family: Family, operation: string, values: Values, what = ''): Promise<void> {
    const port = family === 'enginemodify' ? service.modifyPort : service.queryPort;
    const url = `http://127.0.0.1:${port}/api/v2.0/${family}/json/${operation}`;
    const body = formOf({ application_key: key, ...values });
    latest = await (await fetch(url, { method: 'POST', body })).text();
    answers.push([`${operation} ${what}`.trim(), shortened(latest)]);
  }
  const modify = (operation: string, values: Values = {}, what?: string) =>
    ask('enginemodify', operation, values, what);
  const query = (operation: string, values: Values = {}, what?: string) => ask('enginequery', operation, values, what);

  for (const [i, name] of pictureNames.entries()) {
    const keywords = [i % 2 ? 'odd' : 'even', 'all'];
    await modify('AddImage', { image_id: name, image_content: files[name]!, keywords }, name);
  }
  await modify('AddImage', { image_id: 'copy é', image_content: files[pictureNames[0]]! }, 'the same picture again');
  await modify('AddImage', { image_id: pictureNames[0], image_content: files['cropped']! }, 'an id that exists');
  await modify('AddImage', { image_id: 'flat', image_content: files['flat']! }, 'a flat picture');
  await modify('AddImage', { image_id: 'damaged', image_content: files['cropped']!.subarray(0, 999) }, 'half a file');
  await modify('AddImage', { image_id: 'text', image_content: Buffer.from('no picture at all') }, 'no picture');
  await modify('AddImage', { image_id: 'a', keywords: ['x*'], image_content: files['cropped']! }, 'a bad keyword');
  await modify('AddImage', { image_id: 'none' }, 'nothing');
  await modify('GetDnaById', { image_id: pictureNames[2] });
  const dna = (JSON.parse(latest) as { dna?: { dna: string } }).dna?.dna ?? 'AAAA';
  await modify('AddImage', { image_id: 'by dna', dna }, 'by DNA');
  await modify('AddImage', { image_id: 'bad dna', dna: 'AAAA' }, 'bad DNA');
  await modify('GetDnaById', { image_id: 'unknown' }, 'of an unknown id');

  for (const file of [...pictureNames, 'cropped', 'mirrored', 'pasted', 'flat']) {
    await query('SearchImageByUpload', { image_content: files[file]! }, file);
  }
  const page = { image_content: files['cropped']!, nb_results: 2, starting_index: 1 };
  await query('SearchImageByUpload', page, 'a page');
  await query('SearchImageByUpload', { ...page, keywords: ['even'] }, 'with keywords');
  await query('SearchImageByUpload', { ...page, color_weight: 0, starting_index: 0 }, 'by shape alone');
  await query('SearchImageByUpload', { ...page, starting_index: 0, ids_list: 'kodim03;copy é;unknown' }, 'among ids');
  await query('SearchImageByUpload', { image_content: files['pasted']!, explain: 1 }, 'explained');
  await query('SearchImageByUpload', { image_content: files['cropped']!, explain: 1, ids_list: 'kodim19' }, 'why not');
  await query('SearchImageByUpload', { ...page, nb_results: 1001 }, 'too many results');
  await query('SearchImageByDna', { dna });
  await query('SearchImageByDna', { dna: 'AAAA' }, 'bad DNA');
  await query('SearchImageById', { image_id: pictureNames[0] });
  await query('SearchImageById', { image_id: 'unknown' }, 'unknown');
  await query('SearchImageByKeywords', { keywords: ['all', 'odd'] });
  await query('SearchImageByColors', { colors: ['0a3d62@40', 'ffffff'] });
  await query('SearchImageByColors', { colors: ['nothing'] }, 'no colour');
  await query('GetImageColorsById', { image_id: pictureNames[1] });
  await query('GetImageColorsByUpload', { image_content: files['cropped']! });
  await query('GetDnaByUpload', { image_content: files['cropped']! });
  await query('GetDnaByUpload', { image_content: files['cropped']!, side: 'query' }, 'as a query');
  await query('GetPdq', { image_content: files['cropped']! });
  await query('GetPalette');
  await query('GetPalette', { nb_colors: 3, keywords: ['even'], colors: ['808080'] }, 'of some');
  const pair = { reference_image: files['kodim03']!, query_image: files['cropped']! };
  await query('FineComparison', pair);
  await query('FineComparison', { ...pair, query_image: files['kodim19']! }, 'of two pictures');
  await query('Filter', { query_image: files['kodim05']! });
  await modify('ListImages', { nb_results: 3, after: 'copy é' });
  await query('GetImageById', { image_id: pictureNames[0] });
  await query('GetImageById', { image_id: 'unknown' }, 'unknown');
  await modify('DeleteImage', { image_id: pictureNames[0] });
  await modify('DeleteImage', { image_id: pictureNames[0] }, 'again');
  await query('SearchImageByUpload', { image_content: files['cropped']! }, 'after a deletion');
  await modify('SetKeywords', { image_id: pictureNames[1], keywords: ['new'] });
  await modify('SetKeywords', { image_id: 'unknown' }, 'of an unknown id');
  await modify('SetMetadata', { image_id: pictureNames[1], metadata: '{"year": 2026, "by": {"agency": "é"}}' });
  await query('ListImages', { where: ['year>=2026', 'by.agency=é'] }, 'by metadata');
  await modify('GetApplicationStatus');
  await query('GetApplicationStatus', {}, 'of the query family');
  await query('GetApplicationStatus', { application_key: 'unknown' }, 'with a wrong key');
  return answers;
}

function shortened(body: string): string {
  return body.replace(longBase64, (text) => `"${createHash('sha256').update(text).digest('hex')}"`);
}

function png({ width, height, rgb }: Pixels): Promise<Uint8Array> {
  return sharp(rgb, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
}

function cropped({ width, rgb }: Pixels, left: number, top: number, w: number, h: number): Pixels {
  const cut = new Uint8Array(3 * w * h);
  for (let y = 0; y < h; y++) {
    const from = 3 * ((top + y) * width + left);
    cut.set(rgb.subarray(from, from + 3 * w), 3 * y * w);
  }
  return { width: w, height: h, rgb: cut };
}

function mirrored({ width, height, rgb }: Pixels): Pixels {
  const rotated = new Uint8Array(rgb.length);
  for (let y = 0; y < height; y++) {
    for (let x = 0; x < width; x++) {
      const from = 3 * (y * width + x);
      rotated.set(rgb.subarray(from, from + 3), 3 * (y * width + width - 1 - x));
    }
  }
  return { width, height, rgb: rotated };
}

function pasted(inner: Pixels, outer: Pixels, left: number, top: number): Pixels {
  const both = new Uint8Array(outer.rgb);
  for (let y = 0; y < inner.height; y++) {
    const row = inner.rgb.subarray(3 * y * inner.width, 3 * (y + 1) * inner.width);
    both.set(row, 3 * ((top + y) * outer.width + left));
  }
  return { width: outer.width, height: outer.height, rgb: both };
}
