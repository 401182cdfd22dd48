import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { DocumentationSite } from './site.ts';

const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));
const site = new DocumentationSite(folder);
const pages = new Map(site.addresses.map((address) => [address, Buffer.from(site.page(address)).toString()]));

test('the first page links to every other one, and so does the side of each page', () => {
  for (const [address, html] of pages) {
    for (const other of pages.keys()) assert.ok(html.includes(`href="${other}"`), `${address} has no link to ${other}`);
    assert.equal([...html.matchAll(/aria-current="page"/g)].length, 1, address);
  }
});

test('every link of a page leads to a page and a heading, every picture is served', () => {
  let pictures = 0;
  for (const [address, html] of pages) {
    for (const [, target] of html.matchAll(/href="([^"]*)"/g)) {
      if (/^https?:/.test(target!) || target === '/openapi.json') continue;
      const [path, anchor] = target!.split('#') as [string, string?];
      const page = path === '' ? html : pages.get(path);
      assert.ok(page !== undefined, `${address}: ${target}`);
      if (anchor) assert.ok(page.includes(` id="${anchor}"`), `${address}: ${target}`);
    }
    for (const [, source] of html.matchAll(/<img src="([^"]*)"/g)) {
      assert.deepEqual([...site.pictures.get(source!)!.subarray(0, 2)], [0xff, 0xd8]);
      pictures++;
    }
  }
  assert.ok(pictures > 3, `${pictures} pictures`);
});

test('the pages are those of the folder, those generated from tables too', () => {
  assert.match(pages.get('/docs')!, /<h1 id="documentation">/);
  assert.match(pages.get('/docs/api')!, /<h3 id="addimage-modify">/);
  const title = /^# (.*)$/m.exec(readFileSync(`${folder}decisions.md`, 'utf8'))![1]!;
  assert.ok(pages.get('/docs/decisions')!.includes(`<title>${title} - Sosia</title>`));
});
