import assert from 'node:assert/strict';
import { browser, filled, inBrowser, onStage, page, signInTo, stage, violations } from '../../browser.test.kit.ts';

// The metadata of a picture: edited as JSON, shown as a table, and searched by conditions.

let key: string;
onStage(async () => {
  key = await filled('media-matching', [1, 2, 3]);
});

inBrowser('metadata are edited as JSON, shown as a table, and narrow the list and a search', async () => {
  await signInTo(page, stage, key, '#pictures');
  await page.getByRole('listitem').getByRole('button', { name: 'kodim/1.jpg' }).first().click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Add metadata' }).click();
  const text = dialog.getByLabel('Metadata as a JSON object; empty for none');
  await text.fill('{"agency": ');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('alert').filter({ hasText: 'JSON' }).waitFor();
  assert.equal(await text.inputValue(), '{"agency": ');
  await text.fill('{"agency": "Doe, Roe", "year": 2026, "camera": {"make": "Leica"}}');
  await dialog.getByRole('button', { name: 'Save' }).click();
  await dialog.getByRole('row', { name: 'camera.make Leica' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  const stored = await stage.query('GetImageById', { application_key: key, image_id: 'kodim/1.jpg' });
  assert.deepEqual(stored.image.metadata, { agency: 'Doe, Roe', year: 2026, camera: { make: 'Leica' } });
  await page.keyboard.press('Escape');

  await page.getByText('3 pictures', { exact: true }).waitFor();
  await page.getByLabel('With the metadata', { exact: true }).fill('agency=Doe, Roe');
  await page.keyboard.press('Enter');
  await page.getByText('1 picture', { exact: true }).waitFor();
  await page.waitForURL(/where=/);
  await page.reload();
  await page.getByText('1 picture', { exact: true }).waitFor();
  await page.getByRole('button', { name: 'Without agency=Doe, Roe' }).click();
  await page.getByLabel('With the metadata', { exact: true }).fill('year>2026');
  await page.keyboard.press('Enter');
  await page.getByText('No picture has all of these').waitFor();

  await page.goto(`${stage.address}#search?by=keywords&keywords=odd&where=year%3E%3D2020`);
  await page.getByText('1 picture found').waitFor();
  await page.getByRole('listitem').getByRole('button', { name: 'kodim/1.jpg' }).click();
  await dialog.getByRole('row', { name: 'year 2026' }).waitFor();
  assert.deepEqual(
    browser.faults.filter((fault) => !fault.includes('400')),
    [],
  );
});
