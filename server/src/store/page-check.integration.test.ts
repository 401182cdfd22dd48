import assert from 'node:assert/strict';
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import Database from 'libsql';
import { fileNames } from './folder.ts';
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
