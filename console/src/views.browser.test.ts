import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { typeDefinitions } from '@sosia/engine';
import type { ApplicationType } from '@sosia/engine';
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
} from './browser.test.kit.ts';

// Each view in a real browser with the real service.

onStage();

const cards = () => page.getByRole('list', { name: 'Pictures' }).getByRole('listitem');

async function filled(type: ApplicationType, numbers: readonly number[]): Promise<string> {
  const key = stage.key(type);
  for (const number of numbers) {
    const picture = { picture: await photograph(number), keywords: [number % 2 ? 'odd' : 'even'] };
    await stage.add(key, `kodim/${number}.jpg`, picture);
  }
  return key;
}

async function countOf(key: string): Promise<number> {
  return (await stage.query('GetApplicationStatus', { application_key: key })).nb_loaded_images;
}

inBrowser(
  'a folder is added: ids are paths, folders become keywords, a failure is shown and the rest continues',
  async () => {
    const key = stage.key('media-matching');
    const album = join(scratch, 'album');
    mkdirSync(join(album, 'sea'), { recursive: true });
    copyFileSync(samplePath(9), join(album, 'sea', 'boats.jpg'));
    copyFileSync(samplePath(3), join(album, 'hats.jpg'));
    writeFileSync(join(album, 'notes.txt'), 'no picture');

    await signInTo(page, stage, key, '#add');
    await page.getByLabel('Keywords for all of them').fill('mine');
    await page.keyboard.press('Enter');
    await page.locator('input[type=file][webkitdirectory]').setInputFiles(album);
    await page.getByText('3 of 3 done · 2 added · 1 failed').waitFor();
    await page.getByText(/^Not a picture.*\(-1010\)$/).waitFor();

    const image = async (id: string) =>
      (await stage.query('GetImageById', { application_key: key, image_id: id })).image.keywords;
    assert.deepEqual(await image('album/sea/boats.jpg'), ['mine', 'album', 'sea']);
    assert.deepEqual(await image('album/hats.jpg'), ['mine', 'album']);

    await page.locator('input[type=file]').first().setInputFiles(join(album, 'hats.jpg'));
    await page.getByText('4 of 4 done · 3 added · 1 failed').waitFor();
  },
);

inBrowser('dropped pictures are added, and an existing id is not changed', async () => {
  const key = await filled('media-matching', []);
  await stage.add(key, 'drop.jpg', { picture: await photograph(7) });
  await signInTo(page, stage, key, '#add');
  const dropped = async (name: string, number: number): Promise<void> => {
    const bytes = (await photograph(number)).toString('base64');
    const data = await page.evaluateHandle(
      ([name, base64]) => {
        const content = Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0));
        const data = new DataTransfer();
        data.items.add(new File([content], name!, { type: 'image/jpeg' }));
        return data;
      },
      [name, bytes],
    );
    await page.locator('main').dispatchEvent('drop', { dataTransfer: data }); // anywhere on the page
  };
  await dropped('drop.jpg', 8);
  await dropped('other.jpg', 9);
  await page.getByText('2 of 2 done · 1 added · 1 already in').waitFor();
  assert.equal(await countOf(key), 2);
});

inBrowser('pictures are listed by id, filtered by keywords, deleted with time to undo, and by keyboard', async () => {
  const key = await filled('media-matching', [1, 2, 3, 4]);
  await signInTo(page, stage, key, '#pictures');
  await page.getByText('4 pictures').waitFor();
  assert.deepEqual(
    await cards().locator('.card-id').allInnerTexts(),
    [1, 2, 3, 4].map((i) => `kodim/${i}.jpg`),
  );
  await page.waitForFunction(() => [...document.images].every((each) => each.naturalWidth > 0));

  await page.getByLabel('With the keywords', { exact: true }).fill('even');
  await page.keyboard.press('Enter');
  await page.getByText('2 pictures').waitFor();
  await page.getByRole('button', { name: 'Without even' }).click();
  await page.getByText('4 pictures').waitFor();

  // in the page, so that the time to undo cannot end on a slow machine
  await page.evaluate(async () => {
    document.querySelector<HTMLElement>('[aria-label="Delete kodim/1.jpg"]')!.click();
    const undo = () => document.querySelector<HTMLElement>('.undo button');
    while (!undo()) await new Promise((resolve) => requestAnimationFrame(resolve));
    undo()!.click();
  });
  await page.getByRole('button', { name: 'Undo' }).waitFor({ state: 'hidden' });

  await cards().first().getByRole('button').first().focus();
  await page.keyboard.press('ArrowRight');
  await page.evaluate(() => addEventListener('keydown', () => performance.mark('delete'), { once: true }));
  await page.keyboard.press('Delete');
  await page.getByText('Deleted kodim/2.jpg').waitFor();
  await page.getByText('3 pictures').waitFor();
  await page.waitForFunction(() =>
    performance.getEntriesByType('resource').some(({ name }) => name.endsWith('/DeleteImage')),
  );
  const waited = await page.evaluate(() => {
    const [sent] = performance.getEntriesByType('resource').filter(({ name }) => name.endsWith('/DeleteImage'));
    return sent!.startTime - performance.getEntriesByName('delete')[0]!.startTime;
  });
  assert.ok(waited > 5000, `there were ${waited} ms to undo`);
  assert.equal(await countOf(key), 3);
  assert.equal((await stage.query('GetImageById', { application_key: key, image_id: 'kodim/1.jpg' })).status.code, 0);
});

inBrowser('pictures are selected one by one, as a range and all, and changed together', async () => {
  const key = await filled('media-matching', [1, 2, 3, 4, 5]);
  const keywordsOf = async (number: number): Promise<string[]> =>
    (await stage.query('GetImageById', { application_key: key, image_id: `kodim/${number}.jpg` })).image.keywords;
  await signInTo(page, stage, key, '#pictures');
  await page.getByText('5 pictures').waitFor();
  await page.getByLabel('Select kodim/2.jpg').click();
  await page.getByText('1 picture selected').waitFor();
  await page.getByLabel('Select kodim/4.jpg').click({ modifiers: ['Shift'] });
  await page.getByText('3 pictures selected').waitFor();
  assert.deepEqual(await violations(), []);
  await page.getByLabel('Keyword for the selected pictures').fill('print');
  await page.getByRole('button', { name: 'Add to 3' }).click();
  await cards().nth(1).getByText('even · print').waitFor();
  assert.deepEqual(await Promise.all([1, 2, 3, 4, 5].map(keywordsOf)), [
    ['odd'],
    ['even', 'print'],
    ['odd', 'print'],
    ['even', 'print'],
    ['odd'],
  ]);
  await page.getByRole('button', { name: 'Select all 5' }).click();
  await page.getByText('5 pictures selected').waitFor();
  await page.getByLabel('Keyword for the selected pictures').fill('odd');
  await page.getByRole('button', { name: 'Remove from 5' }).click();
  await page.getByRole('button', { name: 'Delete 5' }).waitFor();
  const odd = () => Promise.all([1, 3, 5].map(keywordsOf));
  for (let i = 0; i < 100 && (await odd()).flat().includes('odd'); i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await odd(), [[], ['print'], []]);

  // several change at a time, so the service knows which of them was the last
  const latest = await stage.query('ListImages', { application_key: key, order: 'latest' });
  const ids = latest.images.map(({ id }: { id: string }) => id);
  await page.getByLabel('Order').selectOption('Latest first');
  await page.waitForFunction(
    (ids) => [...document.querySelectorAll('.card-id')].map((each) => each.textContent).join() === ids.join(),
    ids,
  );
  await page.getByLabel('Order').selectOption('Id, Z to A');
  await cards().first().getByText('kodim/5.jpg').waitFor();
  await cards().first().getByRole('button').first().click();
  await page.getByRole('dialog').getByLabel('Keywords', { exact: true }).fill('boat');
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByRole('button', { name: 'Without boat' }).waitFor();
  for (let i = 0; i < 100 && (await keywordsOf(5)).length === 0; i++)
    await new Promise((resolve) => setTimeout(resolve, 50));
  assert.deepEqual(await keywordsOf(5), ['boat']);
});

inBrowser('leaving the page during the time to undo deletes the picture', async () => {
  const key = await filled('media-matching', [1]);
  await signInTo(page, stage, key, '#pictures');
  await page.getByRole('button', { name: 'Delete kodim/1.jpg' }).click({ force: true });
  await page.goto('about:blank');
  for (let i = 0; i < 600 && (await countOf(key)) > 0; i++) await new Promise((resolve) => setTimeout(resolve, 100));
  assert.equal(await countOf(key), 0);
});

inBrowser('signing out sends the waiting deletions, to the application of the deletion', async () => {
  const [mine, other] = [await filled('media-matching', [1]), await filled('media-matching', [1])];
  await signInTo(page, stage, mine, '#pictures');
  await page.getByRole('button', { name: 'Delete kodim/1.jpg' }).click({ force: true });
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key', { exact: true }).waitFor();
  await signInTo(page, stage, other, '#pictures');
  await page.getByText('1 picture', { exact: true }).waitFor();
  assert.equal(await page.getByRole('button', { name: 'Undo' }).count(), 0);
  assert.deepEqual([await countOf(mine), await countOf(other)], [0, 1]);
});

inBrowser('after a sign-in of another tab elsewhere, this tab follows and changes nothing there', async () => {
  const [mine, other] = [await filled('media-matching', [1, 2]), await filled('color-similarity', [1])];
  await signInTo(page, stage, mine, '#pictures');
  await page.getByText('2 pictures').waitFor();
  const tab = await page.context().newPage();
  await tab.goto(stage.address);
  await tab.getByRole('button', { name: 'Sign out' }).click();
  await tab.getByLabel('Key', { exact: true }).waitFor();
  await signInTo(tab, stage, other);
  await tab.close();
  await page.getByRole('link', { name: 'Search' }).click();
  await page.getByRole('button', { name: 'Keywords' }).click();
  await page.getByLabel('Keywords, all of them').fill('odd');
  await page.keyboard.press('Enter');
  await page.getByText('Color similarity').waitFor();
});

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
    const ids = images.map(({ id }: { id: string }) => id).join();
    await page.waitForFunction(
      (ids) => [...document.querySelectorAll('.results .card-id')].map((each) => each.textContent).join() === ids,
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

  await page.goto(`${stage.address}#search?id=kodim%2F3.jpg`);
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
  await page.getByText('1,000 pictures found').waitFor();
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
  await page.getByText('23 pictures found, the first 10 shown').waitFor();
  await page.getByRole('button', { name: 'Show 10 more' }).click();
  await page.getByText('23 pictures found, the first 20 shown').waitFor();
  await page.getByRole('button', { name: 'Show 3 more' }).click();
  await page.getByText('23 pictures found', { exact: true }).waitFor();
  await page.getByRole('button', { name: /^Show/ }).waitFor({ state: 'detached' });
  const results = page.getByRole('list', { name: 'Results, best first' });
  await results.getByRole('button').first().focus();
  await page.keyboard.press('End');
  await page.waitForFunction(() => document.activeElement?.textContent.includes('22'));
  await page.keyboard.press('Enter');
  await page.getByRole('dialog').getByText('23 of 23').waitFor();
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
      ['search?id=kodim%2F23.jpg', '2 pictures found', 'SearchImageById'],
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
    await page.context().clearCookies();
    await signInTo(page, stage, stage.key(type));
    const views = await page.getByRole('navigation').getByRole('link').allInnerTexts();
    const { references, colors, fineComparison, profiles, symmetric } = typeDefinitions[type].traits;
    assert.equal(views.includes('Search'), references, type);
    assert.equal(views.includes('Palette'), colors, type);
    assert.equal(views.includes('Compare'), fineComparison, type);
    assert.equal(views.includes('Classify'), profiles, type);
    if (!references) continue;
    await page.getByRole('link', { name: 'Search', exact: true }).click();
    const ways = page.getByRole('group', { name: 'Search by' });
    await ways.waitFor();
    const names = await ways.getByRole('button').allInnerTexts();
    assert.equal(names.includes('Id'), symmetric, type);
  }
});
