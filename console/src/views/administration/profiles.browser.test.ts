import assert from 'node:assert/strict';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import sharp from 'sharp';
import { browser, inBrowser, onStage, page, scratch, signInTo, stage, violations } from '../../browser.test.kit.ts';

// Profiles: trained from two sets of pictures in the page, looked at, used and deleted; and a key that is renamed.

onStage();

async function examples(fits: boolean): Promise<string[]> {
  const folder = join(scratch, fits ? 'fit' : 'other');
  mkdirSync(folder, { recursive: true });
  return Promise.all(
    Array.from({ length: 10 }, async (_, number) => {
      const shapes = fits
        ? Array.from({ length: 9 }, (_, i) => `<rect x="${i * 40}" width="${12 + number}" height="320" fill="#123"/>`)
        : [`<circle cx="${120 + 8 * number}" cy="160" r="${60 + 4 * number}" fill="#c42"/>`];
      const svg = `<svg xmlns="http://www.w3.org/2000/svg" width="320" height="320"><rect width="320" height="320" fill="#dde"/>${shapes.join('')}</svg>`;
      const path = join(folder, `${number}.jpg`);
      await sharp(Buffer.from(svg)).jpeg().toFile(path);
      return path;
    }),
  );
}

inBrowser('a profile is trained from pictures that fit and pictures that do not', async () => {
  const [fitting, others] = [await examples(true), await examples(false)];
  await signInTo(page, stage, stage.administratorKey, '#administration?tab=profiles');
  const form = page.getByRole('form', { name: 'New profile' });
  await form.getByLabel('Name, in lower case').fill('stripes');
  const inputs = form.locator('input[type=file]');
  await inputs.nth(0).setInputFiles(fitting);
  await form.getByText('These fit').locator('..').getByText('10').waitFor();
  await inputs.nth(1).setInputFiles(others);
  await form.getByText('These do not').locator('..').getByText('10').waitFor();
  assert.deepEqual(await violations(), [], 'examples');
  await form.getByRole('button', { name: 'Train' }).click();
  await page.getByRole('row', { name: /stripes trained here/ }).waitFor();
  await form.getByText('stripes is trained.').waitFor();
  assert.equal(await form.locator('.failed').count(), 0);
  await page.getByRole('button', { name: 'Figures of stripes' }).click();
  await page
    .getByRole('dialog')
    .getByText(/balanced accuracy/)
    .waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  await page.keyboard.press('Escape');
  await page.getByRole('button', { name: 'Delete stripes' }).click();
  await page.getByRole('row', { name: /stripes/ }).waitFor({ state: 'detached' });
  assert.deepEqual(browser.faults, []);
});

inBrowser('a key is renamed and gets other scopes in the page', async () => {
  await signInTo(page, stage, stage.key('media-matching'), '#administration?tab=keys');
  await page.getByRole('button', { name: 'Edit first' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel('Name').fill('picture archive');
  await dialog.getByLabel('delete pictures').uncheck();
  assert.deepEqual(await violations(), []);
  await dialog.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('row', { name: /picture archive search add administer/ }).waitFor();
  assert.deepEqual(browser.faults, []);
});
