import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { Site } from './site.ts';

test('a page that has changed is fetched again, and a folder without a page is refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-site-'));
  try {
    assert.throws(() => new Site(folder), /expected index\.html/);
    const answer = (text: string, known?: string) => {
      writeFileSync(join(folder, 'index.html'), text);
      return new Site(folder).answer('index.html', known === undefined ? {} : { 'if-none-match': known })!;
    };
    const first = answer('first');
    assert.deepEqual([first.http, Buffer.from(first.body).toString()], [200, 'first']);
    const known = first.headers['etag'] as string;
    const unchanged = answer('first', known);
    assert.deepEqual([unchanged.http, unchanged.body.length], [304, 0]);
    assert.equal(answer('second', known).http, 200);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
