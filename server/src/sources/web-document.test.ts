import assert from 'node:assert/strict';
import { test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { readDocument } from './web-document.ts';

const BASE = 'https://site.example/a/b.xml';
const read = (text: string) => readDocument(Buffer.from(text), BASE);
const pairs = async (text: string) =>
  (await read(text)).pictures.map(({ address, changed }) => [address.replace('https://site.example', ''), changed]);

test('a list has an address in each line', async () => {
  assert.deepEqual(await pairs('\ufeffhttps://site.example/1.jpg\r\n\n# note\n../2.png#part\n'), [
    ['/1.jpg', undefined],
    ['/2.png', undefined],
  ]);
});

test('a sitemap has pictures, those of pages, and the dates of both', async () => {
  const sitemap = `<?xml version="1.0"?><urlset>
    <url><loc>https://site.example/page</loc><lastmod>2026-01-02</lastmod>
      <image:image><image:loc>https://site.example/picture?id=1&amp;size=2</image:loc></image:image></url>
    <url><loc> <![CDATA[https://site.example/3.JPG?a&b]]> </loc></url></urlset>`;
  assert.deepEqual(await pairs(sitemap), [
    ['/picture?id=1&size=2', '2026-01-02'],
    ['/3.JPG?a&b', undefined],
  ]);
  const packed = await readDocument(gzipSync(sitemap), BASE);
  assert.equal(packed.pictures.length, 2);
  assert.equal(packed.isFeed, false);
});

test('an index has sitemaps', async () => {
  const index = `<sitemapindex><sitemap><loc>https://site.example/1.xml.gz</loc></sitemap><sitemap><loc>/2.xml</loc></sitemap></sitemapindex>`;
  const { sitemaps, pictures } = await read(index);
  assert.deepEqual(sitemaps, ['https://site.example/1.xml.gz', 'https://site.example/2.xml']);
  assert.deepEqual(pictures, []);
});

test('feeds have enclosures, media and the pictures of their texts', async () => {
  const rss = `<rss><channel><pubDate>Monday</pubDate>
    <item><pubDate>Tuesday</pubDate><enclosure url="/1" type="image/jpeg" length="1"/><enclosure url="/film.mp4" type="video/mp4"/></item>
    <item><media:content url='/2' medium="image"></media:content><media:thumbnail url="/3"/></item>
    <item><description>&lt;p&gt;&lt;img src=&quot;/4?a=1&amp;amp;b=2&quot;&gt;</description></item>
    <item><content:encoded><![CDATA[<img alt="" src="/5.jpg">]]></content:encoded></item></channel></rss>`;
  assert.deepEqual(await pairs(rss), [
    ['/1', 'Tuesday'],
    ['/2', undefined],
    ['/3', undefined],
    ['/4?a=1&b=2', undefined],
    ['/5.jpg', undefined],
  ]);
  const atom = `<feed><updated>2020</updated><entry><updated>2026</updated>
    <link rel="alternate" href="/page.jpg"/><link rel="enclosure" type="image/png" href="/6"/></entry></feed>`;
  assert.deepEqual(await pairs(atom), [['/6', '2026']]);
  assert.equal((await read(atom)).isFeed && (await read(rss)).isFeed, true);
});

test('documents that are cut, hostile or no documents list what can be read, or fail', async () => {
  for (const text of ['', '<', '<urlset><url><loc>', '{"a":1}', '\0\u{fffd}']) await read(text);
  for (const part of ['<img ', '<loc>', '<url>', '&lt;', '<![CDATA[', '<enclosure url="'])
    await read('<x>' + part.repeat(100_000));
  await assert.rejects(readDocument(gzipSync(Buffer.alloc(30_000_000)), BASE));
  await assert.rejects(readDocument(Buffer.from([0x1f, 0x8b, 1]), BASE));
});
