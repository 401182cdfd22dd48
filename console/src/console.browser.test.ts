import assert from 'node:assert/strict';
import { join } from 'node:path';
import { editedFolder } from '@sosia/fixtures';
import { inBrowser, onStage, page, photograph, signInTo, stage } from './browser.test.kit.ts';

// Tests the page in a real browser with the real service, by mouse and keyboard.

let key: string;
onStage(async () => {
  key = stage.key('media-matching');
  for (const number of [5, 15, 20]) {
    const keywords = [number % 2 ? 'odd' : 'even'];
    await stage.add(key, `kodim/${number}.jpg`, { picture: await photograph(number), keywords });
  }
});

const chooser = () => page.locator('input[type=file]').first();

inBrowser(
  'a wrong key is refused in words, the right one opens the application, and signing out closes it',
  async () => {
    await page.goto(stage.address);
    await page.getByLabel('Key', { exact: true }).fill('unknown');
    await page.keyboard.press('Enter');
    await page.getByText('Unknown application key').waitFor();

    await page.getByLabel('Key', { exact: true }).fill(key);
    await page.keyboard.press('Enter');
    await page.getByText('Media Matching').waitFor();
    assert.doesNotMatch(page.url(), new RegExp(key));
    const kept = await page.evaluate(() =>
      JSON.stringify([document.cookie, Object.entries(localStorage), Object.entries(sessionStorage)]),
    );
    assert.doesNotMatch(kept, new RegExp(`${key}|sosia-\\d`));

    await page.reload();
    await page.getByText('Media Matching').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Sign in' }).waitFor();
  },
);

inBrowser(
  'a picture is found with its box where the service says it is, with lines on demand, and overlaid over',
  async () => {
    await signInTo(page, stage, key);
    await chooser().setInputFiles(join(editedFolder, 'kodim15-pasted.jpg'));
    await page.getByRole('listitem').getByRole('button', { name: 'kodim/15.jpg' }).click();

    const dialog = page.getByRole('dialog');
    await dialog.getByText('Match, part', { exact: true }).waitFor();
    // Read in one evaluation: a layout between two readings would move one of them.
    const { drawn, corner, image } = await dialog.locator('.pair svg').evaluate((svg) => {
      const picture = svg.querySelector('image')!;
      const of = (name: string) => Number(picture.getAttribute(name));
      const drawn = svg.querySelector('.outline:not(.further) .over')!.getAttribute('points')!;
      return {
        drawn,
        corner: drawn.split(' ')[0]!.split(',').map(Number) as [number, number],
        image: { x: of('x'), y: of('y'), width: of('width'), height: of('height') },
      };
    });
    const { images } = await stage.query('SearchImageByUpload', {
      application_key: key,
      image_content: await import('node:fs/promises').then(({ readFile }) =>
        readFile(join(editedFolder, 'kodim15-pasted.jpg')),
      ),
    });
    const { topLeftPoint } = JSON.parse(images[0].result_info).query.matchingBox;
    assert.ok(Math.abs((corner[0] - image.x) / image.width - topLeftPoint[0]) < 0.002, drawn);
    assert.ok(Math.abs((corner[1] - image.y) / image.height - topLeftPoint[1]) < 0.002, drawn);

    await dialog.getByRole('button', { name: 'Why?' }).click();
    await dialog.getByRole('button', { name: /^\d+ correspondences$/ }).waitFor();
    assert.ok((await dialog.locator('.correspondence').count()) >= 10);

    await dialog.getByRole('button', { name: 'Overlay' }).click();
    await dialog.getByLabel('Reference up to').fill('80');
    assert.match((await dialog.locator('.stage .overlaid').getAttribute('style'))!, /inset\(0px 20% 0px 0px\)/);
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'hidden' });
  },
);

inBrowser('the request is shown as a curl line, with a placeholder for the key', async () => {
  await signInTo(page, stage, key, '#search?id=kodim%2F5.jpg');
  await page.getByText('0 pictures found').waitFor();
  await page.getByText('This request as a curl line').click();
  const line = await page.locator('.curl pre').innerText();
  assert.match(line, /^curl -G http:\/\/127\.0\.0\.1:\d+\/api\/v2\.0\/enginequery\/json\/SearchImageById/);
  assert.match(line, /--data-urlencode application_key="\$KEY"/);
  assert.match(line, /--data-urlencode image_id=kodim\/5\.jpg/);
});
