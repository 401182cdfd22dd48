import assert from 'node:assert/strict';
import { browser, inBrowser, onStage, page, photograph, signInTo, stage, violations } from '../browser.test.kit.ts';

// What leads through the console on every view: the list of places, and ids and sizes of the pictures of a grid.

const LONG = 'posters/2019/museum/portrait of a lady, cropped.jpg';

let key: string;
onStage(async () => {
  key = stage.key('media-matching');
  await stage.add(key, LONG, { picture: await photograph(4), keywords: ['lady'] });
});

inBrowser('Ctrl+K leads to a view, a keyword and an id', async () => {
  await signInTo(page, stage, key);
  await page.keyboard.press('Control+k');
  const dialog = page.getByRole('dialog', { name: 'Go to' });
  await dialog.getByRole('link', { name: 'Compare' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  await page.keyboard.type('pict');
  await page.keyboard.press('Enter');
  await page.getByRole('heading', { name: 'Pictures', level: 1 }).waitFor();
  assert.equal(await dialog.count(), 0);
  await page.keyboard.press('Control+k');
  await page.keyboard.type('lady');
  await page.keyboard.press('ArrowDown');
  await page.keyboard.press('Enter');
  await page.getByText('1 picture found').waitFor();
  assert.deepEqual(browser.faults, []);
});

inBrowser('on a phone the list has the views that the bar has no place for', async () => {
  await page.setViewportSize({ width: 390, height: 844 });
  await signInTo(page, stage, key);
  assert.equal(await page.getByRole('link', { name: 'Status' }).count(), 0);
  await page.getByRole('button', { name: 'More' }).click();
  await page.getByRole('link', { name: 'Status' }).click();
  await page.getByText('Memory of the index').waitFor();
  assert.deepEqual(await violations(), []);
  assert.equal(await page.evaluate(() => document.documentElement.scrollWidth > innerWidth), false);
  await page.setViewportSize({ width: 1280, height: 800 });
});

inBrowser('a long id keeps its end and its whole name, and the size of pictures outlives a reload', async () => {
  await signInTo(page, stage, key, '#pictures');
  const card = page.getByRole('listitem').getByRole('button', { name: LONG }).first();
  await card.waitFor();
  const seen = await card.locator('.card-id > [aria-hidden]').allInnerTexts();
  assert.equal(seen.join(''), LONG);
  const end = (await card.locator('.card-id > [aria-hidden]').last().boundingBox())!;
  const whole = (await card.boundingBox())!;
  assert.ok(end.x + end.width <= whole.x + whole.width + 1, 'the end is inside its card');
  const slider = page.getByRole('slider', { name: 'Size of the pictures' });
  await slider.fill('320');
  await page.reload();
  await card.waitFor();
  assert.equal(await slider.inputValue(), '320');
  assert.ok((await card.boundingBox())!.height > whole.height + 80);
});
