import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { samplesFolder } from '@sosia/fixtures';
import { createApplication, createLog, openApplicationStore, readConfig, startServer } from '@sosia/server';
import type { RunningServer } from '@sosia/server';

const bin = fileURLToPath(new URL('../bin/sosia.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-import-'));
const data = join(home, 'data');
let server: RunningServer;
before(async () => {
  const flags = { data, modify_port: '0', query_port: '0', search_workers: '1', decode_workers: '1', stop_grace: '0' };
  server = await startServer(readConfig({ flags }), createLog('silent'));
  mkdirSync(join(home, 'pictures', 'sea', 'deep'), { recursive: true });
  const put = (name: string, path: string) => cpSync(join(samplesFolder, name), join(home, 'pictures', path));
  put('kodim01.jpg', 'sea/one.jpg');
  put('kodim02.jpg', 'sea/deep/two.jpg');
  put('kodim03.jpg', 'three');
  writeFileSync(join(home, 'pictures', 'notes.txt'), 'to be read');
});
after(async () => {
  await server.close();
  rmSync(home, { recursive: true });
});

function newKey(): string {
  const store = openApplicationStore(data);
  try {
    return createApplication(store, { type: 'media-matching', name: 'mine' }).key;
  } finally {
    store.close();
  }
}

function start(key: string, ...words: string[]) {
  const env = {
    PATH: process.env['PATH'],
    SOSIA_KEY: key,
    SOSIA_MODIFY_URL: `http://127.0.0.1:${server.modifyPort}`,
    SOSIA_QUERY_URL: `http://127.0.0.1:${server.queryPort}`,
  };
  return spawn(process.execPath, [bin, ...words], { cwd: home, env, stdio: ['ignore', 'pipe', 'pipe'] });
}

async function sosia(key: string, ...words: string[]) {
  const child = start(key, ...words);
  const [[code], out, err] = await Promise.all([once(child, 'exit'), text(child.stdout), text(child.stderr)]);
  return { code: code as number, out, err };
}

const jsonLines = (path: string) =>
  readFileSync(join(home, path), 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line));

test('a folder goes in with ids from paths and keywords from folders; what is no picture is told', async () => {
  const key = newKey();
  const words = ['import', 'pictures', '--keywords-from', 'folders', '--json'];
  const first = await sosia(key, ...words);
  assert.equal(first.code, 0, first.err);
  const { seconds, ...summary } = JSON.parse(first.out);
  const report = 'pictures.import.jsonl';
  assert.deepEqual(summary, { added: 3, there_before: 0, failed: 0, no_pictures: 1, report });
  assert.deepEqual(jsonLines(report), [{ path: 'pictures/notes.txt', why: 'no picture', fault: false }]);
  assert.ok(!existsSync(join(home, `${report}.journal`)));

  const address = `http://127.0.0.1:${server.queryPort}/api/v2.0/enginequery/json/GetImageById`;
  const asked = await fetch(`${address}?application_key=${key}&image_id=sea/deep/two.jpg`);
  assert.deepEqual(((await asked.json()) as any).image.keywords, ['sea', 'deep']);
  assert.equal(JSON.parse((await sosia(key, ...words)).out).there_before, 3);
});

test('a dry run tells all and sends nothing', async () => {
  const key = newKey();
  const { code, out, err } = await sosia(key, 'import', 'pictures', '--dry-run');
  assert.equal(code, 0);
  assert.match(out, /^add {3}sea\/one\.jpg$/m);
  assert.match(out, /^skip {2}pictures\/notes\.txt {2}no picture$/m);
  assert.match(err, /3 would be added, 1 would not/);
  assert.equal(JSON.parse((await sosia(key, 'status', '--json')).out).pictures, 0);
});

test('lists name ids and keywords; each line that cannot be used is in the report and ends with 1', async () => {
  const key = newKey();
  writeFileSync(join(home, 'pictures', 'broken.jpg'), 'no picture at all');
  writeFileSync(
    join(home, 'list.csv'),
    'image_id,path,keywords\n"a, ""b""",pictures/three,sea; sky\na2,pictures/gone.jpg,\na3,pictures/broken.jpg,\n,,x\n',
  );
  const { code, out, err } = await sosia(key, 'import', 'list.csv', '--json');
  rmSync(join(home, 'pictures', 'broken.jpg'));
  assert.equal(code, 1);
  assert.match(err, /3 failed; list\.csv\.import\.jsonl tells/);
  assert.equal(JSON.parse(out).added, 1);
  const report = jsonLines('list.csv.import.jsonl');
  assert.deepEqual(report.map(({ code }) => code).sort(), [-1010, undefined, undefined]);
  assert.match(report.map(({ why }) => why).join(), /expected a path.*ENOENT|expected a path.*Not a picture/s);
});

test('killed in the middle, a run started again repeats nothing and loses nothing', async () => {
  const key = newKey();
  cpSync(samplesFolder, join(home, 'many'), { recursive: true });
  const child = start(key, 'import', 'many', '--parallel', '2');
  const journal = join(home, 'many.import.jsonl.journal');
  const entries = () => (existsSync(journal) ? readFileSync(journal, 'utf8').split('\n').length - 2 : 0);
  while (entries() < 3) await new Promise((resolve) => setTimeout(resolve, 5));
  child.kill('SIGKILL');
  await once(child, 'exit');
  const done = entries();
  assert.ok(done >= 3 && done < 24, `${done}`);
  writeFileSync(journal, '"torn', { flag: 'a' });

  const other = await sosia(newKey(), 'import', 'many');
  assert.equal(other.code, 1);
  assert.match(other.err, /the journal of another import/);

  const { code, out, err } = await sosia(key, 'import', 'many', '--json');
  assert.equal(code, 0, err);
  assert.match(err, new RegExp(`${done} of 24 are done`));
  const { added, there_before } = JSON.parse(out);
  assert.equal(added + there_before, 24);
  assert.ok(there_before >= done && there_before <= done + 2); // two were under way
  assert.equal(JSON.parse((await sosia(key, 'status', '--json')).out).pictures, 24);
  assert.ok(!existsSync(journal));
  assert.equal(readdirSync(samplesFolder).length, 25); // with SOURCES.md
});

test('a wrong key, a dead server and a wrong command line end with words', async () => {
  const dead = ['--modify-url', 'http://127.0.0.1:9'];
  for (const [key, words, expected, sentence] of [
    ['nobody', ['import', 'pictures'], 1, /Unknown application key/],
    ['k', ['import', 'pictures', ...dead], 1, /no answer from http:\/\/127\.0\.0\.1:9: /],
    ['k', ['import', 'nowhere', '--dry-run'], 1, /there is no nowhere/],
    ['k', ['import'], 2, /missing required argument 'source'/],
    ['k', ['import', 'pictures', '--parallel', '0'], 2, /whole number from 1 to 64/],
    ['', ['import', 'pictures'], 1, /Unknown application key|--app/],
  ] as const) {
    const { code, err, out } = await sosia(key, ...words);
    assert.equal(code, expected, err);
    assert.match(err, sentence);
    assert.equal(out, '');
  }
});
