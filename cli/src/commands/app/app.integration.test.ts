import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';

const bin = fileURLToPath(new URL('../../../bin/sosia.js', import.meta.url));
const home = mkdtempSync(join(tmpdir(), 'sosia-app-'));
after(() => rmSync(home, { recursive: true }));

let folders = 0;
const newFolder = (): string => join(home, String(++folders));

/** Runs the command in `home`, with nothing of the tests' own environment. */
function sosia(...words: string[]): { code: number | null; out: string; err: string } {
  const env = { PATH: process.env['PATH'] };
  const { status, stdout, stderr } = spawnSync(process.execPath, [bin, ...words], { encoding: 'utf8', cwd: home, env });
  return { code: status, out: stdout, err: stderr };
}

function json(...words: string[]) {
  const { code, out, err } = sosia(...words, '--json');
  assert.equal(code, 0, err);
  return JSON.parse(out);
}

const posters = ['--type', 'media-matching', '--name', 'posters'];

test('create prints the key, the type and the name, and creates ./data by default', () => {
  const made = json('app', 'create', ...posters);
  assert.deepEqual(Object.keys(made), ['application_key', 'type', 'name']);
  assert.match(made.application_key, /^[A-Za-z0-9]{32}$/);
  assert.deepEqual([made.type, made.name], ['media-matching', 'posters']);
  assert.ok(existsSync(join(home, 'data')));
  assert.equal(json('app', 'list').length, 1);
});

test('without --json the key is the last word of one line of stdout', () => {
  const { out, err } = sosia('app', 'create', ...posters, '--data', newFolder());
  assert.match(out, /^application_key {2}[A-Za-z0-9]{32}\n$/);
  assert.match(err, /cannot be printed again/);
});

test('an application of any type can be made', () => {
  const data = newFolder();
  for (const type of ['image-similarity', 'color-similarity', 'mobile-matching', 'brand-monitoring', 'filter']) {
    assert.equal(json('app', 'create', '--type', type, '--name', type, '--data', data).type, type);
  }
  assert.equal(json('app', 'list', '--data', data).length, 5);
});

test('an application is shown by key, by name and by number, never with its key', () => {
  const data = newFolder();
  const { application_key: key } = json('app', 'create', ...posters, '--data', data, '--nb-results', '7');
  const expected = {
    number: 1,
    name: 'posters',
    type: 'media-matching',
    enabled: true,
    key: `${key.slice(0, 4)}...`,
    nb_results: 7,
    color_weight: 50,
    retrieval_threshold: 1,
    thumbnails: 'on',
    background: 'counted',
  };
  for (const selector of [key, 'posters', '1']) {
    assert.deepEqual(json('app', 'show', selector, '--data', data), expected);
  }
  assert.deepEqual(json('app', 'list', '--data', data), [expected]);
  assert.match(sosia('app', 'list', '--data', data).out, /^number {2}name .*\n1 {7}posters .*\n$/);
});

test('set changes the given settings and nothing else; disable and enable switch', () => {
  const data = newFolder();
  json('app', 'create', ...posters, '--data', data);
  json(
    'app',
    'set',
    'posters',
    '--retrieval-threshold',
    '0.5',
    '--color-weight',
    '0',
    '--name',
    'bills',
    '--data',
    data,
  );
  assert.equal(json('app', 'disable', 'bills', '--data', data).enabled, false);
  const shown = json('app', 'show', 'bills', '--data', data);
  assert.deepEqual(
    [shown.nb_results, shown.color_weight, shown.retrieval_threshold, shown.enabled],
    [10, 0, 0.5, false],
  );
  assert.equal(json('app', 'enable', 'bills', '--data', data).enabled, true);
  assert.equal(shown.thumbnails, 'on');
  assert.equal(json('app', 'set', 'bills', '--thumbnails', 'off', '--data', data).thumbnails, 'off');
  assert.equal(json('app', 'set', 'bills', '--nb-results', '9', '--data', data).thumbnails, 'off');
});

test('a background is ignored on request, by types with colours', () => {
  const data = newFolder();
  const create = (type: string) =>
    sosia('app', 'create', '--type', type, '--name', type, '--ignore-background', '--data', data);
  for (const type of ['color-similarity', 'image-similarity']) {
    assert.equal(create(type).code, 0);
    assert.equal(json('app', 'show', type, '--data', data).background, 'ignored');
  }
  const refused = create('media-matching');
  assert.equal(refused.code, 1);
  assert.match(refused.err, /--ignore-background is not for media-matching/);
});

test('delete needs --yes where there is no terminal to ask on', () => {
  const data = newFolder();
  json('app', 'create', ...posters, '--data', data);
  const refused = sosia('app', 'delete', 'posters', '--data', data);
  assert.equal(refused.code, 1);
  assert.match(refused.err, /use --yes/);
  assert.deepEqual(json('app', 'delete', 'posters', '--yes', '--data', data), {
    deleted: true,
    number: 1,
    name: 'posters',
  });
  assert.deepEqual(json('app', 'list', '--data', data), []);
  assert.match(
    sosia('app', 'show', 'posters', '--data', data).err,
    /no application has the key, the name or the number/,
  );
});

test('of two applications with one name, none is taken by name', () => {
  const data = newFolder();
  json('app', 'create', ...posters, '--data', data);
  json('app', 'create', ...posters, '--data', data);
  const { code, err } = sosia('app', 'disable', 'posters', '--data', data);
  assert.equal(code, 1);
  assert.match(err, /2 applications are called posters; give the key or one of the numbers 1, 2/);
});

test('a command line that cannot be used ends with 2 and says what was expected', () => {
  const data = newFolder();
  for (const [words, expected] of [
    [['app', 'create', '--type', 'painting', '--name', 'x'], /image-similarity, color-similarity, mobile-matching/],
    [['app', 'create', '--type', 'filter'], /--name/],
    [['app', 'create', '--type', 'filter', '--name', ' '], /1 to 100 characters/],
    [['app', 'create', ...posters, '--nb-results', '1001'], /whole number from 1 to 1000/],
    [['app', 'set', 'x', '--retrieval-threshold', '0'], /above 0, at most 1/],
    [['app', 'paint'], /unknown command/],
    [['serve', '--moodify-port', '1'], /unknown option/],
    [['serve', '--modify-port', '65536'], /--modify-port: expected a whole number from 0 to 65535, got "65536"/],
  ] as const) {
    const { code, err, out } = sosia(...words, '--data', data);
    assert.equal(code, 2, words.join(' '));
    assert.match(err, expected);
    assert.equal(out, '');
  }
  assert.ok(!existsSync(data));
});

test('reading from a folder that is not there fails and does not make it', () => {
  const data = newFolder();
  const { code, err } = sosia('app', 'list', '--data', data);
  assert.equal(code, 1);
  assert.match(err, /there is no data folder/);
  assert.ok(!existsSync(data));
});

test('help has examples, the version is that of the package, and both end with 0', () => {
  for (const words of [[], ['app'], ['serve']]) {
    const { code, out } = sosia(...words, '--help');
    assert.equal(code, 0);
    assert.match(out, /\$ sosia/);
  }
  assert.match(sosia('serve', '--help').out, /SOSIA_QUERY_PORT/);
  assert.match(sosia('--version').out, /^\d+\.\d+\.\d+\n$/);
});
