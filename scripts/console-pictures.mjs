// Makes docs/pictures/console.jpg: the console in a browser, with the samples. `node scripts/console-pictures.mjs` after a build
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openBrowser, photograph, signInTo, startStage } from '../console/dist/browser.test.kit.js';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

mkdirSync(at('docs/pictures'), { recursive: true });
const stage = await startStage();
const browser = await openBrowser({ viewport: { width: 1180, height: 640 }, colorScheme: 'light' });
const { page } = browser;
try {
  const key = stage.key('media-matching');
  for (let i = 1; i <= 24; i++) {
    await stage.add(key, `kodim/${String(i).padStart(2, '0')}.jpg`, { picture: await photograph(i) });
  }
  await signInTo(page, stage, key);
  await page.locator('input[type=file]').setInputFiles(at('fixtures/edited/kodim15-pasted.jpg'));
  await page.getByRole('listitem').getByRole('button', { name: 'kodim/15.jpg' }).click();
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.getByRole('button', { name: /correspondences/ }).waitFor();
  await page.mouse.move(0, 0);
  await sharp(await page.screenshot())
    .jpeg({ quality: 80, mozjpeg: true })
    .toFile(at('docs/pictures/console.jpg'));
} finally {
  await browser.close();
  await stage.close();
}
