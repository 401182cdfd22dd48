import assert from 'node:assert/strict';
import { after, before, test } from 'node:test';
import { Sosia } from './index.ts';
import { photograph, startService } from './service.test.kit.ts';
import type { Service } from './service.test.kit.ts';

let service: Service;
before(async () => {
  service = await startService();
});
after(() => service.close());

test('events are followed while pictures are added, until the signal', async () => {
  const connection = service.application('media-matching');
  const stop = new AbortController();
  const sosia = new Sosia({ ...connection, signal: stop.signal });
  assert.equal(await sosia.events.save('harbour', { picture: await photograph(1) }), 0);
  const seen: (readonly [number, string])[] = [];
  const following = (async () => {
    for await (const { id, image_id } of sosia.events.follow()) {
      seen.push([id, image_id]);
      if (seen.length === 2) stop.abort(new Error('seen'));
    }
  })();
  const adder = new Sosia(connection);
  await adder.add('a', await photograph(1));
  await adder.add('b', await photograph(2));
  await adder.events.save('bridge', { id: 'b' });
  await adder.add('c', await photograph(2));
  await assert.rejects(following, /seen/);
  assert.deepEqual(seen, [
    [1, 'a'],
    [2, 'c'],
  ]);
  assert.deepEqual(
    (await adder.events.searches()).map(({ id }) => id),
    ['bridge', 'harbour'],
  );
  await adder.events.delete('bridge');
  assert.equal((await adder.events.searches()).length, 1);
});
