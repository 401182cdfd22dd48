import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeDefinitions } from '@sosia/engine';
import type { ApplicationType } from '@sosia/engine';
import {
  browser,
  filled,
  inBrowser,
  onStage,
  page,
  photograph,
  samplePath,
  scratch,
  signInTo,
  stage,
  violations,
} from './browser.test.kit.ts';

// Each view in a real browser with the real service.

onStage();

inBrowser('a pasted picture is searched for; one that this browser cannot show is named', async () => {
  const key = await filled('media-matching', [7]);
  await signInTo(page, stage, key);
  const paste = (base64: string, name: string, type: string) =>
    page.evaluate(
      ([base64, name, type]) => {
        const clipboardData = new DataTransfer();
        const content = Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0));
        clipboardData.items.add(new File([content], name!, { type: type! }));
        document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true }));
      },
      [base64, name, type],
    );
  await paste((await photograph(7)).toString('base64'), 'screenshot.png', 'image/png');
  await page.getByText('1 picture found').waitFor();
  await page.getByAltText('The query, screenshot.png').waitFor();

  const { default: sharp } = await import('sharp');
  const tiff = await sharp(await photograph(7))
    .tiff()
    .toBuffer();
  const again = page.waitForResponse(/SearchImageByUpload/);
  await paste(tiff.toString('base64'), 'scan.tiff', 'image/tiff');
  await page.getByText('scan.tiff, which this browser cannot show').waitFor();
  await again;
  await page.getByText('1 picture found').waitFor();
});

inBrowser('colours are mixed and searched for, and taken from the palette and from a picture', async () => {
  const key = await filled('color-similarity', [1, 3, 20, 23]);
  await signInTo(page, stage, key);
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Colours' }).click();
  const request = page.waitForRequest(/SearchImageByColors/);
  await page.getByLabel('Colour 1', { exact: true }).fill('#aa2211');
  await request;
  await page.getByRole('button', { name: 'Another colour' }).click();
  await page.getByText('4 pictures found').waitFor();
  await page.getByText('This request as a curl line').click();
  await page.getByText(/colors=aa2211@60.*colors=c8553d@20/s).waitFor();
  const { images } = await stage.query('SearchImageByColors', {
    application_key: key,
    colors: ['aa2211@60', 'c8553d@20'] as never,
  });
  const first = page.getByRole('list', { name: 'Results, best first' }).getByRole('listitem').first();
  assert.match(await first.innerText(), new RegExp(images[0].id.replace(/[/.]/g, '\\$&')));

  await page.locator('input[type=file]').first().setInputFiles(samplePath(20));
  await page.getByLabel('Colour 3', { exact: true }).waitFor();

  await page.getByRole('link', { name: 'Palette' }).click();
  const swatch = page.getByRole('list', { name: 'Colours, the most frequent first' }).getByRole('button').first();
  const rgb = await swatch.locator('code').innerText();
  await swatch.click();
  await page.getByRole('link', { name: 'Search for it' }).click();
  await page.getByLabel('Colour 1', { exact: true }).waitFor();
  assert.equal(await page.getByLabel('Colour 1', { exact: true }).inputValue(), `#${rgb}`);
});

inBrowser('the slider from shape to colour changes the order as in the service', async () => {
  const key = await filled('image-similarity', [1, 3, 20, 22, 23]);
  await signInTo(page, stage, key, '#search?id=kodim%2F23.jpg');
  for (const weight of ['0', '100']) {
    await page.getByLabel('From shape to colour').fill(weight);
    const values = { application_key: key, image_id: 'kodim/23.jpg', color_weight: weight };
    const { images } = await stage.query('SearchImageById', values);
    const [itself, ...others] = images.map(({ id }: { id: string }) => id);
    assert.equal(itself, 'kodim/23.jpg');
    const ids = others.join();
    await page.waitForFunction(
      (ids) => [...document.querySelectorAll('.outcome .card-id')].map((each) => each.textContent).join() === ids,
      ids,
    );
  }
});

/** A file of photograph 3 with a dark box. */
async function changedPicture(): Promise<string> {
  const { default: sharp } = await import('sharp');
  const patch = { create: { width: 60, height: 40, channels: 3, background: '#222' } } as const;
  const changed = join(scratch, 'changed.jpg');
  await sharp(await photograph(3))
    .composite([{ input: patch, left: 300, top: 250 }])
    .jpeg()
    .toFile(changed);
  return changed;
}

inBrowser('two pictures are compared, the difference is listed, and a slider goes from one to the other', async () => {
  const changed = await changedPicture();
  await signInTo(page, stage, stage.key('media-matching'), '#compare');
  await page.locator('input[type=file]').nth(0).setInputFiles(samplePath(3));
  await page.locator('input[type=file]').nth(1).setInputFiles(changed);
  await page.getByText(/^1 difference/).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  await page.getByLabel('Reference up to').fill('25');
  assert.match((await page.locator('.overlaid').getAttribute('style'))!, /inset\(0px 75% 0px 0px\)/);
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth),
  );
  await page.locator('.stage').scrollIntoViewIfNeeded();
  const stage_ = (await page.locator('.stage').boundingBox())!;
  await page.mouse.move(stage_.x + 10, stage_.y + 10);
  await page.mouse.down();
  await page.mouse.move(stage_.x + stage_.width * 0.9, stage_.y + 20, { steps: 4 });
  await page.mouse.up();
  assert.ok(Number(await page.getByLabel('Reference up to').inputValue()) > 85);
});

inBrowser('a match is compared with its thumbnail, without another upload', async () => {
  const key = await filled('media-matching', [3]);
  await signInTo(page, stage, key, '#search');
  await page
    .locator('input[type=file]')
    .first()
    .setInputFiles(await changedPicture());
  await page.getByRole('listitem').getByRole('button', { name: 'kodim/3.jpg' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Differences' }).click();
  await dialog.getByText(/^1 difference\. This is coarse/).waitFor();
  await dialog.locator('.stage .overlaid').waitFor();
  assert.deepEqual(await violations(), []);
  await page.keyboard.press('Escape');

  await stage.add(key, 'copy.jpg', { picture: await photograph(3) });
  await page.goto(`${stage.address}#search?id=copy.jpg`);
  await page.reload();
  await page.getByRole('listitem').getByRole('button', { name: 'kodim/3.jpg' }).click();
  await dialog.getByRole('button', { name: 'Differences' }).click();
  await dialog.getByText(/^No differences\. This is coarse/).waitFor();
  await page.keyboard.press('Escape');
});

inBrowser('a part of a picture is compared with the whole: the common part is aligned', async () => {
  const { default: sharp } = await import('sharp');
  const part = join(scratch, 'part.png');
  const [left, top, width, height] = [100, 60, 400, 300];
  await sharp(await photograph(3))
    .extract({ left, top, width, height })
    .png()
    .toFile(part);
  await signInTo(page, stage, stage.key('media-matching'), '#compare');
  await page.locator('input[type=file]').nth(0).setInputFiles(samplePath(3));
  await page.locator('input[type=file]').nth(1).setInputFiles(part);
  await page.getByText(/^No differences/).waitFor();
  const places = await page.locator('.stage').evaluate((stage) => {
    const of = (element: Element) => element.getBoundingClientRect();
    const [under, over] = [of(stage.querySelector(':scope > img')!), of(stage.querySelector('.overlaid img')!)];
    return { x: over.x - under.x, y: over.y - under.y, scale: under.width };
  });
  const scale = places.scale / width;
  const off = [places.x / scale + left, places.y / scale + top];
  assert.ok(Math.max(...off.map(Math.abs)) < 2, `${off} pixels off`);
});

inBrowser('a filter scores pictures and has no view that does not apply', async () => {
  await signInTo(page, stage, stage.key('filter'));
  assert.deepEqual(await page.getByRole('navigation').getByRole('link').allInnerTexts(), [
    'Home',
    'Classify',
    'Status',
    'Administration',
    'Try it',
  ]);
  await page.locator('input[type=file]').first().setInputFiles(samplePath(3));
  const bars = page.getByRole('list').filter({ hasText: 'photograph' }).getByRole('listitem');
  await bars.first().waitFor();
  assert.match((await bars.allInnerTexts()).join('|'), /photograph\s+-?\d\.\d{3}/);
});

inBrowser('the status shows refused requests apart from failures', async () => {
  const key = await filled('media-matching', [1]);
  await stage.query('SearchImageById', { application_key: key, image_id: 'unknown' });
  await signInTo(page, stage, key, '#status');
  await page.getByRole('region', { name: 'Refused requests' }).getByText('Unknown image id: unknown').waitFor();
  assert.equal(await page.getByRole('region', { name: 'Failures of the service' }).count(), 0);
  assert.match(await page.locator('.facts').innerText(), /Pictures\s+1\b/);
});

inBrowser('of a thousand results only the visible ones are in the page, and End leads to the last', async () => {
  const key = stage.key('media-matching', { nbResults: 1000 });
  await stage.add(key, '0000', { picture: await photograph(1), keywords: ['many'] });
  const { dna } = (await stage.modify('GetDnaById', { application_key: key, image_id: '0000' })).dna;
  const numbers = Array.from({ length: 999 }, (_, i) => String(i + 1).padStart(4, '0'));
  for (let i = 0; i < numbers.length; i += 50) {
    await Promise.all(numbers.slice(i, i + 50).map((id) => stage.add(key, id, { dna, keywords: ['many'] })));
  }
  await signInTo(page, stage, key, '#search?id=0000');
  await page.getByText('999 pictures found').waitFor();
  const results = page.getByRole('list', { name: 'Results, best first' });
  const held: number[] = [];
  for (const part of [0, 0.3, 0.6, 1]) {
    await page.evaluate((part) => scrollTo(0, part * document.body.scrollHeight), part);
    await page.evaluate(() => new Promise((resolve) => requestAnimationFrame(() => requestAnimationFrame(resolve))));
    held.push(await results.getByRole('listitem').count());
  }
  assert.ok(
    held.every((count) => count > 0 && count < 80),
    held.join(),
  );
  await results.getByRole('listitem').first().getByRole('button').focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement?.textContent.includes('0999'));
});

inBrowser('results after the first page are fetched on request, until there are no more', async () => {
  const key = stage.key('media-matching');
  await stage.add(key, '00', { picture: await photograph(2) });
  const { dna } = (await stage.modify('GetDnaById', { application_key: key, image_id: '00' })).dna;
  for (let i = 1; i < 23; i++) await stage.add(key, String(i).padStart(2, '0'), { dna });
  await signInTo(page, stage, key, '#search?id=00');
  await page.getByText('22 pictures found, the first 9 shown').waitFor();
  await page.getByRole('button', { name: 'Show 10 more' }).click();
  await page.getByText('22 pictures found, the first 19 shown').waitFor();
  await page.getByRole('button', { name: 'Show 3 more' }).click();
  await page.getByText('22 pictures found', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Show/ }).waitFor({ state: 'detached' });
  const results = page.getByRole('list', { name: 'Results, best first' });
  await results.getByRole('button').first().focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement?.textContent.includes('22'));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('22 of 22').waitFor();
});

inBrowser('copies of one picture are one card, whose dialog steps through them', async () => {
  const key = stage.key('media-matching');
  await stage.add(key, '00', { picture: await photograph(2) });
  const { dna } = (await stage.modify('GetDnaById', { application_key: key, image_id: '00' })).dna;
  for (let i = 1; i < 5; i++) await stage.add(key, `0${i}`, { dna });
  await signInTo(page, stage, key, '#search?id=00');
  await page.getByText('4 pictures found').waitFor();
  await page.getByLabel('Fold copies').check();
  await page.getByText('5 pictures found').waitFor();
  const cards = page.getByRole('list', { name: 'Results, best first' }).getByRole('listitem');
  assert.equal(await cards.count(), 1);
  await cards.getByText('and 4 more').click();
  await page.getByRole('dialog').getByText('1 of 5').waitFor();
  await page.keyboard.press('ArrowRight');
  await page.getByRole('dialog').getByText('2 of 5').waitFor();
});

for (const scheme of ['light', 'dark'] as const) {
  inBrowser(`nothing in any view is against the rules of accessibility, ${scheme}`, async () => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await page.goto(stage.address);
    await page.getByLabel('Key', { exact: true }).fill('unknown');
    await page.keyboard.press('Enter');
    await page.getByRole('alert').waitFor();
    assert.deepEqual(await violations(), [], 'sign in');

    const key = await filled('color-similarity', [3, 23]);
    await stage.query('SearchImageById', { application_key: key, image_id: 'unknown' });
    await signInTo(page, stage, key);
    await page.getByText('Recent searches').waitFor();
    assert.deepEqual(await violations(), [], 'home');
    for (const [view, there, answered] of [
      ['search?id=kodim%2F23.jpg', '1 picture found', 'SearchImageById'],
      ['search?colors=aa2211', '2 pictures found', 'SearchImageByColors'],
      ['pictures', '2 pictures', 'ListImages'],
      ['add', 'No files yet', 'AddImage'],
      ['palette', /^\d+ colours$/, 'GetPalette'],
      ['status', 'Unknown image id: unknown', 'GetApplicationStatus'],
    ] as const) {
      await page.evaluate((hash) => (location.hash = hash), view);
      await page.locator('.curl pre').filter({ hasText: answered }).waitFor({ state: 'attached' }); // not the previous view
      await page.getByText(there).first().waitFor();
      assert.deepEqual(await violations(), [], view);
    }
    const media = await filled('media-matching', [3]);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await signInTo(page, stage, media);
    await page.locator('input[type=file]').first().setInputFiles(samplePath(3));
    await page.getByRole('listitem').getByRole('button', { name: 'kodim/3.jpg' }).click();
    await page.getByRole('button', { name: 'Why?' }).click();
    await page.getByRole('button', { name: /correspondences/ }).waitFor();
    assert.deepEqual(await violations(), [], 'match');
    await page.getByRole('button', { name: 'Overlay' }).click();
    assert.deepEqual(await violations(), [], 'overlay');
    assert.deepEqual(browser.faults, []);
  });
}

for (const scheme of ['light', 'dark'] as const) {
  inBrowser(`nothing in Classify is against the rules of accessibility, ${scheme}`, async () => {
    await page.emulateMedia({ colorScheme: scheme, reducedMotion: 'reduce' });
    await signInTo(page, stage, stage.key('filter'), '#filter');
    await page.getByText('Which profiles fit?').waitFor();
    assert.deepEqual(await violations(), [], 'no picture yet');
    await page.locator('input[type=file]').first().setInputFiles(samplePath(3));
    await page.getByRole('list').filter({ hasText: 'photograph' }).getByRole('listitem').nth(1).waitFor();
    assert.deepEqual(await violations(), [], 'scores');
    const notes = join(scratch, 'notes.jpg');
    writeFileSync(notes, 'no picture');
    await page.locator('input[type=file]').first().setInputFiles(notes);
    await page.getByRole('alert').filter({ hasText: 'Not a picture' }).waitFor();
    assert.deepEqual(await violations(), [], 'no picture at all');
    assert.deepEqual(browser.faults, []);
  });
}

inBrowser('every type has the views that apply to it', async () => {
  for (const type of Object.keys(typeDefinitions) as ApplicationType[]) {
    await page.goto('about:blank'); // since a page that lost its session loads by itself
    await page.context().clearCookies();
    await signInTo(page, stage, stage.key(type));
    const views = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    const { references, colors, fineComparison, profiles } = typeDefinitions[type].traits;
    assert.equal(views.includes('Search'), references, type);
    assert.equal(views.includes('Palette'), colors, type);
    assert.equal(views.includes('Compare'), fineComparison, type);
    assert.equal(views.includes('Classify'), profiles, type);
    if (!references) continue;
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    const ways = page.getByRole('group', { name: 'Search by' });
    await ways.waitFor();
    const names = await ways.getByRole('button').allInnerTexts();
    assert.ok(names.includes('Id'), type);
  }
});
