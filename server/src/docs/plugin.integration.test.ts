import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errors } from '../errors.ts';
import { operations } from '../operations/operations.ts';
import type { Service } from '../service.test.kit.ts';
import { startService } from '../service.test.kit.ts';
import { DocumentationSite } from './site.ts';

/** The pages that are generated from tables in the code. */
const tables = ['/docs/api', '/docs/errors', '/docs/config', '/docs/metrics'];
const folder = fileURLToPath(new URL('../../../docs/', import.meta.url));

let service: Service;
let pages: Map<string, string>;
before(async () => {
  service = await startService();
  pages = new Map();
  for (const path of new DocumentationSite(folder).addresses) {
    const response = await fetch(`http://127.0.0.1:${service.queryPort}${path}`);
    assert.equal(response.status, 200, path);
    assert.equal(response.headers.get('content-type'), 'text/html; charset=utf-8');
    const html = await response.text();
    const [, style] = /<style>([^]*?)<\/style>/.exec(html)!;
    const hash = createHash('sha256').update(style!).digest('base64');
    const policy = response.headers.get('content-security-policy')!;
    assert.ok(policy.startsWith(`default-src 'none'; style-src 'sha256-${hash}';`), policy);
    pages.set(path, html);
  }
});
after(() => service.close());

test('every page of tables is complete without scripts and without external resources', () => {
  for (const path of tables) {
    const html = pages.get(path)!;
    assert.doesNotMatch(html, /<script|<link|<img|@import|url\(| on\w+=| style=/);
    assert.doesNotMatch(html, /(?:href|src)="(?:https?:)?\/\//);
  }
});

test('every link leads to a page, and to an anchor on it', async () => {
  for (const [path, html] of pages) {
    for (const [, address] of html.matchAll(/href="([^"]*)"/g)) {
      const [target, anchor] = address!.split('#') as [string, string?];
      const page = target === '' ? html : pages.get(target);
      if (target === '/openapi.json' || target.startsWith('https://')) continue;
      assert.ok(page, `${path}: ${address}`);
      if (anchor) assert.match(page, new RegExp(` id="${anchor}"`), `${path}: ${address}`);
    }
    const ids = [...html.matchAll(/ id="([^"]*)"/g)].map(([, id]) => id);
    assert.equal(new Set(ids).size, ids.length, `${path}: an anchor comes twice`);
  }
});

test('the page of the interface has every operation, and is at the address that it names', () => {
  const [, address] = /`GET (\S+)` shows it in a browser/.exec(readFileSync(`${folder}api.md`, 'utf8'))!;
  const page = pages.get(address!)!;
  for (const { name } of operations) assert.match(page, new RegExp(`<h3 id="[a-z-]+">${name}, `));
});

test('an unknown page is answered like any unknown path', async () => {
  const response = await fetch(`http://127.0.0.1:${service.modifyPort}/docs/nothing`);
  assert.deepEqual([response.status, ((await response.json()) as any).status.code], [404, errors.UNKNOWN_PATH.code]);
});
