import assert from 'node:assert/strict';
import { copyFileSync, existsSync, mkdirSync, utimesSync } from 'node:fs';
import { join } from 'node:path';
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

// The files of copies in a writable source go with the copies, after a question.

onStage();

inBrowser('copies are removed with their files: to the trash and back, then for ever', async () => {
  const folder = join(scratch, 'photos');
  mkdirSync(join(folder, 'old'), { recursive: true });
  const lies = (path: string) => existsSync(join(folder, path));
  for (const number of [1, 2, 3]) {
    const [name, copy] = [join(folder, `${number}.jpg`), join(folder, 'old', `${number}.jpg`)];
    copyFileSync(samplePath(number), name);
    await sharp(name).resize({ width: 400 }).jpeg().toFile(copy);
    for (const each of [name, copy]) utimesSync(each, 1, 1);
  }
  const key = stage.key('media-matching');
  await signInTo(page, stage, stage.administratorKey, '#administration?tab=sources');
  await page.getByLabel('Sources of').selectOption({ label: 'media-matching' });
  const form = page.getByRole('form', { name: 'New source' });
  await form.getByLabel('Name').fill('photos');
  await form.getByLabel('Folder', { exact: true }).fill(folder);
  const question = 'Removing pictures may also move or delete their files';
  await form.getByLabel(question).check();
  await form.getByRole('button', { name: 'Follow' }).click();
  await page.getByText(/as of/).waitFor();
  await page.getByRole('button', { name: 'Details of photos' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByLabel(question).and(page.locator(':checked')).waitFor();
  assert.deepEqual(await violations(), [], 'details');
  await page.context().clearCookies();
  await page.goto('about:blank');

  await signInTo(page, stage, key, '#review');
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await page.getByText('3 groups left').waitFor();
  await page.getByText(/^All 6 pictures compared$/).waitFor();
  const sheet = page.getByRole('dialog', { name: 'Remove copies' });
  const open = () => page.getByRole('button', { name: 'Remove copies …' }).click();
  await open();
  await sheet.getByText('3 pictures stay, 3 copies go. Files stay where they are.').waitFor();
  await sheet.getByLabel('Their files').selectOption({ label: 'Go to the trash' });
  await sheet.getByLabel('2.jpg stays', { exact: true }).uncheck();
  await sheet.getByText('2 copies go. 2 files of writable sources go to the folder .trash').waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  await sheet.getByRole('button', { name: 'Remove 2 pictures' }).click();
  await page.getByText('Removed 2 pictures').waitFor();
  const trashed = ['.trash/old/1.jpg', '.trash/old/3.jpg'];
  while (!trashed.every(lies)) await page.waitForTimeout(50);
  assert.deepEqual(['1.jpg', 'old/1.jpg', 'old/2.jpg', 'old/3.jpg'].filter(lies), ['1.jpg', 'old/2.jpg']);
  await page.keyboard.press('u');
  await page.getByText('3 groups left').waitFor();
  while (trashed.some(lies)) await page.waitForTimeout(50);
  assert.ok(lies('old/1.jpg') && lies('old/3.jpg'));

  utimesSync(join(folder, 'old/3.jpg'), 2, 2); // as if it was changed
  await open();
  await sheet.getByLabel('Their files').selectOption({ label: 'Are deleted' });
  await sheet.getByText('3 files of writable sources are deleted, which no undo brings back.').waitFor();
  await sheet.getByRole('button', { name: 'Remove 3 pictures and delete their files' }).click();
  await page.getByRole('alert').getByText('1 file could not be moved or deleted. old/3.jpg: changed').waitFor();
  assert.deepEqual(['old/1.jpg', 'old/2.jpg', 'old/3.jpg', '.trash'].filter(lies), ['old/3.jpg', '.trash']);

  await page.getByRole('link', { name: 'Pictures', exact: true }).click();
  const fate = page.getByLabel('Files of deleted ones');
  assert.equal(await fate.inputValue(), 'keep');
  await fate.selectOption({ label: 'Go to the trash' });
  assert.deepEqual(await violations(), [], 'pictures');
  await page.getByRole('button', { name: 'Delete 1.jpg', exact: true }).click();
  await page.getByText('Deleted 1.jpg. Files of writable sources go to the trash.').waitFor();
  while (!lies('.trash/1.jpg')) await page.waitForTimeout(50);
  assert.deepEqual(['1.jpg', '2.jpg', '3.jpg'].filter(lies), ['2.jpg', '3.jpg']);
  utimesSync(join(folder, '2.jpg'), 2, 2);
  await page.getByRole('button', { name: 'Delete 2.jpg', exact: true }).click();
  await page.getByRole('alert').getByText('The file of 2.jpg stays: changed').waitFor();
  await fate.selectOption({ label: 'Stay' });
  await page.getByRole('button', { name: 'Delete 3.jpg', exact: true }).click();
  await page.getByText('Deleted 3.jpg', { exact: true }).waitFor();
  await page.getByText('No pictures yet').waitFor();
  assert.deepEqual(['1.jpg', '2.jpg', '3.jpg'].filter(lies), ['2.jpg', '3.jpg']);
  assert.deepEqual(browser.faults, []);
});
