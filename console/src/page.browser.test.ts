import assert from 'node:assert/strict';
import { copyFile, mkdir } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { editedFolder } from '@sosia/fixtures';
import { startWeb } from '@sosia/server/fetch/web.test.kit';
import {
  browser,
  filled,
  inBrowser,
  onStage,
  page,
  photograph,
  samplePath,
  scratch,
  signInTo,
  stage,
  startStage,
  violations,
} from './browser.test.kit.ts';

// What holds on the page as a whole: drops, pastes, addresses, samples.

let key: string;
onStage(async () => {
  key = stage.key('media-matching');
  for (const number of [3, 15, 20]) await stage.add(key, `kodim/${number}.jpg`, { picture: await photograph(number) });
});

const chooser = () => page.locator('input[type=file]').first();

inBrowser('a search survives a look at another view and a reload, and its open result too', async () => {
  await signInTo(page, stage, key, '#search');
  await chooser().setInputFiles(join(editedFolder, 'kodim15-pasted.jpg'));
  await page.getByText('2 pictures found').waitFor();
  await page.getByRole('link', { name: 'Pictures' }).click();
  await page.getByText('3 pictures').waitFor();
  await page.getByRole('link', { name: 'Search', exact: true }).click();
  await page.getByText('2 pictures found').waitFor();
  await page.getByAltText('The query, kodim15-pasted.jpg').waitFor();

  await page.getByRole('listitem').getByRole('button', { name: 'kodim/15.jpg' }).click();
  await page.getByRole('dialog').waitFor();
  await page.waitForURL(/open=/);
  await page.reload();
  await page.getByRole('dialog').getByText('2 of 2').waitFor();
  await page.goBack();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await page.getByText('2 pictures found').waitFor();

  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByRole('link', { name: 'kodim15-pasted.jpg 2 pictures' }).click();
  await page.getByText('2 pictures found').waitFor();
});

inBrowser('signing out removes the searches and their pictures from the browser', async () => {
  await signInTo(page, stage, key, '#search');
  await chooser().setInputFiles(join(editedFolder, 'kodim15-pasted.jpg'));
  await page.getByText('2 pictures found').waitFor();
  const address = page.url();
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key', { exact: true }).waitFor();
  assert.doesNotMatch(await page.evaluate(() => JSON.stringify(Object.entries(localStorage))), /kodim/);
  await page.goto('about:blank');
  await signInTo(page, stage, key, new URL(address).hash);
  await page.getByText('no longer kept in this browser').waitFor();
});

inBrowser('an open result has no differences of an earlier query', async () => {
  const ofCopies = await filled('media-matching', [3, 15]);
  await stage.add(ofCopies, 'copy.jpg', { picture: await photograph(15) });
  await signInTo(page, stage, ofCopies, '#search?id=kodim%2F15.jpg&open=copy.jpg');
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Differences' }).click();
  await dialog.getByText(/^No differences\./).waitFor();
  const picture = (await photograph(3)).toString('base64');
  await page.evaluate((base64) => {
    const data = new DataTransfer();
    const content = Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0));
    data.items.add(new File([content], 'hats.jpg', { type: 'image/jpeg' }));
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: data, cancelable: true }));
  }, picture);
  await page.getByText('1 picture found').waitFor();
  await page.getByText(/differences/i).waitFor({ state: 'detached' });
});

inBrowser('a folder is added with the folders inside, whether it is dropped or pasted', async () => {
  const folder = join(scratch, 'holiday');
  await mkdir(join(folder, 'beach'), { recursive: true });
  await copyFile(samplePath(11), join(folder, 'beach', '1.jpg'));
  await copyFile(samplePath(12), join(folder, '2.jpg'));
  const session = await page.context().newCDPSession(page);
  for (const way of ['dropped', 'pasted']) {
    await signInTo(page, stage, stage.key('media-matching'), '#pictures');
    await page.getByText('No pictures yet').waitFor();
    // a page cannot fill a clipboard with a folder, so what is dropped is pasted
    if (way === 'pasted') {
      await page.evaluate(() => {
        const paste = (event: DragEvent): void => {
          event.preventDefault();
          event.stopImmediatePropagation();
          document.dispatchEvent(new ClipboardEvent('paste', { clipboardData: event.dataTransfer, cancelable: true }));
        };
        document.addEventListener('drop', paste, { capture: true, once: true });
      });
    }
    const data = { items: [], files: [folder], dragOperationsMask: 1 };
    for (const type of ['dragEnter', 'dragOver', 'drop'] as const)
      await session.send('Input.dispatchDragEvent', { type, x: 600, y: 400, data });
    for (const name of ['holiday/beach/1.jpg', 'holiday/2.jpg']) await page.getByText(name, { exact: true }).waitFor();
    await page.getByText('2 of 2 done · 2 added').waitFor();
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();
    await page.goto('about:blank');
  }
});

async function pasteText(text: string): Promise<void> {
  await page.evaluate((text) => {
    const clipboardData = new DataTransfer();
    clipboardData.setData('text/plain', text);
    document.dispatchEvent(new ClipboardEvent('paste', { clipboardData, cancelable: true, bubbles: true }));
  }, text);
}

inBrowser(
  'the address of a picture is fetched by the browser where its site allows, else the page says why not',
  async () => {
    const picture = await photograph(20);
    const site = createServer(({ url }, response) => {
      if (url !== '/closed.jpg') response.setHeader('access-control-allow-origin', '*');
      if (url === '/absent.jpg') return response.writeHead(404).end();
      response.setHeader('content-type', url === '/page' ? 'text/html' : 'image/jpeg');
      return response.end(picture);
    });
    await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
    const host = `127.0.0.1:${(site.address() as AddressInfo).port}`;
    try {
      await signInTo(page, stage, key);
      await page.getByText('Recent searches').waitFor();
      await pasteText(`http://${host}/open/plane.jpg`);
      await page.getByAltText('The query, plane.jpg').waitFor();
      await page.getByText('1 picture found').waitFor();
      assert.deepEqual(browser.faults, []);
      await pasteText(`http://${host}/closed.jpg`);
      await page.getByRole('alert').filter({ hasText: 'does not let other pages read its pictures' }).waitFor();
      assert.deepEqual(await violations(), []);
      await pasteText(`http://${host}/absent.jpg`);
      await page
        .getByRole('alert')
        .filter({ hasText: `${host} answered 404` })
        .waitFor();
      await pasteText(`http://${host}/page`);
      await page.getByRole('alert').filter({ hasText: 'is a page, not a picture' }).waitFor();
      await pasteText('no address');
      await page.getByRole('button', { name: 'Close' }).click();
      await page.getByRole('alert').waitFor({ state: 'detached' });
    } finally {
      site.close();
      site.closeAllConnections();
    }
  },
);

inBrowser('where the browser may not read a picture, the service fetches it, if it is allowed to', async () => {
  const web = await startWeb({
    '/closed.jpg': async (response) => response.end(await photograph(20)),
  });
  const fetching = await startStage(`*:${web.port}`, { fetching: web.options });
  try {
    const application_key = fetching.key('media-matching');
    await fetching.add(application_key, 'plane', { picture: await photograph(20) });
    await signInTo(page, fetching, application_key);
    await pasteText(`${web.base}/closed.jpg`);
    await page.getByAltText('The query, closed.jpg').waitFor();
    await page.getByText('1 picture found').waitFor();
    await pasteText(`${web.base}/absent.jpg`);
    await page.getByRole('alert').filter({ hasText: 'answered 404' }).waitFor();
  } finally {
    await fetching.close();
    await web.close();
  }
});

inBrowser('an empty application is tried with the samples, and several dropped files are added', async () => {
  const empty = stage.key('media-matching');
  await signInTo(page, stage, empty);
  await page.getByRole('heading', { name: 'Try it with samples' }).waitFor();
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], colorScheme);
  }
  await page.getByRole('button', { name: 'Add the samples' }).click();
  await page.getByText('14 of 14 done · 14 added').waitFor();
  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByText('Answer time', { exact: true }).waitFor();
  await page.getByRole('img', { name: /^Operations: searches 0, additions 14/ }).waitFor();
  assert.deepEqual(await violations(), []);
  await page.getByRole('button', { name: 'rotated' }).click();
  await page
    .getByRole('listitem')
    .filter({ hasText: 'samples/parrots.jpg' })
    .getByText('Match')
    .or(page.getByText('Clone'))
    .first()
    .waitFor();
  await page.getByRole('link', { name: 'Home' }).click();

  const [one, two] = await Promise.all([photograph(1), photograph(2)]);
  const data = await page.evaluateHandle(
    (pictures) => {
      const data = new DataTransfer();
      for (const [name, base64] of pictures) {
        const content = Uint8Array.from(atob(base64!), (letter) => letter.charCodeAt(0));
        data.items.add(new File([content], name!, { type: 'image/jpeg' }));
      }
      return data;
    },
    [
      ['one.jpg', one.toString('base64')],
      ['two.jpg', two.toString('base64')],
    ],
  );
  await page.locator('main').dispatchEvent('dragover', { dataTransfer: data });
  await page.getByText('Drop one picture to search for it, or several to add them').waitFor();
  await page.locator('main').dispatchEvent('drop', { dataTransfer: data });
  await page.getByText('16 of 16 done').waitFor();
});

for (const [scope, hint, view] of [
  ['search', 'Drop a picture to search for it', 'Search'],
  ['add', 'Drop pictures to add them', 'Add'],
  ['delete', 'The key of this session neither searches nor adds', 'Status'],
] as const) {
  inBrowser(`what is dropped goes where a key for ${scope} alone leads`, async () => {
    const { secret } = await stage.administer('CreateKey', { application_key: key, name: scope, scopes: scope });
    await signInTo(page, stage, secret, '#home');
    await page.getByText('Answer time', { exact: true }).waitFor();
    assert.equal(await page.getByText('Search with a picture').count(), scope === 'search' ? 1 : 0);
    for (const names of [['one.jpg'], ['one.jpg', 'two.jpg']]) {
      await page.getByRole('link', { name: 'Status' }).click();
      await page.getByRole('heading', { level: 1, name: 'Status' }).waitFor();
      const data = await page.evaluateHandle((names) => {
        const data = new DataTransfer();
        for (const name of names) data.items.add(new File(['no picture'], name, { type: 'image/jpeg' }));
        return data;
      }, names);
      await page.locator('main').dispatchEvent('dragover', { dataTransfer: data });
      await page.getByText(hint, { exact: true }).waitFor();
      await page.locator('main').dispatchEvent('drop', { dataTransfer: data });
      await page.getByRole('heading', { level: 1, name: view }).waitFor();
    }
  });
}

inBrowser('a service that does not answer yet is tried again, without a reload', async () => {
  await page.route('**/console/api/session', (route) => route.abort(), { times: 1 });
  await page.goto(stage.address);
  await page.getByText(/does not answer/).waitFor();
  await page.getByLabel('Key', { exact: true }).waitFor();
});
