import assert from 'node:assert/strict';
import { once } from 'node:events';
import { createServer, request } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after, before, describe, test } from 'node:test';
import { BucketKind } from './bucket.ts';
import { credentials, startMoto, withoutMoto } from './moto.test.kit.ts';
import type { Moto } from './moto.test.kit.ts';
import type { Item, Source } from './source.ts';

const signal = new AbortController().signal;

async function all(source: Source): Promise<Item[]> {
  const items: Item[] = [];
  for await (const item of source.list(signal)) items.push(item);
  return items;
}

describe('a bucket', { skip: withoutMoto }, () => {
  let moto: Moto;
  let kind: BucketKind;
  const values = () => ({ bucket: 'posters', endpoint: moto.endpoint, ...credentials });
  const put: Moto['put'] = (key, body) => moto.put(key, body);

  before(async () => {
    moto = await startMoto('posters');
    kind = new BucketKind(new Set([moto.endpoint]));
  });
  after(() => moto.close());

  test('an endpoint outside of the setting is refused, and so are settings that lack something', async () => {
    for (const allowed of [null, new Set(['https://s3.example'])]) {
      await assert.rejects(new BucketKind(allowed).settings(values()), { error: 'SOURCE_REFUSED' });
    }
    await assert.rejects(kind.settings({ ...values(), secret_key: undefined }), { error: 'MISSING_PARAMETER' });
    await assert.rejects(kind.settings({ ...values(), bucket: '../a' }), { error: 'BAD_PARAMETER' });
  });

  test('pages of 1,000 keys are listed in order, and each is read in its version', async () => {
    const keys = Array.from({ length: 1100 }, (_, i) => `many/${String(i).padStart(4, '0')}.jpg`);
    for (let i = 0; i < keys.length; i += 50) await Promise.all(keys.slice(i, i + 50).map((key) => put(key, key)));
    const odd = ['ü & <b> + %41 "c".png', 'z/1.JPG'];
    for (const key of odd) await put(key, key);
    for (const key of ['notes.txt', '.hidden/a.jpg']) await put(key, key);
    const settings = await kind.settings(values());
    assert.doesNotMatch(kind.place(settings), /secret/);
    const source = await kind.open(settings);
    const items = await all(source);
    assert.deepEqual(items.map(({ key }) => key).sort(), [...keys, ...odd].sort());
    for (const item of items.filter(({ key }) => odd.includes(key))) {
      assert.equal(new TextDecoder().decode(await source.read(item, signal)), item.key);
      assert.equal(item.size, Buffer.byteLength(item.key));
    }
    const [first] = items as [Item];
    await put(first.key, 'another content');
    await assert.rejects(source.read(first, signal), /412/);
    const [changed] = (await all(source)) as [Item];
    assert.notEqual(changed.version, first.version);
    await put(first.key, null);
    assert.equal((await all(source)).length, items.length - 1);
    const some = await kind.open(await kind.settings({ ...values(), key_prefix: 'z/' }));
    assert.deepEqual(
      (await all(some)).map(({ key }) => key),
      ['z/1.JPG'],
    );
  });

  test('requests that the service of a bucket refuses for a while are repeated', async (context) => {
    let refused = 0;
    let requests = 0;
    const busy = createServer(({ url, headers }, answer) => {
      if (requests++ % 3 > 0) {
        refused++;
        answer.writeHead(503).end('<Error><Code>SlowDown</Code><Message>Reduce your request rate.</Message></Error>');
        return;
      }
      request(moto.endpoint + url, { headers }, (served) => {
        answer.writeHead(served.statusCode!, served.headers);
        served.pipe(answer);
      }).end();
    });
    context.after(() => busy.close());
    busy.listen(0, '127.0.0.1');
    await once(busy, 'listening');
    const endpoint = `http://127.0.0.1:${(busy.address() as AddressInfo).port}`;
    const behind = new BucketKind(new Set([endpoint]));
    for (const name of ['1', '2', '3']) await put(`busy/${name}.jpg`, name);
    const source = await behind.open(await behind.settings({ ...values(), endpoint, key_prefix: 'busy/' }));
    const items = await all(source);
    const contents = await Promise.all(items.map((item) => source.read(item, signal)));
    assert.deepEqual(contents.map((content) => new TextDecoder().decode(content)).sort(), ['1', '2', '3']);
    assert.ok(refused >= 6, `${refused} of ${requests}`);
  });

  test('a bucket that is away is a fault with the words of its service', async () => {
    const source = await kind.open(await kind.settings({ ...values(), bucket: 'nobody' }));
    await assert.rejects(all(source), /the bucket answered 404 NoSuchBucket/);
  });
});
