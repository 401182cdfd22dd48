import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { openBrowser, withoutBrowser } from '@sosia/console/browser';
import { end, Services } from '../testing/service.test.kit.ts';

const services = new Services();
after(() => services.close());

test('the key on the terminal opens the page on the terminal', { skip: withoutBrowser }, async (t) => {
  const { child, says } = await services.start('serve', 'data');
  const [, key] = await says(/administrator's key[^]*?\n {2}(\w+)\n/);
  const [, address] = await says(/Sign in with it at (\S+) /);
  const { page, faults, close } = await openBrowser();
  t.after(close);
  await page.goto(address!);
  await page.getByLabel('Key', { exact: true }).fill(key!);
  await page.getByRole('button', { name: 'Sign in' }).click();
  await page.getByText('No applications yet').waitFor();
  assert.deepEqual(faults, []);
  assert.equal(await end(child), 0);
});
