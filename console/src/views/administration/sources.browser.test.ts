import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, rmSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { samplesFolder } from '@sosia/fixtures';
import { startWeb } from '@sosia/server/fetch/web.test.kit';
import { makeFilm, withoutFfmpeg } from '@sosia/server/sources/films.test.kit';
import { credentials, startMoto, withoutMoto } from '@sosia/server/sources/moto.test.kit';
import { response } from '@sosia/server/sources/warc.test.kit';
import {
  browser,
  inBrowser,
  onStage,
  page,
  photograph,
  scratch,
  signInTo,
  stage,
  startStage,
  violations,
} from '../../browser.test.kit.ts';

// A source of an application: tried, followed, its removals confirmed, and ended in the page.

onStage();

const PICTURES = 12;

inBrowser('a folder is followed, and its removals are agreed to', async () => {
  const folder = join(scratch, 'followed');
  mkdirSync(folder);
  const pictures = Array.from({ length: PICTURES }, (_, i) => `kodim${String(i + 1).padStart(2, '0')}.jpg`);
  for (const name of pictures) copyFileSync(join(samplesFolder, name), join(folder, name));
  writeFileSync(join(folder, 'broken.jpg'), 'text');
  for (const name of [...pictures, 'broken.jpg']) utimesSync(join(folder, name), 1, 1);
  const key = stage.key('media-matching');
  await signInTo(page, stage, stage.administratorKey, '#administration?tab=sources');
  await page.getByLabel('Sources of').selectOption({ label: 'media-matching' });
  const form = page.getByRole('form', { name: 'New source' });
  await form.getByLabel('Name').fill('photos');
  await form.getByLabel('Folder', { exact: true }).fill('/etc');
  await form.getByRole('button', { name: 'Dry run' }).click();
  await form.getByText(/The service may not follow this/).waitFor();
  await form.getByLabel('Folder', { exact: true }).fill(folder);
  await form.getByRole('button', { name: 'Dry run' }).click();
  await form.getByText(`${PICTURES + 1} pictures: ${PICTURES + 1} to add.`).waitFor();
  assert.deepEqual(await violations(), [], 'form');
  await form.getByRole('button', { name: 'Follow' }).click();
  const row = page.getByRole('row', { name: /photos media-matching/ });
  await row.getByText(/as of/).waitFor();
  await page.getByRole('button', { name: 'Details of photos' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('row', { name: /broken\.jpg.*Not a picture/ }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  await page.keyboard.press('Escape');

  rmSync(folder, { recursive: true });
  mkdirSync(folder);
  await page.getByRole('button', { name: 'Run photos' }).click();
  await row.getByText(/12 of 12 pictures are no longer there/).waitFor();
  await page.getByRole('button', { name: 'Remove 12 photos' }).click();
  await row.getByText(/as of/).waitFor();
  assert.equal((await stage.query('ListImages', { application_key: key })).images.length, 0);
  await page.getByRole('button', { name: 'Pause photos' }).click();
  await row.getByText('paused').waitFor();
  await page.getByRole('button', { name: 'Details of photos' }).click();
  await dialog.getByRole('button', { name: 'Stop, keep pictures' }).click();
  await page.getByText('No sources').waitFor();
  assert.deepEqual(browser.faults, []);
});

inBrowser('a result opens its original', async () => {
  const folder = join(scratch, 'opened');
  mkdirSync(folder);
  for (const name of ['shutters.jpg', 'copy.jpg']) {
    copyFileSync(join(samplesFolder, 'kodim07.jpg'), join(folder, name));
    utimesSync(join(folder, name), 1, 1);
  }
  const key = stage.key('brand-monitoring');
  await signInTo(page, stage, stage.administratorKey, '#administration?tab=sources');
  await page.getByLabel('Sources of').selectOption({ label: 'brand-monitoring' });
  const form = page.getByRole('form', { name: 'New source' });
  await form.getByLabel('Name').fill('opened');
  await form.getByLabel('Folder', { exact: true }).fill(folder);
  await form.getByRole('button', { name: 'Follow' }).click();
  await page.getByText(/as of/).waitFor();
  await page.context().clearCookies();
  await page.goto('about:blank');
  await signInTo(page, stage, key, '#search?id=shutters.jpg&open=copy.jpg');
  const link = page.getByRole('dialog').getByRole('link', { name: 'copy.jpg' });
  const [opened] = await Promise.all([page.waitForEvent('popup'), link.click()]);
  await opened.waitForLoadState();
  assert.match(opened.url(), /api\/original/);
  assert.equal(await opened.evaluate(() => document.contentType), 'image/jpeg');
  await opened.close();
});

inBrowser('a bucket, the web, an archive and films are followed', async () => {
  const web = await startWeb({ '/2.jpg': async (response) => response.end(await photograph(2)) });
  const fetching = await startStage(`*:${web.port}`, { fetching: web.options });
  const moto = withoutMoto ? undefined : await startMoto('posters');
  try {
    fetching.key('media-matching');
    await moto?.put('new/4.jpg', Uint8Array.from(await photograph(4)));
    const archive = join(scratch, 'crawl.warc');
    writeFileSync(archive, response('/a', await photograph(3)));
    const films = join(scratch, 'films');
    mkdirSync(films);
    if (!withoutFfmpeg) makeFilm(join(films, 'a.mkv'), [{ photograph: 6, seconds: 1 }]);
    await signInTo(page, fetching, fetching.administratorKey, '#administration?tab=sources');
    await page.getByLabel('Sources of').selectOption({ label: 'media-matching' });
    const form = page.getByRole('form', { name: 'New source' });
    const bucket = {
      'Address of the storage service': moto?.endpoint ?? '',
      Bucket: 'posters',
      'Access key': credentials.access_key,
      'Secret key': credentials.secret_key,
    };
    const places = {
      ...(moto && { 'Bucket (S3)': bucket }),
      Web: { Addresses: `${web.base}/2.jpg\n${web.base}/absent.jpg` },
      'Web archive (WARC)': { 'Archive or folder': archive },
      ...(!withoutFfmpeg && { Films: { 'Folder of films': films } }),
    };
    for (const [kind, fields] of Object.entries(places)) {
      await form.getByLabel('Kind').selectOption({ label: kind });
      await form.getByLabel('Name').fill(kind);
      for (const [label, text] of Object.entries(fields)) await form.getByLabel(label, { exact: true }).fill(text);
      await form.getByRole('button', { name: 'Dry run' }).click();
      await form.getByText(/[12] pictures?: [12] to add\./).waitFor();
      assert.deepEqual(await violations(), [], kind);
      await form.getByRole('button', { name: 'Follow' }).click();
      const row = page.getByRole('row').filter({ has: page.getByText(kind, { exact: true }) });
      await row.getByText(/as of|404/).waitFor();
      await row.getByRole('cell', { name: '1', exact: true }).first().waitFor();
    }
    assert.deepEqual(browser.faults, []);
  } finally {
    await fetching.close();
    await moto?.close();
    await web.close();
  }
});
