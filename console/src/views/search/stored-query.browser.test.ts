import assert from 'node:assert/strict';
import { browser, filled, inBrowser, onStage, page, signInTo, stage, violations } from '../../browser.test.kit.ts';

// Searches with a stored picture, and the samples.

onStage();

inBrowser('on Mobile Matching the preview of a stored picture is the query, and it is no result itself', async () => {
  const key = await filled('mobile-matching', [3, 5]);
  const other = await stage.query('ListImages', { application_key: key, nb_results: '1' });
  await stage.add(key, 'copy.jpg', { dna: await dnaOf(key, other.images[0].id) });
  await signInTo(page, stage, key, '#search?id=kodim%2F3.jpg');
  await page.getByText('1 picture found').waitFor();
  const events = page.getByRole('navigation').getByRole('link', { name: 'Events' });
  assert.equal(await events.count(), 0, 'there are no saved searches');
  await page.getByRole('listitem').getByRole('button', { name: 'copy.jpg' }).waitFor();
  assert.deepEqual(await violations(), []);

  await page.getByLabel('Id of a picture').fill('copy.jpg');
  await page.keyboard.press('Enter');
  await page.getByRole('alert').getByText('No preview of copy.jpg is kept, so it cannot be a query.').waitFor();
  assert.deepEqual(browser.faults, []);
});

inBrowser('samples are offered where their references are', async () => {
  const key = await filled('media-matching', [3]);
  await signInTo(page, stage, key, '#search');
  await page.getByText('What are you looking for?').waitFor();
  await page.waitForLoadState('networkidle');
  assert.equal(await page.getByText('Or try a sample').count(), 0);
  await stage.add(key, 'samples/parrots.jpg', { dna: await dnaOf(key, 'kodim/3.jpg') });
  await page.reload();
  await page.getByRole('button', { name: 'rotated' }).waitFor();
  assert.equal(await page.locator('.sample').count(), 1);
});

async function dnaOf(application_key: string, image_id: string): Promise<string> {
  const { dna } = (await stage.modify('GetDnaById', { application_key, image_id })).dna;
  return dna;
}
