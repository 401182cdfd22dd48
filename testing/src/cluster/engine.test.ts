import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test, type TestContext } from 'node:test';
import { checkDownloads } from './engine.ts';

const digest = (text: string): string => createHash('sha256').update(text).digest('hex');
const expected = new Map([
  ['a.jar', digest('one')],
  ['b.zip', digest('two')],
]);

function downloads(t: TestContext, files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-downloads-'));
  t.after(() => rmSync(folder, { recursive: true }));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

test('the files that were expected pass', (t) => {
  checkDownloads(downloads(t, { 'a.jar': 'one', 'b.zip': 'two' }), expected);
});

test('a changed, a missing and an additional file are refused', (t) => {
  const refused = (files: Readonly<Record<string, string>>, message: RegExp): void =>
    assert.throws(() => checkDownloads(downloads(t, files), expected), message);
  refused({ 'a.jar': 'one', 'b.zip': 'twp' }, /^Error: b\.zip: expected SHA-256 3fc4/);
  refused({ 'a.jar': 'one' }, /expected the files a\.jar, b\.zip, got a\.jar$/);
  refused({ 'a.jar': 'one', 'b.zip': 'two', 'c.jar': '' }, /got a\.jar, b\.zip, c\.jar$/);
});
