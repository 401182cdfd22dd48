import assert from 'node:assert/strict';
import { browser, inBrowser, onStage, page, photograph, signInTo, stage, violations } from '../../browser.test.kit.ts';

// What an administrator does in the page: applications, keys, and the log of who changed what.

onStage();

const code = async (key: string): Promise<number> =>
  (await stage.query('GetApplicationStatus', { application_key: key })).status.code;

/** A program that searches without a pause, with the key of the moment. */
function searching(key: string) {
  const codes: number[] = [];
  let stopped = false;
  const run = async (): Promise<number[]> => {
    const picture = await photograph(2);
    while (!stopped) {
      const { status } = await stage.query('SearchImageByUpload', { application_key: key, image_content: picture });
      codes.push(status.code);
    }
    return codes;
  };
  const running = run();
  return {
    use: (fresh: string) => (key = fresh),
    stop: () => {
      stopped = true;
      return running;
    },
  };
}

async function secretShown(): Promise<string> {
  const secret = page.getByRole('status', { name: 'New key' });
  const text = await secret.locator('code').innerText();
  await secret.getByRole('button', { name: 'Done' }).click();
  await secret.waitFor({ state: 'detached' });
  return text;
}

async function noViolations(where: string): Promise<void> {
  for (const colorScheme of ['light', 'dark'] as const) {
    await page.emulateMedia({ colorScheme, reducedMotion: 'reduce' });
    assert.deepEqual(await violations(), [], `${where}, ${colorScheme}`);
  }
}

inBrowser('an administrator makes an application, opens it, changes and deletes it', async () => {
  await signInTo(page, stage, stage.administratorKey);
  await page.getByText('No applications yet').waitFor();
  await noViolations('no application');
  await page.getByLabel('Name', { exact: true }).fill('posters');
  await page.getByLabel('Type').selectOption('Image Similarity');
  await page.getByText('Ranks pictures that look alike').waitFor();
  await page.getByRole('button', { name: 'Create' }).click();
  await page.getByText('with all rights on it').waitFor();
  await noViolations('a new key');
  const key = await secretShown();
  assert.equal(await code(key), 0);
  await stage.add(key, 'a.jpg', { picture: await photograph(1) });

  await page.getByRole('button', { name: 'Open posters' }).click();
  await page.getByText('Recent searches').waitFor();
  await page.getByRole('combobox', { name: 'Application', exact: true }).waitFor();
  await page.getByRole('link', { name: 'Pictures', exact: true }).click();
  await page.getByText('1 picture', { exact: true }).waitFor();
  await page.waitForFunction(() =>
    [...document.images].every(({ complete, naturalWidth }) => complete && naturalWidth),
  );
  await page.reload();
  await page.getByText('1 picture', { exact: true }).waitFor();

  const fine = { application_key: stage.administratorKey, application: 'posters', retrieval_threshold: '0.123456' };
  await stage.administer('SetApplication', fine);
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('button', { name: 'Settings of posters' }).click();
  await page.getByRole('dialog').getByLabel('Name', { exact: true }).fill('placards');
  await page.getByLabel(/^Results of a search/).fill('25');
  await noViolations('settings');
  await page.getByRole('button', { name: 'Save' }).click();
  await page.getByRole('heading', { name: 'placards' }).waitFor();

  await page.getByRole('button', { name: 'Delete placards' }).click();
  const dialog = page.getByRole('dialog');
  await dialog.getByText('1 picture, their previews and keywords, and 1 key are lost').waitFor();
  assert.ok(await dialog.getByRole('button', { name: 'Delete 1 picture' }).isDisabled());
  await noViolations('deletion');
  await dialog.getByLabel('Type placards to confirm').fill('placards');
  await dialog.getByRole('button', { name: 'Delete 1 picture' }).click();
  await page.getByText('No applications yet').waitFor();
  assert.notEqual(await code(key), 0);
  assert.deepEqual(browser.faults, []);
});

inBrowser('a leaked key is replaced without stopping anybody, and the log has who deleted what', async () => {
  await signInTo(page, stage, stage.administratorKey);
  await page.getByLabel('Name', { exact: true }).fill('archive');
  await page.getByRole('button', { name: 'Create' }).click();
  const first = await secretShown();
  await stage.add(first, 'harbour.jpg', { picture: await photograph(2) });

  await page.getByRole('link', { name: 'Keys of archive' }).click();
  const form = page.getByRole('form', { name: 'New key' });
  await form.getByLabel(/^Name/).fill('picture archive');
  await form.getByLabel('delete pictures').check();
  await form.getByRole('button', { name: 'Create' }).click();
  const leaked = await secretShown();
  await page.getByRole('row', { name: /picture archive search delete/ }).waitFor();
  const client = searching(leaked);
  await noViolations('keys');

  await page.getByRole('button', { name: 'Replace picture archive' }).click();
  const rotation = page.getByRole('dialog');
  await rotation.getByLabel('The old key stays valid').selectOption('no longer: it ends at once');
  assert.doesNotMatch(
    await rotation.locator('p').allInnerTexts().then(String),
    /works|valid/,
    'only the choice says it',
  );
  await rotation.getByLabel('The old key stays valid').selectOption('for another hour');
  await noViolations('replacement');
  await page.getByRole('button', { name: 'Make the new key' }).click();
  const fresh = await secretShown();
  assert.notEqual(fresh, leaked);
  assert.deepEqual([await code(leaked), await code(fresh)], [0, 0], 'both work during the grace time');
  client.use(fresh);

  const rows = page.getByRole('row', { name: /picture archive/ });
  assert.equal(await rows.count(), 2);
  await rows
    .filter({ hasText: leaked.slice(0, 4) })
    .getByRole('button', { name: /^Revoke/ })
    .click();
  await page.getByRole('dialog').getByText('refused').waitFor();
  await page.getByRole('button', { name: 'Revoke it' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
  await rows.filter({ hasText: leaked.slice(0, 4) }).waitFor({ state: 'detached' });
  assert.notEqual(await code(leaked), 0);
  const codes = await client.stop();
  assert.ok(codes.length > 5 && codes.every((each) => each === 0), `searches meanwhile: ${codes.join(' ')}`);

  // somebody deletes a picture with that key, and the administrator sees who it was
  await page.getByRole('button', { name: 'Sign out' }).click();
  await page.getByLabel('Key', { exact: true }).waitFor();
  await signInTo(page, stage, fresh);
  await page.getByRole('link', { name: 'Pictures', exact: true }).click();
  await page.getByRole('button', { name: 'harbour.jpg' }).first().focus();
  await page.keyboard.press('Delete');
  await page.getByRole('button', { name: 'Sign out' }).click(); // which sends it
  await page.getByLabel('Key', { exact: true }).waitFor();
  await signInTo(page, stage, stage.administratorKey);
  await page.getByRole('link', { name: 'Administration' }).click();
  await page.getByRole('link', { name: 'Audit log' }).click();
  await page.getByRole('row', { name: /picture archive.* DeleteImage archive .*harbour\.jpg/ }).waitFor();
  await page.getByRole('row', { name: /first RevokeKey archive/ }).waitFor();
  const log = await page.getByRole('region', { name: 'Changes' }).innerText();
  for (const secret of [leaked, fresh, first, stage.administratorKey]) assert.doesNotMatch(log, new RegExp(secret));
  await noViolations('audit log');
});

inBrowser(
  'a key that may only search sees no view to add pictures, and one that administers sees its application alone',
  async () => {
    const first = stage.key('media-matching');
    await stage.add(first, 'a.jpg', { picture: await photograph(3) });
    const administration = async (operation: string, values: Record<string, string>): Promise<any> => {
      const address = new URL(stage.address);
      const path = `${address.origin}/api/v2.0/administration/json/${operation}`;
      return (
        await fetch(path, { method: 'POST', body: new URLSearchParams({ application_key: first, ...values }) })
      ).json();
    };
    const { secret } = await administration('CreateKey', { name: 'kiosk', scopes: 'search' });
    await signInTo(page, stage, secret);
    const views = (): Promise<string[]> => page.getByRole('navigation').getByRole('link').allInnerTexts();
    assert.deepEqual(await views(), ['Home', 'Search', 'Pictures', 'Review', 'Events', 'Compare', 'Status', 'Try it']);
    await page.getByRole('link', { name: 'Pictures', exact: true }).click();
    await page.getByText('1 picture', { exact: true }).waitFor();
    assert.equal(await page.getByRole('button', { name: /^Delete/ }).count(), 0);
    assert.equal(await page.getByRole('link', { name: 'Add pictures' }).count(), 0);
    await page.getByRole('button', { name: 'Sign out' }).click();
    await page.getByLabel('Key', { exact: true }).waitFor();

    await signInTo(page, stage, first);
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('heading', { name: 'media-matching', exact: true }).waitFor();
    assert.equal(await page.getByRole('list', { name: 'Applications' }).getByRole('listitem').count(), 1);
    assert.equal(await page.getByRole('form', { name: 'New application' }).count(), 0);
    await page.getByRole('link', { name: 'Audit log' }).click();
    await page.getByRole('row', { name: /CreateKey/ }).waitFor();
  },
);
