import assert from 'node:assert/strict';
import {
  browser,
  inBrowser,
  onStage,
  page,
  photograph,
  samplePath,
  signInTo,
  stage,
  violations,
} from '../../browser.test.kit.ts';

onStage();

inBrowser('an operation is tried in a form with the key of the session', async () => {
  const key = stage.key('media-matching');
  await stage.add(key, 'harbour.jpg', { picture: await photograph(1) });
  await signInTo(page, stage, key, '#try');
  await page.getByLabel('Operation').selectOption('enginequery/SearchImageByUpload');
  const form = page.getByRole('form', { name: 'SearchImageByUpload' });
  await form.getByLabel(/^image_content/).setInputFiles(samplePath(1));
  await form.getByLabel(/^nb_results/).fill('1');
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  await form.getByRole('button', { name: 'Send' }).click();
  const answer = page.getByRole('region', { name: 'Answer' });
  await answer.getByText('"id": "harbour.jpg"').waitFor();
  assert.deepEqual(await violations(), [], 'answer');
  await form.getByLabel(/^nb_results/).fill('many');
  await form.getByRole('button', { name: 'Send' }).click();
  await answer.getByText(/expected an integer/).waitFor();
  assert.deepEqual(browser.faults, []);

  // an administrator without an application sees the operations of administration alone
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key', { exact: true }).waitFor();
  await signInTo(page, stage, stage.administratorKey, '#try');
  await page.getByRole('form', { name: 'ListApplications' }).getByRole('button', { name: 'Send' }).click();
  await page.getByText('"name": "media-matching"').waitFor();
});
