import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import {
  browser,
  inBrowser,
  onStage,
  page,
  samplePath,
  scratch,
  signInTo,
  stage,
  violations,
} from '../../browser.test.kit.ts';

// Duplicates: a folder with copies hidden in it is dropped, its groups are reviewed by keyboard, and the copies removed.

onStage();

/** Pictures of the folder, and copies among them; by hand SOSIA_REVIEW=1000x60, with photographs of the corpora. */
const [pictures, copies] = (process.env['SOSIA_REVIEW'] ?? '18x5').split('x').map(Number) as [number, number];

/** Folders of different photographs. */
const corpora = [
  'photos',
  'cats_dogs/train/cats',
  'cats_dogs/train/dogs',
  'cats_dogs/test/cats',
  'cats_dogs/test/dogs',
  'styles/train/photo',
];

/** Files of different photographs: samples, or more of them from the corpora. */
function photographs(count: number): string[] {
  const files = Array.from({ length: 24 }, (_, i) => samplePath(i + 1));
  for (const folder of count > 24 ? corpora : []) {
    const path = fileURLToPath(new URL(`../../../../../shared/corpora/${folder}/`, import.meta.url));
    files.push(...readdirSync(path).map((name) => join(path, name)));
  }
  assert.ok(files.length >= count, `${files.length} photographs, expected ${count}`);
  return files.slice(0, count);
}

async function folderWithCopies(): Promise<string> {
  const album = join(scratch, 'album');
  mkdirSync(join(album, 'old'), { recursive: true });
  for (const [i, file] of photographs(pictures - copies).entries()) {
    const name = String(i).padStart(4, '0');
    copyFileSync(file, join(album, `${name}.jpg`));
    if (i >= copies) continue;
    const { width } = await sharp(file).metadata();
    const copy = await sharp(file)
      .resize(Math.round(0.6 * width))
      .jpeg({ quality: 70 })
      .toBuffer();
    writeFileSync(join(album, 'old', `${name}-small.jpg`), copy);
  }
  return album;
}

/** That of a picture and of its copy. */
const numberOf = (id: string): string => /\d{4}/.exec(id)![0];

const shownNumber = async (): Promise<string> =>
  numberOf(await page.locator('.group-image .group-id').first().innerText());

const left = () => page.locator('.review-list .count');

async function idsOf(key: string): Promise<string[]> {
  const { images } = await stage.query('ListImages', { application_key: key, nb_results: '1000' });
  return images.map(({ id }: { id: string }) => id);
}

async function untilCount(key: string, count: number): Promise<string[]> {
  for (let i = 0; i < 600; i++) {
    const ids = await idsOf(key);
    if (ids.length === count) return ids;
    await new Promise((resolve) => setTimeout(resolve, 100));
  }
  return idsOf(key);
}

inBrowser(
  'a new person drops a folder with copies, reviews the groups by keyboard, and the copies are removed',
  async (context) => {
    const album = await folderWithCopies();
    await signInTo(page, stage, stage.administratorKey);
    await page.getByLabel('Name', { exact: true }).fill('album');
    await page.getByRole('button', { name: 'Create' }).click();
    const key = await page.getByRole('status', { name: 'New key' }).locator('code').innerText();
    await page.getByRole('button', { name: 'Open album' }).click();
    await page.getByRole('heading', { name: 'Add pictures' }).waitFor();
    await page.getByRole('link', { name: 'Add', exact: true }).click();
    const dropped = performance.now();
    await page.locator('input[type=file][webkitdirectory]').setInputFiles(album);
    await page
      .getByText(`${pictures.toLocaleString('en')} of ${pictures.toLocaleString('en')} done`)
      .waitFor({ timeout: 900_000 });

    const begin = performance.now();
    await page.getByRole('link', { name: 'Review' }).click();
    await page.getByText('Find pictures that are there twice').waitFor();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await violations(), [], `before, ${colorScheme}`);
    }
    await page.getByRole('button', { name: 'Find duplicates' }).click();
    await page.getByText(/^All .* compared$/).waitFor({ timeout: 900_000 });
    await page.waitForFunction(() => {
      const [shown, known] = ['.review-list .count', '.ways .number'].map((place) =>
        parseInt(document.querySelector(place)?.textContent ?? '', 10),
      );
      return shown === known;
    });
    const groups = parseInt(await left().innerText(), 10);
    if (pictures <= 24) assert.equal(groups, copies);
    const found = performance.now();
    for (const colorScheme of ['light', 'dark'] as const) {
      await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
      assert.deepEqual(await violations(), [], `groups, ${colorScheme}`);
    }

    // a closer look
    await page.keyboard.press('c');
    const dialog = page.getByRole('dialog');
    await dialog.getByText('The second picture lies aligned on the first.').waitFor();
    assert.deepEqual(await violations(), [], 'overlay');
    await page.keyboard.press('f');
    await page.locator('.closer.is-flicker.is-below').waitFor();
    await page.keyboard.press('d');
    await dialog.getByText('Black where both agree').waitFor();
    assert.deepEqual(await violations(), [], 'difference');
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });

    // the proposed one is the larger original; keep it, and take that back
    const one = await shownNumber();
    const kept = page.locator('.group-image.is-kept');
    assert.match(await kept.innerText(), new RegExp(`^Keep\\s+1\\s+album/${one}\\.jpg`));
    await page.keyboard.press('k');
    await page.getByText('Removed 1 picture.').waitFor();
    assert.equal(await left().innerText(), `${groups - 1} groups left`);
    await untilCount(key, pictures - 1);
    await page.keyboard.press('u');
    await page.getByText(`${groups} groups left`).waitFor();
    const { keywords } = (
      await stage.query('GetImageById', { application_key: key, image_id: `album/old/${one}-small.jpg` })
    ).image;
    assert.deepEqual(keywords, ['album', 'old'], 'the undo restores the keywords too');

    // one group keeps the copy, one is not the same, the others keep what is proposed
    await page.keyboard.press('2');
    await kept.getByText(`album/old/${one}-small.jpg`).waitFor();
    await page.keyboard.press('k');
    await page.getByText(`${groups - 1} groups left`).waitFor();
    const other = await shownNumber();
    await page.keyboard.press('n');
    await page.getByText('Marked as not the same').waitFor();
    await page.getByText(`${groups - 2} groups left`).waitFor();
    await page.keyboard.press('ArrowDown');
    await page.locator('.group-list li:nth-child(2) [aria-current]').waitFor();
    const copiesKept = [one, other];
    for (let remaining = groups - 3; remaining >= 0; remaining--) {
      // pictures that were not made as copies may match as well, such as two of one face
      const ids = await page.locator('.group-image .group-id').allInnerTexts();
      const [first, ...others] = ids.map(numberOf);
      const same = others.every((each) => each === first);
      if (!same || (await kept.locator('.group-id').innerText()).includes('small')) copiesKept.push(first!);
      await page.keyboard.press(same ? 'k' : 'n');
      await page.waitForFunction(
        ([count, before]) => {
          const shown = Array.from(
            document.querySelectorAll('.group-image .group-id'),
            ({ textContent }) => textContent,
          );
          return (
            (document.querySelector('.review-list .count')?.textContent ?? '') === count && shown.join() !== before
          );
        },
        [remaining === 0 ? '' : `${remaining} ${remaining === 1 ? 'group' : 'groups'} left`, ids.join()],
      );
    }
    await page.getByText('No duplicates to review').waitFor();
    const seconds = (from: number, to = performance.now()): string => `${Math.round((to - from) / 1000)} s`;
    context.diagnostic(
      `${groups} groups; added in ${seconds(dropped, begin)}, compared in ${seconds(begin, found)}, reviewed by keyboard in ${seconds(found)}, copies kept of ${copiesKept.length - 2} more`,
    );
    assert.ok(copiesKept.length - 2 <= 0.05 * copies, copiesKept.join());

    const ids = await untilCount(key, pictures - (copies - 1));
    assert.deepEqual(
      ids.filter((id) => id.includes('small')),
      copiesKept.sort().map((each) => `album/old/${each}-small.jpg`),
    );
    assert.ok(!ids.includes(`album/${one}.jpg`));

    // the service stores the verdicts, and the audit log has who removed the copies
    await page.reload();
    await page.getByText('No duplicates to review').waitFor();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page
      .getByRole('row', { name: /first.* Judge album .*verdict=keep/ })
      .first()
      .waitFor();
    assert.deepEqual(await violations(), [], 'audit log');
    assert.deepEqual(browser.faults, []);
  },
);

inBrowser('copies are removed together after a look at what goes and stays, and all of it is taken back', async () => {
  const key = stage.key('media-matching');
  for (const number of [1, 2, 3]) {
    const picture = readFileSync(samplePath(number));
    await stage.add(key, `${number}.jpg`, { picture });
    await stage.add(key, `copies/${number}.jpg`, {
      picture: await sharp(picture).resize({ width: 400 }).jpeg().toBuffer(),
    });
  }
  await signInTo(page, stage, key, '#review');
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await page.getByText('3 groups left').waitFor();
  await page.getByText(/^All 6 pictures compared$/).waitFor();
  const sheet = page.getByRole('dialog', { name: 'Remove copies' });
  const open = () => page.getByRole('button', { name: 'Remove copies …' }).click();
  await open();
  await sheet.getByText('3 pictures stay, 3 copies go. Files stay where they are.').waitFor();
  assert.deepEqual(await violations(), [], 'the sheet');
  await sheet.getByRole('button', { name: 'Cancel' }).click();
  assert.equal((await idsOf(key)).length, 6, 'nothing goes before the answer');
  await open();
  await sheet.getByLabel('2.jpg stays', { exact: true }).uncheck();
  await sheet.getByRole('button', { name: 'Remove 2 pictures' }).click();
  await page.getByText('Removed 2 pictures').waitFor();
  assert.deepEqual(await untilCount(key, 4), ['1.jpg', '2.jpg', '3.jpg', 'copies/2.jpg']);
  await page.locator('.ways a', { hasText: 'Duplicates' }).getByText('1', { exact: true }).waitFor();

  // after another sign-in the verdicts are listed, filtered, exported and taken back
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key', { exact: true }).waitFor();
  await signInTo(page, stage, key, '#review?queue=decided');
  await page.getByText('2 verdicts').waitFor();
  assert.deepEqual(await violations(), [], 'decided');
  await page.getByLabel('Part of an id').fill('3.jp');
  await page.getByText('1 verdict', { exact: true }).waitFor();
  const [download] = await Promise.all([
    page.waitForEvent('download'),
    page.getByRole('button', { name: 'Export' }).click(),
  ]);
  const [line, ...more] = readFileSync(await download.path(), 'utf8')
    .trim()
    .split('\n');
  assert.deepEqual([JSON.parse(line!).kept, more.length], ['3.jpg', 0]);
  await page.getByRole('button', { name: /^Undo Removed/ }).click();
  await page.getByText('0 verdicts').waitFor();
  assert.equal((await untilCount(key, 5)).length, 5);
  assert.deepEqual(browser.faults, []);
});

inBrowser(
  'a group of nine is seen whole with the proposed one first; a text and a similarity limit the groups',
  async () => {
    await page.setViewportSize({ width: 1440, height: 900 });
    const key = stage.key('media-matching');
    for (const number of [4, 5]) await stage.add(key, `z${number}.jpg`, { picture: readFileSync(samplePath(number)) });
    for (let i = 0; i < 8; i++) {
      const small = await sharp(samplePath(4))
        .resize({ width: 300 + 20 * i })
        .jpeg()
        .toBuffer();
      await stage.add(key, `copy ${i}.jpg`, { picture: small, keywords: ['shop'] });
    }
    await stage.add(key, 'z5 small.jpg', {
      picture: await sharp(samplePath(5)).resize({ width: 400 }).jpeg().toBuffer(),
    });
    await signInTo(page, stage, key, '#review');
    await page.getByRole('button', { name: 'Find duplicates' }).click();
    await page.getByText('2 groups left').waitFor();
    await page.getByText(/^All 11 pictures compared$/).waitFor();
    const images = page.locator('.group-image');
    assert.match(await images.first().innerText(), /^Keep\s+1\s+z4\.jpg/);
    for (const image of await images.all()) {
      const { y, height } = (await image.boundingBox())!;
      assert.ok(y >= 0 && y + height <= 900, `${y} and ${height}`);
    }
    assert.equal(await images.count(), 9);
    await page.getByLabel('Part of an id or a keyword').fill('shop');
    await page.getByText('1 group left').waitFor();
    await page.goto(`${stage.address}#review?queue=similar`);
    await page.getByLabel('Similarity from 10 %').waitFor();
    assert.equal(await page.getByRole('button', { name: /Remove|Keep/ }).count(), 0);
  },
);
