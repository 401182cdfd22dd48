import assert from 'node:assert/strict';
import { mkdir, rm, utimes, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
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

// A search is saved, a program adds a copy, and its event is opened and judged.

onStage();

async function expectNoViolations(what: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], `${what}, ${colorScheme}`);
  }
}

const cards = () => page.getByRole('list', { name: 'Events, the latest first' }).getByRole('button');

inBrowser('an edited copy of a saved picture is an event, which is opened, judged and found again', async () => {
  const key = stage.key('media-matching');
  await signInTo(page, stage, key, '#events');
  await page.getByText('No events yet').waitFor();
  await expectNoViolations('no events');
  await page.getByRole('link', { name: 'Saved searches' }).click();
  await page.getByText('Nothing is searched for').waitFor();
  await page.getByRole('button', { name: 'New saved search' }).click();
  const form = page.getByRole('dialog', { name: 'New saved search' });
  await form.locator('input[type=file]').setInputFiles(samplePath(5));
  await form.getByLabel('Name (empty').fill('motorcycles');
  await form.getByLabel('Relation').selectOption('part');
  await expectNoViolations('a new search');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByText('1 saved search', { exact: true }).waitFor();
  await page.getByRole('list', { name: 'Saved searches' }).getByText('Match or better · part').waitFor();
  await expectNoViolations('saved searches');

  // a program adds a copy while the page shows the events
  await page.getByRole('link', { name: 'Found' }).click();
  await page.getByText('No events yet').waitFor();
  const part = await sharp(await photograph(5))
    .extract({ left: 200, top: 100, width: 400, height: 330 })
    .png()
    .toBuffer();
  await stage.add(key, 'shop/other.jpg', { picture: await photograph(9) });
  await stage.add(key, 'shop/part.png', { picture: part });
  await cards().first().waitFor();
  assert.equal(await cards().count(), 1);
  assert.match(await cards().first().innerText(), /^shop\/part\.png[^]*Match, part[^]*found by motorcycles[^]*unread$/);
  await page.getByRole('navigation').getByRole('link', { name: 'Events 1' }).waitFor();
  await expectNoViolations('events');

  await cards().first().click();
  const dialog = page.getByRole('dialog', { name: 'shop/part.png' });
  const match = dialog.getByRole('img', { name: 'The query and the reference with their matching boxes' });
  await match.waitFor();
  for (const source of await match
    .locator('image')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')))) {
    assert.equal(await page.evaluate((of) => fetch(of!).then(({ status }) => status), source), 200);
  }
  await dialog.getByText('One picture is a part of the other one.').waitFor();
  await page.getByRole('navigation').getByRole('link', { name: 'Events', exact: true }).waitFor({ state: 'attached' });
  await expectNoViolations('an event');
  await page.keyboard.press('w');
  await dialog.getByRole('button', { name: 'Wrong', pressed: true }).waitFor();
  await page.keyboard.press('Escape');
  await cards().filter({ hasText: 'Wrong' }).waitFor();

  await page.reload();
  await cards().filter({ hasText: 'Wrong' }).waitFor();
  assert.doesNotMatch(await cards().first().innerText(), /unread/);
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Right');
  await page.getByText('No such events').waitFor();
  await page.getByRole('combobox', { name: 'Show' }).selectOption('Wrong');
  await page.getByRole('combobox', { name: 'Saved search' }).selectOption('motorcycles');
  await page.getByRole('combobox', { name: 'Decision or relation' }).selectOption('part');
  await cards().first().click();

  // the review has the verdict; pressing it again takes it back
  await dialog.getByRole('button', { name: 'Wrong', pressed: true }).click();
  await dialog.getByRole('button', { name: 'Wrong', pressed: false }).waitFor();
  await dialog.getByRole('button', { name: 'Right' }).click();
  await dialog.getByRole('button', { name: 'Right', pressed: true }).waitFor();
  await page.keyboard.press('Escape');
  await page.getByText('No such events').waitFor();
  await page.goto(`${stage.address}#review?queue=decided`);
  await page.getByRole('list', { name: 'Decided groups' }).getByText('The same').waitFor();

  await page.goto(`${stage.address}#events?tab=searches`);
  await page.getByRole('button', { name: 'Delete the search motorcycles' }).click();
  await page.getByText('Nothing is searched for').waitFor();
  await page.getByRole('link', { name: 'Found' }).click();
  await cards().first().waitFor();
  await page.getByRole('link', { name: 'Webhooks' }).click();
  await page.getByText('No webhooks').waitFor();
  await expectNoViolations('webhooks');
  assert.deepEqual(browser.faults, []);
});

inBrowser('all pictures of another application are searched for by its key, and shown with its picture', async () => {
  const [key, other] = [stage.key('media-matching'), stage.key('media-matching')];
  await stage.add(other, 'ours.jpg', { picture: await photograph(7) });
  await signInTo(page, stage, key, '#events?tab=searches');
  await page.getByRole('button', { name: 'New saved search' }).click();
  const form = page.getByRole('dialog', { name: 'New saved search' });
  await form.getByLabel('Or a key of another application').fill(other);
  await form.getByRole('button', { name: 'Save', disabled: true }).waitFor();
  await form.getByLabel('Name').fill('stolen');
  await expectNoViolations('a search for an application');
  await form.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('list', { name: 'Saved searches' }).getByText('All pictures of media-matching').waitFor();

  const copy = await sharp(await photograph(7))
    .resize(400)
    .png()
    .toBuffer();
  await stage.add(key, 'theirs.png', { picture: copy });
  await page.getByRole('link', { name: 'Found' }).click();
  await cards().first().waitFor();
  const shown = page.locator('.event-pictures img');
  await shown.nth(1).waitFor();
  await cards().first().click();
  const dialog = page.getByRole('dialog', { name: 'theirs.png' });
  await dialog.getByText('ours.jpg of media-matching').waitFor();
  const match = dialog.getByRole('img', { name: 'The query and the reference with their matching boxes' });
  for (const source of await match
    .locator('image')
    .evaluateAll((all) => all.map((each) => each.getAttribute('href')))) {
    assert.equal(await page.evaluate((of) => fetch(of!).then(({ status }) => status), source), 200);
  }
  assert.deepEqual(browser.faults, []);
});

inBrowser('an event of a list of hashes shows no picture of a saved search with the same id', async () => {
  const key = stage.key('media-matching');
  const review = async (operation: string, values: Record<string, string | Uint8Array>) => {
    const { status } = await stage.review(operation, { application_key: key, ...values });
    assert.equal(status.code, 0, status.message);
  };
  const { pdq } = await stage.query('GetPdq', { application_key: key, image_content: await photograph(3) });
  await review('SaveSearch', { search_id: 'known', image_content: await photograph(11) });
  await review('ImportHashes', { list_id: 'known', hashes: Buffer.from(`hash,label\n${pdq},blanket\n`) });
  await stage.add(key, 'hat.jpg', { picture: await photograph(3) });
  await signInTo(page, stage, key, '#events');
  await cards().first().waitFor();
  assert.match(await cards().first().innerText(), /a hash alone[^]*hat\.jpg[^]*found by known/);
  assert.equal(await cards().first().locator('img').count(), 1);
  await expectNoViolations('an event of a hash');

  await cards().first().click();
  const dialog = page.getByRole('dialog', { name: 'hat.jpg' });
  await dialog.getByText('blanket: 0 of 256 bits differ').waitFor();
  await dialog.getByText('the added picture').waitFor();
  assert.equal(await dialog.locator('figure').count(), 1);
  assert.doesNotMatch(await dialog.innerText(), /the saved one|no preview/);
  assert.deepEqual(browser.faults, []);
});

inBrowser('an event says where a source had its picture, also after it was deleted', async () => {
  const key = stage.key('image-similarity');
  const always = { application_key: stage.administratorKey, application: 'image-similarity', source: 'shop' };
  const administer = (operation: string, values: Record<string, string> = {}) =>
    stage.administer(operation, { ...always, ...values });
  const follows = async (pictures: number) => {
    while ((await administer('GetSource')).source.pictures !== pictures) await pause(50);
  };
  const image_content = await photograph(4);
  await stage.review('SaveSearch', { application_key: key, search_id: 'hats', image_content });
  const folder = join(scratch, 'shop');
  const file = join(folder, 'copy.jpg');
  await mkdir(folder);
  await writeFile(file, image_content);
  await utimes(file, 1, 1);
  await administer('CreateSource', { name: 'shop', kind: 'folder', path: folder, interval: '3600' });
  await follows(1);

  await signInTo(page, stage, key, '#events');
  await cards().first().click();
  const dialog = page.getByRole('dialog', { name: 'copy.jpg' });
  const original = dialog.getByTitle('Open the original');
  assert.equal(await original.innerText(), 'copy.jpg');
  await expectNoViolations('an event of a source');
  await page.keyboard.press('Escape');
  await rm(file);
  await administer('RunSource');
  await administer('ConfirmSource', { removals: '1' });
  await follows(0);
  await cards().first().click();
  await dialog.getByText('copy.jpg is no longer there.').waitFor();
  await dialog.getByText('shop: copy.jpg').waitFor();
  assert.equal(await original.count(), 0);
});
