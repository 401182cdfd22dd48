import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Answer, Task } from '@sosia/browser/protocol';
import { reduce } from '@sosia/browser/reduce';
import { typeDefinitions } from '@sosia/engine';
import type { Side } from '@sosia/engine';
import sharp from 'sharp';
import type { ApplicationType } from '@sosia/engine';
import { browser, inBrowser, onStage, page, photograph, scratch, signInTo, stage } from '../browser.test.kit.ts';

onStage();

/** The same pixels everywhere: PNG is lossless, and these are too small for a reduction. */
async function pixels(number: number) {
  const { data, info } = await sharp(await photograph(number))
    .removeAlpha()
    .raw()
    .toBuffer({ resolveWithObject: true });
  const { width, height } = info;
  const png = await sharp(data, { raw: { width, height, channels: 3 } })
    .png()
    .toBuffer();
  const rgb = new Uint8Array(data);
  return { png, picture: { width, height, rgb, originalWidth: width, originalHeight: height } };
}

/** The DNA of a file by the page's own worker, in base64. */
function describedInBrowser(png: Buffer, type: ApplicationType, side: Side): Promise<string> {
  return page.evaluate(
    async ({ content, type, side }) => {
      const bytes = Uint8Array.from(atob(content), (letter) => letter.charCodeAt(0));
      const worker = new Worker('dna.worker.js', { type: 'module' });
      const answer = await new Promise<Answer>((resolve, reject) => {
        worker.onmessage = ({ data }) => resolve(data as Answer);
        worker.onerror = ({ message }) => reject(new Error(message));
        const task: Task<ApplicationType> = { work: 'describe', picture: new Blob([bytes]), type, side };
        worker.postMessage({ number: 1, ...task });
      });
      worker.terminate();
      if (!('result' in answer)) throw new Error(answer.message);
      return btoa(Array.from(answer.result as Uint8Array, (byte) => String.fromCharCode(byte)).join(''));
    },
    { content: png.toString('base64'), type, side },
  );
}

inBrowser('the same pixels give the same DNA in the browser, in Node and in the service, bit for bit', async () => {
  await page.goto(stage.address);
  for (const type of Object.keys(typeDefinitions) as ApplicationType[]) {
    const key = stage.key(type);
    for (const number of [4, 13, 23]) {
      const { png, picture } = await pixels(number);
      for (const side of ['reference', 'query'] as const) {
        const described = typeDefinitions[type].describe(picture, side);
        typeDefinitions[type].checkDna(described, side);
        const here = Buffer.from(described).toString('base64');
        assert.equal(await describedInBrowser(png, type, side), here, `${type}, ${side}, ${number}`);
        if (type === 'filter' || side === 'query') continue;
        await stage.add(key, String(number), { picture: png });
        const { dna } = await stage.modify('GetDnaById', { application_key: key, image_id: String(number) });
        assert.equal(dna.dna, here, `${type}, ${number}, in the service`);
      }
    }
  }
});

inBrowser('a picture over 1,024 pixels is reduced by our own code, independently of the browser', async () => {
  await page.goto(stage.address);
  const [width, height] = [1800, 1200];
  const png = await sharp(await photograph(5))
    .resize(width, height)
    .png()
    .toBuffer();
  const rgba = await sharp(png).ensureAlpha().raw().toBuffer();
  const rows = (first: number, count: number) =>
    new Uint8ClampedArray(rgba.subarray(first * width * 4, (first + count) * width * 4));
  const picture = { ...reduce(width, height, rows, 1024), originalWidth: width, originalHeight: height };
  const here = Buffer.from(typeDefinitions['media-matching'].describe(picture, 'query')).toString('base64');
  assert.equal(await describedInBrowser(png, 'media-matching', 'query'), here);
});

inBrowser('with the option the picture is not sent: the search sends its DNA and finds the same', async () => {
  const key = stage.key('media-matching');
  const { png } = await pixels(5);
  const file = join(scratch, 'private.png');
  writeFileSync(file, png);
  await signInTo(page, stage, key, '#add');
  await page.getByText('Keep the pictures on this machine').click();

  const sent: Buffer[] = [];
  await page.route('**/console/api/**', async (route) => {
    sent.push(route.request().postDataBuffer() ?? Buffer.alloc(0));
    await route.continue();
  });
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByText('1 of 1 done · 1 added').waitFor();
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByText('Keep the picture on this machine').click();
  await page.locator('input[type=file]').first().setInputFiles(file);
  await page.getByRole('listitem').getByRole('button', { name: 'private.png' }).waitFor();
  await page.unroute('**/console/api/**');

  const all = Buffer.concat(sent);
  assert.ok(
    all.length > 5_000 && all.length < png.length / 4,
    `${all.length} bytes sent, the picture has ${png.length}`,
  );
  assert.equal(all.indexOf(png.subarray(0, 8)), -1);
  assert.equal(all.indexOf('image_content'), -1);
  await page.getByText('This request as a curl line').click();
  await page.getByText(/SearchImageByDna.*dna=@picture\.dna/s).waitFor();
  assert.deepEqual(browser.faults, []);
});
