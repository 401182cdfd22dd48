import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { errors } from '../errors.ts';
import { Fetcher } from '../fetch/fetcher.ts';
import { startWeb } from '../fetch/web.test.kit.ts';
import type { Pages, Web } from '../fetch/web.test.kit.ts';
import { photograph, startService } from '../service.test.kit.ts';
import type { Service, Values } from '../service.test.kit.ts';
import type { Item, Source } from './source.ts';
import { WebKind } from './web.ts';

const signal = new AbortController().signal;
const pages: Pages = {};
let [web, kind]: [Web, WebKind] = [undefined!, undefined!];

before(async () => {
  const picture = await photograph(2);
  const served =
    (etag?: string): Pages[string] =>
    (response) =>
      response.writeHead(200, etag ? { etag } : {}).end(picture);
  pages['/1.jpg'] = served('"one"');
  pages['/2.jpg'] = served();
  pages['/hidden/3.jpg'] = served();
  pages['/robots.txt'] = (response) => response.end('User-agent: *\nDisallow: /hidden');
  web = await startWeb(pages);
  kind = new WebKind(new Fetcher([`*:${web.port}`], web.options));
});
after(() => web.close());

async function all(source: Source): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source.list(signal)) items.push(item);
  return items;
}

const open = async (...paths: string[]): Promise<Source> =>
  kind.open(await kind.settings({ urls: paths.map((path) => web.base + path) }));

const list =
  (...lines: string[]): Pages[string] =>
  (response) =>
    response.end(lines.join('\n'));
const paths = (method: string): string[] =>
  web.requests.filter((each) => each.method === method).map(({ url }) => url!);

test('addresses that the guard refuses make no source', async () => {
  await assert.rejects(kind.settings({}), { error: 'MISSING_PARAMETER' });
  await assert.rejects(kind.settings({ urls: ['http://web.example/'] }), { error: 'ADDRESS_REFUSED' });
  await assert.rejects(new WebKind(new Fetcher(null)).settings({ urls: [web.base] }), { error: 'FETCHING_OFF' });
});

test('pictures of lists have the versions of their servers, which are queried once an hour', async () => {
  pages['/list'] = list('/1.jpg', '2.jpg', '/1.jpg');
  const source = await open('/list', '/2.jpg');
  const items = await all(source);
  assert.deepEqual(items, [
    { key: `${web.base}/1.jpg`, version: '"one"' },
    { key: `${web.base}/2.jpg`, version: '' },
  ]);
  assert.deepEqual(Buffer.from(await source.read(items[0]!, signal)), await photograph(2));
  await all(await open('/list'));
  assert.deepEqual(paths('HEAD').sort(), ['/1.jpg', '/2.jpg']);
  assert.equal(paths('GET').filter((path) => path === '/robots.txt').length, 1);
});

test('a picture that no document says anything of is looked at again after an hour', async (t) => {
  const since = performance.now();
  const clock = t.mock.method(performance, 'now', () => since);
  const own = new WebKind(new Fetcher([`*:${web.port}`], web.options));
  const source = await own.open(await own.settings({ urls: [`${web.base}/1.jpg`] }));
  const before = paths('HEAD').length;
  const looks: number[] = [];
  for (const minutes of [0, 59, 61]) {
    clock.mock.mockImplementation(() => since + minutes * 60_000);
    await all(source);
    looks.push(paths('HEAD').length - before);
  }
  assert.deepEqual(looks, [1, 1, 2]);
});

test('a listing that is stopped at its last picture is not whole', async () => {
  const stop = new AbortController();
  const source = await open('/1.jpg');
  const listing = async (): Promise<void> => {
    for await (const _ of source.list(stop.signal)) stop.abort();
  };
  await assert.rejects(listing(), { name: 'AbortError' });
});

test('what has not changed is not sent again, and what robots.txt forbids is not fetched', async () => {
  let unchanged = 0;
  pages['/sitemap'] = (response, { headers }) => {
    if (headers['if-none-match'] === '"s"') {
      unchanged++;
      return response.writeHead(304).end();
    }
    response.writeHead(200, { etag: '"s"' });
    return response.end('<urlset><url><loc>/hidden/3.jpg</loc><lastmod>2026</lastmod></url></urlset>');
  };
  for (let pass = 0; pass < 2; pass++) {
    const source = await open('/sitemap');
    const [item] = await all(source);
    assert.deepEqual(item, { key: `${web.base}/hidden/3.jpg`, version: '2026' });
    await assert.rejects(source.read(item!, signal), /robots.txt does not allow/);
  }
  assert.equal(unchanged, 1);
  assert.ok(!web.requests.some(({ url }) => url!.startsWith('/hidden')));
});

test('a document that cannot be read makes the listing one that is not whole, and an index may name itself', async () => {
  pages['/index'] = list(
    '<sitemapindex><sitemap><loc>/index</loc></sitemap><sitemap><loc>/sitemap</loc></sitemap><sitemap><loc>/none</loc></sitemap></sitemapindex>',
  );
  const items: Item[] = [];
  const listing = async (): Promise<void> => {
    for await (const item of (await open('/index')).list(signal)) items.push(item);
  };
  await assert.rejects(listing(), /none: .*answered 404/);
  assert.equal(items.length, 1);
});

test('what leaves a feed stays; a picture that is not there is named with the answer of its server', async () => {
  const service: Service = await startService({ fetching: web.options }, { fetch_hosts: `*:${web.port}` });
  try {
    const key = service.application('media-matching');
    const on = (operation: string, values: Values = {}): Promise<any> =>
      service.administer(operation, { application: 'media-matching', source: 'feed', ...values });
    const passed = async (last: string | null): Promise<any> => {
      for (;;) {
        const { source } = await on('GetSource');
        if (source.last_pass !== last && source.state !== 'running') return source;
        await pause(50);
      }
    };
    const enclosed = (path: string): string => `<item><enclosure url="${path}" type="image/jpeg"/></item>`;
    pages['/feed'] = list(`<rss>${enclosed('/1.jpg')}${enclosed('/none.jpg')}</rss>`);
    const source = { name: 'feed', kind: 'web', urls: [`${web.base}/feed`], interval: 3600 };
    const refused = await on('CreateSource', { ...source, urls: ['http://127.0.0.1/'] });
    assert.equal(refused.status.code, errors.ADDRESS_REFUSED.code);
    await on('CreateSource', source);
    const first = await passed(null);
    assert.deepEqual([first.pictures, first.failed, first.fault], [1, 1, '']);
    assert.match((await on('GetSource')).failures[0].message, /none\.jpg: .*answered 404/);
    pages['/feed'] = list('<rss></rss>');
    await on('RunSource');
    assert.equal((await passed(first.last_pass)).state, 'waiting');
    assert.equal((await service.query('ListImages', { application_key: key })).images.length, 1);
  } finally {
    await service.close();
  }
});
