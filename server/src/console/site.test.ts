import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { gunzipSync, gzipSync } from 'node:zlib';
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

test('a page is packed for browsers that read that, and a picture never', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-site-'));
  try {
    const text = 'page '.repeat(1000);
    for (const name of ['index.html', 'photo.jpg', 'script.js']) writeFileSync(join(folder, name), text);
    const site = new Site(folder);
    for (const name of ['index.html', 'script.js'])
      for (const encoding of ['gzip', 'br, gzip;q=0.5']) {
        const { headers, body } = site.answer(name, { 'accept-encoding': encoding })!;
        assert.deepEqual([headers['content-encoding'], headers['vary']], ['gzip', 'accept-encoding']);
        assert.equal(gunzipSync(body).toString(), text);
        assert.deepEqual(Buffer.from(body), gzipSync(text, { level: 9 }));
      }
    for (const [name, encoding] of [
      ['photo.jpg', 'gzip'],
      ['index.html', 'br'],
      ['index.html', undefined],
    ] as const) {
      const { headers, body } = site.answer(name, { 'accept-encoding': encoding })!;
      assert.deepEqual([headers['content-encoding'], Buffer.from(body).toString()], [undefined, text]);
    }
    assert.equal(site.answer('none.html', {}), undefined);
  } finally {
    rmSync(folder, { recursive: true });
  }
});
