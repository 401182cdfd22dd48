import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { once } from 'node:events';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { buffer } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { consoleFolder } from '@sosia/console';
import { editedFolder, samplesFolder } from '@sosia/fixtures';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '@sosia/server';
import type { RunningServer } from '@sosia/server';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const examples = join(root, 'examples');
const run = promisify(execFile);
const tried = new Set(['README.md', 'browser-dna.html', 'check.py']); // with a browser, and with Python

let server: RunningServer;
let home: string;
let environment: Record<string, string | undefined>;
before(async () => {
  home = mkdtempSync(join(tmpdir(), 'sosia-examples-'));
  const flags = { data: join(home, 'data'), modify_port: '0', query_port: '0', stop_grace: '0', decode_workers: '1' };
  const options = { consoleFolder: fileURLToPath(consoleFolder) };
  server = await startServer(readConfig({ flags }), createLog('silent'), options);
  environment = {
    PATH: process.env['PATH'],
    SOSIA_MODIFY_URL: `http://127.0.0.1:${server.modifyPort}`,
    SOSIA_QUERY_URL: `http://127.0.0.1:${server.queryPort}`,
  };
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true, maxRetries: 20 });
});

function application(type: 'media-matching' | 'mobile-matching'): string {
  const store = openApplicationStore(join(home, 'data'));
  try {
    return createApplication(store, { type, name: type }).key;
  } finally {
    store.close();
  }
}

async function example(key: string, name: string, ...words: string[]): Promise<string> {
  tried.add(name);
  const program = name.endsWith('.py') ? 'python3' : process.execPath;
  const options = { cwd: home, env: { ...environment, SOSIA_KEY: key } };
  return (await run(program, [join(examples, name), ...words], options)).stdout;
}

const sample = (name: string): string => join(samplesFolder, name);
const edited = (name: string): string => join(editedFolder, name);
const python = spawnSync('python3', ['--version']).status === 0;

test('the check of an upload recognizes the same picture, an edited one, and a new one', async () => {
  const key = application('media-matching');
  await example(key, 'shop.mjs', 'add', 'archive/5', sample('kodim05.jpg'));
  assert.equal(await example(key, 'check-upload.mjs', sample('kodim05.jpg')), 'known: archive/5\n');
  assert.match(await example(key, 'check-upload.mjs', edited('kodim05-cropped.jpg')), /archive\/5/);
  assert.equal(await example(key, 'check-upload.mjs', sample('kodim08.jpg')), 'new\n');
  writeFileSync(join(home, 'text.jpg'), 'no picture');
  assert.match(await example(key, 'check-upload.mjs', 'text.jpg'), /^not a usable picture: Not a picture/);
});

test('the shop finds a product by a photograph, and nothing for another one', async () => {
  const key = application('mobile-matching');
  assert.match(await example(key, 'shop.mjs', 'add', 'SKU-23', sample('kodim23.jpg')), /^SKU-23 has grade \d of 4/);
  assert.match(await example(key, 'shop.mjs', 'find', edited('kodim23-rotated.jpg')), /^SKU-23 {2}0\.\d\d\n$/);
  assert.equal(await example(key, 'shop.mjs', 'find', sample('kodim01.jpg')), 'no product was recognized\n');
});

test('the queue holds blocked pictures back, and never passes what cannot be checked', async () => {
  const key = application('media-matching');
  await example(key, 'shop.mjs', 'add', 'blocked/1', sample('kodim20.jpg'));
  const uploads = join(home, 'uploads');
  mkdirSync(uploads);
  copyFileSync(edited('kodim20-mirrored.jpg'), join(uploads, 'a.jpg'));
  copyFileSync(sample('kodim08.jpg'), join(uploads, 'b.jpg'));
  writeFileSync(join(uploads, 'c.jpg'), 'no picture');
  const lines = (await example(key, 'moderation.mjs', uploads)).trim().split('\n');
  const results = lines.map((line) => JSON.parse(line) as { name: string; outcome: string });
  const outcomes = Object.fromEntries(results.map(({ name, outcome }) => [name, outcome]));
  assert.deepEqual(outcomes, { 'a.jpg': 'held', 'b.jpg': 'passed', 'c.jpg': 'review' });
});

test('Python adds a picture and finds it', { skip: !python && 'there is no Python' }, async () => {
  const key = application('media-matching');
  assert.equal(await example(key, 'check.py', 'add', 'one', sample('kodim05.jpg')), 'added one\n');
  assert.match(await example(key, 'check.py', 'find', edited('kodim05-cropped.jpg')), /^one 0\.\d+ \w+\n$/);
  await assert.rejects(example(key, 'check.py', 'add', 'one', sample('kodim05.jpg')), /refused with -2801/);
});

const chromium = ['chromium', 'chromium-browser', 'google-chrome'].find(
  (name) => spawnSync(name, ['--version']).status === 0,
);

test('the page sends DNA only, and shows the match', { skip: !chromium && 'there is no Chromium' }, async () => {
  const key = application('media-matching');
  await example(key, 'shop.mjs', 'add', 'five', sample('kodim05.jpg'));
  const picture = readFileSync(sample('kodim05.jpg'));
  // in the place of a person: gives the key and the picture, and reports what is shown
  const person = `<script type="module">
    const found = document.getElementById('found');
    const report = () => fetch('/shown', { method: 'POST', body: document.body.innerText });
    new MutationObserver(report).observe(found, { childList: true });
    document.getElementById('key').value = ${JSON.stringify(key)};
    const files = new DataTransfer();
    files.items.add(new File([await (await fetch('/picture')).arrayBuffer()], 'p.jpg', { type: 'image/jpeg' }));
    document.getElementById('picture').files = files.files;
    document.getElementById('picture').dispatchEvent(new Event('change'));
  </script>`;
  const bodies: Buffer[] = [];
  let show!: (text: string) => void;
  const shown = new Promise<string>((resolve) => (show = resolve));
  const origin = createServer((request, response) => {
    void (async () => {
      const path = request.url!;
      const body = await buffer(request);
      if (path === '/shown') show(String(body));
      if (path === '/picture') return void response.end(picture);
      if (path === '/page')
        return void response
          .writeHead(200, { 'content-type': 'text/html' })
          .end(readFileSync(join(examples, 'browser-dna.html'), 'utf8') + person);
      if (!/^\/(api|console)\//.test(path)) return void response.end();
      const api = path.startsWith('/api/');
      if (api) bodies.push(body);
      const base = environment[api ? 'SOSIA_QUERY_URL' : 'SOSIA_MODIFY_URL']!;
      const sent = api
        ? { headers: { 'content-type': request.headers['content-type']! }, body: Uint8Array.from(body) }
        : {};
      const answer = await fetch(base + path, { method: request.method!, ...sent });
      const policy = answer.headers.get('content-security-policy');
      response.writeHead(answer.status, {
        'content-type': answer.headers.get('content-type') ?? 'application/octet-stream',
        ...(policy !== null && { 'content-security-policy': policy }),
      });
      response.end(Buffer.from(await answer.arrayBuffer()));
    })();
  });
  await once(origin.listen(0, '127.0.0.1'), 'listening');
  const address = `http://127.0.0.1:${(origin.address() as AddressInfo).port}/page`;
  const flags = ['--headless', '--no-sandbox', '--disable-gpu', '--no-first-run', '--disable-background-networking'];
  const browser = execFile(chromium!, [...flags, `--user-data-dir=${join(home, 'browser')}`, address]);
  const ended = once(browser, 'exit');
  try {
    const text = await Promise.race([shown, ended.then(() => 'the browser ended')]);
    assert.match(text, /bytes of DNA sent for a picture of \d+ bytes/);
    assert.match(text, /five 0/);
    assert.equal(bodies.length, 1);
    assert.ok(bodies[0]!.indexOf(picture.subarray(100, 200)) === -1, 'the picture was sent');
  } finally {
    browser.kill();
    await ended;
    origin.closeAllConnections();
    origin.close();
  }
});

test('this file runs every example', () => {
  assert.deepEqual(readdirSync(examples).sort(), [...tried].sort());
});
