import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cp, mkdir, mkdtemp, readFile, readdir, rm, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { editedFolder, samplesFolder } from '@sosia/fixtures';
import { photograph, startService } from './service.test.kit.ts';
import type { Service } from './service.test.kit.ts';
import type { Connection } from './wire.ts';

const workspace = fileURLToPath(new URL('../', import.meta.url));
const tried = new Set(['browser.html']); // if there is a browser

let service: Service;
let connection: Connection;
let scratch: string;
before(async () => {
  service = await startService();
  connection = service.application('media-matching');
  scratch = await mkdtemp(join(tmpdir(), 'sosia-examples-'));
});
after(async () => {
  await service.close();
  await rm(scratch, { recursive: true, maxRetries: 20 }); // a browser's last processes end a little later
});

async function run(name: string, ...words: string[]): Promise<string> {
  tried.add(name);
  const { key, modify, query } = connection;
  const env = { PATH: process.env['PATH'], SOSIA_KEY: key, SOSIA_MODIFY_URL: modify, SOSIA_QUERY_URL: query };
  const all = [join(workspace, 'examples', name), ...words];
  return (await promisify(execFile)(process.execPath, all, { env, cwd: scratch })).stdout;
}

test('add-folder.mjs adds a folder and lists the pictures that it could not add', async () => {
  const folder = join(scratch, 'pictures');
  await mkdir(folder);
  for (const name of ['kodim05.jpg', 'kodim23.jpg']) await cp(join(samplesFolder, name), join(folder, name));
  await cp(join(samplesFolder, 'kodim05.jpg'), join(folder, 'the same.jpg'));
  await writeFile(join(folder, 'notes.txt'), 'no picture');
  assert.match(await run('add-folder.mjs', folder), /^notes\.txt: Not a picture: .*\n3 pictures\n$/);
});

test('find-copies.mjs finds the original of an edited picture, and reports a refusal', async () => {
  const found = await run('find-copies.mjs', join(editedFolder, 'kodim23-rotated.jpg'));
  assert.match(found, /^1 found\nkodim23\.jpg 0\.\d+ Match\n$/);
  assert.match(await run('find-copies.mjs', join(scratch, 'pictures', 'notes.txt')), /^refused with -1010: /);
});

test('same-pictures.mjs lists copies once', async () => {
  assert.equal(await run('same-pictures.mjs'), 'kodim05.jpg = the same.jpg\n');
});

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

test('browser.html searches in a browser', { skip: !chromium && 'no Chromium here' }, async () => {
  const picture = await photograph(23);
  // replaces the actions of a person by a script, which returns the displayed result
  const person = `<script type="module">
    const found = document.getElementById('found');
    new MutationObserver(() => fetch('/shown', { method: 'POST', body: found.textContent })).observe(found, { childList: true });
    document.getElementById('key').value = ${JSON.stringify(connection.key)};
    const files = new DataTransfer();
    files.items.add(new File([await (await fetch('/picture')).arrayBuffer()], 'p.jpg'));
    document.getElementById('picture').files = files.files;
    document.getElementById('picture').dispatchEvent(new Event('change'));
  </script>`;
  let show: (text: string) => void;
  const shown = new Promise<string>((resolve) => (show = resolve));
  const origin = createServer(async (request, response) => {
    const path = request.url!;
    const body = await buffer(request);
    if (path === '/shown') show(String(body));
    if (path === '/shown' || path === '/favicon.ico') return void response.end();
    if (path === '/picture') return void response.end(picture);
    if (path.startsWith('/api/')) {
      const base = path.includes('/enginemodify/') ? connection.modify : connection.query;
      const headers = { 'content-type': request.headers['content-type']! };
      const answer = await fetch(base + path, { method: 'POST', headers, body: Uint8Array.from(body) });
      return void response.writeHead(answer.status).end(await answer.text());
    }
    const content = await readFile(join(workspace, path));
    const html = path.endsWith('.html');
    response.writeHead(200, { 'content-type': html ? 'text/html' : 'text/javascript' });
    response.end(html ? content.toString() + person : content);
  });
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const flags =
    '--headless --no-sandbox --disable-gpu --disable-quic --no-first-run --disable-background-networking --disable-component-update --disable-sync';
  const words = [...flags.split(' '), `--user-data-dir=${join(scratch, 'browser')}`];
  const address = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/examples/browser.html`;
  const browser = spawn(chromium!, [...words, address], { stdio: 'ignore' });
  const ended = once(browser, 'exit');
  try {
    const closed = ended.then(() => 'the browser ended');
    assert.equal(await Promise.race([shown, closed]), 'kodim23.jpg 0');
  } finally {
    browser.kill();
    await ended;
    origin.closeAllConnections();
    origin.close();
  }
});

test('this file tests every example', async () => {
  assert.deepEqual((await readdir(join(workspace, 'examples'))).sort(), [...tried].sort());
});
