// Makes the pictures of docs/console.md: the console in a browser, with the samples. `node scripts/console-pictures.mjs` after a build
import { mkdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import sharp from 'sharp';
import { openBrowser, photograph, signInTo, startStage } from '../console/dist/browser.test.kit.js';

const at = (path) => fileURLToPath(new URL(`../${path}`, import.meta.url));

mkdirSync(at('docs/pictures'), { recursive: true });
const stage = await startStage();
const browser = await openBrowser({ viewport: { width: 1400, height: 860 }, colorScheme: 'light' });
const { page } = browser;

/** 1,000 pixels wide, as pages show it. */
async function take(name) {
  await page.mouse.move(0, 0);
  await page.waitForTimeout(400);
  await sharp(await page.screenshot())
    .resize(1000)
    .jpeg({ quality: 76, mozjpeg: true })
    .toFile(at(`docs/pictures/${name}.jpg`));
}

try {
  const key = stage.key('media-matching');
  for (let i = 1; i <= 24; i++) {
    const picture = await photograph(i);
    await stage.add(key, `kodim/${String(i).padStart(2, '0')}.jpg`, { picture, keywords: ['kodim'] });
    if (i > 5) continue;
    const small = await sharp(picture).resize(400).jpeg().toBuffer();
    await stage.add(key, `web/${String(i).padStart(2, '0')}-small.jpg`, { picture: small, keywords: ['web'] });
  }
  await signInTo(page, stage, key, '#search');
  const chooser = page.locator('input[type=file]').first();
  for (const name of ['kodim05-cropped', 'kodim20-mirrored', 'kodim15-pasted']) {
    await chooser.setInputFiles(at(`fixtures/edited/${name}.jpg`));
    await page.getByAltText(`The query, ${name}.jpg`).waitFor();
    await page.getByText(/pictures? found/).waitFor();
    await page.waitForTimeout(1500);
  }
  await page.getByRole('listitem').getByRole('button', { name: 'kodim/15.jpg' }).click();
  await page.getByRole('button', { name: 'Why?' }).click();
  await page.getByRole('button', { name: /correspondences/ }).waitFor();
  await take('console');
  await page.keyboard.press('Escape');

  await page.getByRole('link', { name: 'Review' }).click();
  await page.getByRole('button', { name: 'Find duplicates' }).click();
  await page.getByText('5 groups left').waitFor();
  await page.getByText(/^All .* compared$/).waitFor();
  await take('console-review');

  await page.getByRole('link', { name: 'Home' }).click();
  await page.getByText('Recent searches').waitFor();
  await take('console-home');
} finally {
  await browser.close();
  await stage.close();
}
