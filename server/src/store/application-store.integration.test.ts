import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'libsql';
import { Failure } from '../errors.ts';
import { openApplicationStore } from './application-store.ts';
import { application, key } from './application.test.kit.ts';
import type { Damage } from './store.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-applications-'));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;
const newFolder = () => join(scratch, `data-${++folders}`);

/** Runs lines in another process, with `store` open on the folder. */
async function elsewhere(folder: string, lines: string): Promise<string> {
  const module = new URL('./application-store.js', import.meta.url).href;
  const program = `const { openApplicationStore } = await import(process.argv[1]);
    const store = openApplicationStore(process.argv[2]);
    ${lines}
    store.close();`;
  const child = spawn(process.execPath, ['--input-type=module', '-e', program, module, folder], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let said = '';
  child.stdout.on('data', (text) => (said += text));
  const [code] = await once(child, 'close');
  assert.equal(code, 0);
  return said;
}

test('an application and its key are known, now and after a reopening', () => {
  const folder = newFolder();
  const store = openApplicationStore(folder);
  const created = store.create(application('posters'));
  assert.deepEqual(created, { number: 1, ...application('posters') });
  assert.deepEqual(
    ['posters', 'other'].map((name) => store.knows(key(name).digest)),
    [true, false],
  );
  store.close();
  const again = openApplicationStore(folder);
  assert.deepEqual(again.list(), [created]);
  again.close();
});

test('an update changes the given fields and nothing else', () => {
  const store = openApplicationStore(newFolder());
  store.create(application('a'));
  store.create(application('b'));
  const defaults = { nbResults: 20, colorWeight: 0, retrievalThreshold: 0.5 };
  store.update(2, { enabled: false, defaults });
  assert.deepEqual(store.list(), [
    { number: 1, ...application('a') },
    { number: 2, ...application('b'), enabled: false, defaults },
  ]);
  assert.throws(
    () => store.update(3, { name: 'c' }),
    (cause) => cause instanceof Failure && cause.error === 'UNKNOWN_APPLICATION',
  );
  store.close();
});

test('a deleted application is absent, is listed as deleted, keeps nothing of its key and never releases its number', () => {
  const folder = newFolder();
  let store = openApplicationStore(folder);
  store.create(application('a'));
  store.delete(1);
  assert.equal(store.knows(key('a').digest), false);
  assert.deepEqual([store.list(), store.deleted()], [[], [1]]);
  assert.throws(() => store.update(1, { enabled: true }), Failure);
  store.close();
  store = openApplicationStore(folder);
  assert.equal(store.create(application('a')).number, 2);
  assert.deepEqual(store.deleted(), [1]);
  store.close();
});

test('the revision changes with every change, by this or another process, and stays the same without one', async () => {
  const folder = newFolder();
  const store = openApplicationStore(folder);
  const revisions = [store.revision()];
  const changed = () => {
    const revision = store.revision();
    assert.equal(store.revision(), revision);
    assert.ok(!revisions.includes(revision));
    revisions.push(revision);
  };
  store.create(application('a'));
  changed();
  assert.equal(await elsewhere(folder, 'console.log(store.list().map((it) => it.name).join())'), 'a\n');
  revisions.push(store.revision()); // may have changed, since the other process wrote the log to the database
  await elsewhere(folder, 'store.update(1, { enabled: false });');
  changed();
  assert.equal(store.list()[0]?.enabled, false);
  store.update(1, { enabled: true });
  changed();
  await elsewhere(folder, 'store.delete(1);');
  changed();
  assert.deepEqual(store.list(), []);
  store.close();
});

test('eight processes may create the folder and their applications at the same time', async () => {
  const folder = newFolder();
  const create = `for (let i = 0; i < 5; i++) store.create({ ...${JSON.stringify(application('a'))}, name: process.pid + '-' + i });`;
  await Promise.all(Array.from({ length: 8 }, () => elsewhere(folder, create)));
  const store = openApplicationStore(folder, (damage) => assert.fail(damage.what));
  assert.deepEqual(
    store.list().map(({ number }) => number),
    Array.from({ length: 40 }, (_, i) => i + 1),
  );
  assert.equal(new Set(store.list().map(({ name }) => name)).size, 40);
  store.close();
});

test('a damaged application is reported once and left out, a missing row is detected, and the others are served', () => {
  const folder = newFolder();
  let store = openApplicationStore(folder);
  for (const name of ['a', 'b', 'c']) store.create(application(name));
  store.close();

  const breaker = new Database(join(folder, 'applications.db'));
  breaker.exec(`UPDATE applications SET record = replace(record, '"enabled":true', '"enabled":null') WHERE number = 1`);
  breaker.exec('DELETE FROM applications WHERE number = 2');

  const damages: Damage[] = [];
  store = openApplicationStore(folder, (damage) => damages.push(damage));
  assert.deepEqual(
    store.list().map(({ name }) => name),
    ['c'],
  );
  assert.deepEqual(store.deleted(), []);
  store.update(3, { name: 'd' });
  assert.deepEqual(
    store.list().map(({ name }) => name),
    ['d'],
  );
  assert.deepEqual(
    damages.map(({ application }) => application),
    [1, 2],
  );
  assert.match(damages[0]!.what, /expected the checksum \d+, found \d+/);
  assert.match(damages[1]!.what, /row is missing/);
  store.close();
  breaker.close();
});
