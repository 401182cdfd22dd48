import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import {
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
} from '../../browser.test.kit.ts';

onStage();

const cards = () => page.getByRole('list', { name: 'Pictures' }).getByRole('listitem');

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
