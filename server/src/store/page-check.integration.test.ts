import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { Metrics } from '../metrics/metrics.ts';
import { dnaOf } from './dna.test.kit.ts';
import { fileNames } from './folder.ts';
import { lockImageStore, openImageStore } from './image-store.ts';
import { checkPages } from './page-check.ts';

const folder = mkdtempSync(join(tmpdir(), 'sosia-page-check-'));
after(() => rmSync(folder, { recursive: true, force: true }));

const database = new Database(join(folder, fileNames.images));
database.exec(`CREATE TABLE numbers (number INTEGER PRIMARY KEY, text TEXT);
  CREATE INDEX by_text ON numbers (text);
  INSERT INTO numbers WITH RECURSIVE all_numbers (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM all_numbers WHERE n < 300000)
  SELECT n, hex(n * 7919) FROM all_numbers`);
database.close();

test('the pages of a sound file have no fault', async () => {
  const structure = await checkPages(folder, new AbortController().signal);
  assert.deepEqual(structure?.faults, []);
});

test('a check ends with the process that began it, without a result', async () => {
  const script = fileURLToPath(new URL('./page-check.child.js', import.meta.url));
  const child = spawn(process.execPath, [script, folder], { stdio: ['pipe', 'pipe', 'inherit'] });
  let text = '';
  child.stdout.on('data', (part: Buffer) => (text += part.toString()));
  child.stdin.end(); // as the system does after a kill
  const [, signal] = (await once(child, 'close')) as [null, string];
  assert.deepEqual([signal, text], ['SIGKILL', '']);
});

test('the pages of more than 1 GB are checked before the store is open, and after it only where a start is hurried', async (t) => {
  const large = mkdtempSync(join(tmpdir(), 'sosia-large-'));
  t.after(() => rmSync(large, { recursive: true }));
  const made = await openImageStore(large);
  for (let i = 1; i <= 20; i++) await made.append(1, { id: `${i}`, keywords: [], dna: dnaOf('media-matching', i) });
  for (let i = 1; i <= 10; i++) await made.remove(1, i);
  await made.close();
  const path = join(large, fileNames.images);
  const bytes = readFileSync(path);
  bytes.writeUInt32BE(2, (bytes.readUInt32BE(32) - 1) * 4096 + 8); // the root of the pictures is listed as free
  for (const [size, hurried, states] of [
    [2 ** 30 + 1, false, ['read-only', 'read-only']],
    [2 ** 30, true, ['read-only', 'read-only']],
    [2 ** 30 + 1, true, ['available', 'read-only']],
  ] as const) {
    writeFileSync(path, bytes);
    truncateSync(path, size); // what is behind its last page is not read
    const damages: string[] = [];
    const report = ({ what }: { what: string }): void => void damages.push(what);
    const store = await (hurried ? lockImageStore(large, report, new Metrics()) : openImageStore(large, report));
    t.after(() => store.close());
    if (hurried) await store.open(true);
    const before = store.state;
    await store.check();
    assert.deepEqual([before, store.state], states, `${size} ${hurried}`);
    assert.match(damages[0]!, /reference|free/i);
    await store.close();
    assert.ok(
      readFileSync(path).subarray(0, bytes.length).equals(bytes),
      'nothing is written to it, not at its end either',
    );
  }
});
