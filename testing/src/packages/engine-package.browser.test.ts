import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { extname, join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { Engine as EngineOfPage } from '@sosia/browser';
import { browser, inBrowser, onStage, page, photograph, samplePath, stage } from '@sosia/console/browser';
import { editedFolder } from '@sosia/fixtures';
import sharp from 'sharp';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-engine-package-'));
const folder = join(home, 'files');
let tarball: string;

/** Any web server that serves files. */
const site = createServer(({ url }, response) => {
  const types: Record<string, string> = { '.html': 'text/html', '.js': 'text/javascript' };
  const path = join(folder, url!);
  const found = existsSync(path);
  response.writeHead(found ? 200 : 404, { 'content-type': types[extname(path)] ?? 'text/plain' });
  response.end(found ? readFileSync(path) : '');
});
const address = (): string => `http://127.0.0.1:${(site.address() as AddressInfo).port}`;

/** Set in the page. */
declare const Engine: new (options?: { worker: string }) => EngineOfPage;

async function openPage(): Promise<void> {
  await page.goto(`${address()}/examples/two-pictures.html`);
  const content = `import { Engine } from ${JSON.stringify('/dist/index.js')}; globalThis.Engine = Engine;`;
  await page.addScriptTag({ type: 'module', content });
  await page.waitForFunction('globalThis.Engine');
}

onStage();
before(async () => {
  const pack = [join(root, 'scripts/pack.mjs'), join(home, 'packed'), 'engine'];
  tarball = String(execFileSync(process.execPath, pack)).trim();
  mkdirSync(folder);
  execFileSync('tar', ['xzf', tarball, '-C', folder, '--strip-components=1']);
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
});
after(() => {
  site.close();
  site.closeAllConnections();
  rmSync(home, { recursive: true });
});

test('the engine for browsers has at most 350 KB as a tarball', () => {
  assert.ok(statSync(tarball).size <= 350_000, `${statSync(tarball).size} bytes`);
});

inBrowser('the example shows where a picture appears in another, and says what it cannot read', async () => {
  await page.goto(`${address()}/examples/two-pictures.html`);
  const [reference, query] = [page.getByLabel('The picture to find'), page.getByLabel('The picture to look in')];
  await reference.setInputFiles(samplePath(23));
  await query.setInputFiles(join(editedFolder, 'kodim23-rotated.jpg'));
  await page.getByText(/^(Clone|Match): (copy|part), \d+(\.\d)? % in common$/).waitFor();
  assert.ok(await page.locator('canvas').evaluate((canvas: HTMLCanvasElement) => canvas.width > 300));

  await query.setInputFiles(samplePath(5));
  await page.getByText('The pictures do not match').waitFor();
  const text = join(home, 'text.jpg');
  writeFileSync(text, 'no picture');
  await query.setInputFiles(text);
  await page.getByText('This browser cannot decode the picture').waitFor();
  assert.deepEqual(browser.faults, []);
});

inBrowser('a pair matches as in the service, with the same DNA, score, similarity and result_info', async () => {
  const whole = await sharp(await photograph(23))
    .resize(480)
    .png()
    .toBuffer();
  const part = await sharp(whole).extract({ left: 60, top: 40, width: 300, height: 220 }).png().toBuffer();
  await openPage();
  for (const type of ['media-matching', 'mobile-matching', 'brand-monitoring', 'image-similarity'] as const) {
    const key = stage.key(type);
    await stage.add(key, 'whole', { picture: whole });
    const values = { application_key: key, image_content: part, similarity: '1' };
    const [expected] = (await stage.query('SearchImageByUpload', values)).images;
    const { dna } = await stage.modify('GetDnaById', { application_key: key, image_id: 'whole' });

    const matched = await page.evaluate(
      async ({ whole, part, type }) => {
        const blobOf = (text: string) => new Blob([Uint8Array.from(atob(text), (letter) => letter.charCodeAt(0))]);
        const engine = new Engine();
        const described = await engine.describe(blobOf(whole), type, 'reference');
        const match = await engine.match(blobOf(part), described, type);
        engine.close();
        return { match, dna: btoa(Array.from(described, (byte) => String.fromCharCode(byte)).join('')) };
      },
      { whole: whole.toString('base64'), part: part.toString('base64'), type },
    );
    assert.equal(matched.dna, dna.dna, type);
    const { score, similarity, resultInfo } = matched.match!;
    assert.deepEqual({ score, similarity }, { score: expected.score, similarity: expected.similarity }, type);
    assert.equal(JSON.stringify(resultInfo), expected.result_info, type);
  }
});

inBrowser('what is no DNA, a plain picture, and a worker that does not load are named', async () => {
  await openPage();
  const plain = await sharp({ create: { width: 200, height: 200, channels: 3, background: '#888' } })
    .png()
    .toBuffer();
  const faults = await page.evaluate(async (plain) => {
    const faultOf = (work: Promise<unknown>) => work.then(String, ({ fault }: { fault: string }) => fault);
    const picture = new Blob([Uint8Array.from(atob(plain), (letter) => letter.charCodeAt(0))]);
    const [engine, lost] = [new Engine(), new Engine({ worker: '/missing.js' })];
    return [
      await faultOf(engine.match(new Uint8Array(9), new Uint8Array(9), 'media-matching')),
      await faultOf(engine.describe(picture, 'media-matching', 'query')),
      await faultOf(engine.describe(new Blob(['text']), 'media-matching', 'query')),
      await faultOf(lost.describe(picture, 'media-matching', 'query')),
    ];
  }, plain.toString('base64'));
  assert.deepEqual(faults, ['not a DNA', 'not enough information', 'not a picture', 'no engine']);
});
