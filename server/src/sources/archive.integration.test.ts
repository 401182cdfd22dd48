import assert from 'node:assert/strict';
import { mkdtemp, rm, symlink, truncate, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { gzipSync } from 'node:zlib';
import { photograph } from '../service.test.kit.ts';
import { ArchiveKind } from './archive.ts';
import { record, response } from './warc.test.kit.ts';
import type { Item, Source } from './source.ts';

const signal = new AbortController().signal;
let folder: string;
let pictures: Buffer[];
let kind: ArchiveKind;

before(async () => {
  folder = await mkdtemp(join(tmpdir(), 'sosia-archive-'));
  pictures = await Promise.all([1, 2, 3].map(photograph));
  kind = new ArchiveKind([folder]);
});
after(() => rm(folder, { recursive: true }));

function chunked(body: Buffer): Buffer {
  const half = body.subarray(0, 1000);
  const rest = body.subarray(1000);
  const size = (part: Buffer): Buffer => Buffer.from(`${part.length.toString(16)}\r\n`);
  const end = Buffer.from('\r\n');
  return Buffer.concat([size(half), half, end, size(rest), rest, end, Buffer.from('0\r\n\r\n')]);
}

function crawl(): Buffer[] {
  const type = 'Content-Type: image/jpeg\r\n';
  const resource = { 'WARC-Target-URI': '<https://site.example/d>', 'Content-Type': 'image/jpeg' };
  return [
    record('warcinfo', { 'Content-Type': 'application/warc-fields' }, Buffer.from('software: test\r\n')),
    record('request', { 'WARC-Target-URI': 'https://site.example/a' }, Buffer.from('GET / HTTP/1.1\r\n\r\n')),
    response('/a', pictures[0]!, { digest: 'sha1:A' }),
    response('/b', chunked(pictures[1]!), { fields: `${type}Transfer-Encoding: chunked\r\n` }),
    response('/c', gzipSync(pictures[2]!), { fields: `${type}Content-Encoding: gzip\r\n` }),
    record('resource', resource, pictures[0]!),
    response('/a', pictures[1]!),
    response('/page', Buffer.from('<html>'), { fields: 'Content-Type: text/html\r\n' }),
    response('/none', pictures[0]!, { status: 404 }),
    response('/bomb', gzipSync(Buffer.alloc(30_000_000)), { fields: `${type}Content-Encoding: gzip\r\n` }),
  ];
}

async function opened(name = ''): Promise<Source> {
  return kind.open(await kind.settings({ path: join(folder, name) }));
}

async function listed(source: Source): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source.list(signal)) items.push(item);
  return items;
}

for (const [name, pack] of [
  ['plain.warc', (each: Buffer) => each],
  ['packed.warc.gz', (each: Buffer) => gzipSync(each)],
] as const) {
  test(`the pictures of ${name} are those that a site has sent, each address once`, async () => {
    await writeFile(join(folder, name), Buffer.concat(crawl().map(pack)));
    const source = await opened(name);
    const items = await listed(source);
    const keys = ['/a', '/b', '/c', '/d', '/bomb'].map((path) => `https://site.example${path}`);
    assert.deepEqual(
      items.map(({ key }) => key),
      keys,
    );
    assert.equal(items[0]!.version, 'sha1:A');
    const expected = [pictures[0], pictures[1], pictures[2], pictures[0]];
    for (const [i, picture] of expected.entries()) {
      assert.deepEqual(Buffer.from(await source.read(items[i]!, signal)), picture, keys[i]);
    }
    await assert.rejects(source.read(items[4]!, signal));
    assert.deepEqual(await listed(await opened(name)), items);
  });

  test(`${name} that is cut or has other records lists what comes before, and says so`, async () => {
    const path = join(folder, name);
    await writeFile(path, Buffer.concat(crawl().map(pack)));
    const items: Item[] = [];
    await truncate(path, pack(crawl()[0]!).length + pack(crawl()[1]!).length + pack(crawl()[2]!).length + 500);
    await assert.rejects(async () => {
      for await (const item of (await opened(name)).list(signal)) items.push(item);
    });
    assert.equal(items.length, 1);
    await writeFile(path, pack(Buffer.from('no archive')));
    await assert.rejects(listed(await opened(name)), /expected a record of WARC/);
    await rm(path);
  });
}

test('an archive that is compressed as a whole, or with another ending, is refused', async () => {
  await writeFile(join(folder, 'whole.warc.gz'), gzipSync(Buffer.concat(crawl())));
  await assert.rejects(listed(await opened('whole.warc.gz')), /each record by itself/);
  await writeFile(join(folder, 'whole.warc.gz'), 'text');
  await assert.rejects(listed(await opened('whole.warc.gz')), /no archive/);
  await rm(join(folder, 'whole.warc.gz'));
});

test('archives outside of the setting are refused, and links are not followed', async () => {
  await assert.rejects(kind.settings({ path: '/etc/passwd' }), { error: 'SOURCE_REFUSED' });
  await symlink('/etc/passwd', join(folder, 'link.warc'));
  assert.deepEqual(await listed(await opened()), []);
  await rm(join(folder, 'link.warc'));
});
