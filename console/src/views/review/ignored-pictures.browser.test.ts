import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import {
  browser,
  inBrowser,
  onStage,
  page,
  photograph,
  samplePath,
  scratch,
  signInTo,
  stage,
  violations,
} from '../../browser.test.kit.ts';

// What never matches: a banner that is ignored, and a wrong result that is judged.

onStage();

inBrowser('a banner is ignored in the page, and a search then leaves out what matches only by it', async () => {
  const key = stage.key('media-matching');
  const banner = await sharp(samplePath(22)).resize(260, 170, { fit: 'fill' }).jpeg({ quality: 90 }).toBuffer();
  const on = async (number: number, left: number): Promise<Buffer> =>
    sharp(samplePath(number))
      .composite([{ input: banner, left, top: 20 }])
      .jpeg({ quality: 90 })
      .toBuffer();
  await stage.add(key, 'harbour.jpg', { picture: await on(1, 20) });
  const [logo, query] = [join(scratch, 'banner.jpg'), join(scratch, 'query.jpg')];
  writeFileSync(logo, banner);
  writeFileSync(query, await on(3, 400));

  await signInTo(page, stage, key, '#review?queue=ignored');
  await page.getByText('Nothing is ignored').waitFor();
  await page.locator('input[type=file]').setInputFiles(logo);
  await page.getByRole('list', { name: 'Ignored pictures' }).getByText('banner.jpg').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }

  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await page.locator('input[type=file][aria-label="Choose a picture"]').setInputFiles(query);
  await page.getByText('0 pictures found').waitFor();
  await page.getByText('Pictures that match only by it are left out.').waitFor();
  assert.deepEqual(await violations(), [], 'left out');
  await page.getByRole('button', { name: 'Show them' }).click();
  await page.getByText('1 picture found').waitFor();
  await page.getByRole('button', { name: 'harbour.jpg' }).click();
  await page.getByRole('dialog').getByText('Both pictures have only a picture of the ignore list in common.').waitFor();
  assert.deepEqual(await violations(), [], 'listed');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'ignore list' }).click();
  await page.getByRole('button', { name: 'Ignore banner.jpg no longer' }).click();
  await page.getByText('Nothing is ignored').waitFor();
  assert.deepEqual(browser.faults, []);
});

inBrowser('a wrong result of an uploaded picture is marked in its dialog, and judged in the review', async () => {
  const key = stage.key('media-matching');
  await stage.add(key, 'bridge.jpg', { picture: await photograph(5) });
  await signInTo(page, stage, key, '#search');
  await page.locator('input[type=file]').setInputFiles(samplePath(5));
  await page.getByRole('button', { name: 'bridge.jpg' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText(/Found 1 time \(1 Clone\)/).waitFor();
  await dialog.getByRole('button', { name: 'This is wrong' }).click();
  await dialog.getByRole('link', { name: 'Review' }).click();
  await page.getByText('1 group left').waitFor();
  await page.getByText('The picture of the search').waitFor();
  assert.deepEqual(await violations(), [], 'a wrong result');
  await page.keyboard.press('n');
  await page.getByText('No result was marked as wrong').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('heading', { name: 'Found most often' }).waitFor();
  assert.deepEqual(await violations(), [], 'home');
  assert.deepEqual(browser.faults, []);
});
