import assert from 'node:assert/strict';
import { once } from 'node:events';
import { connect, createServer } from 'node:net';
import type { AddressInfo, Socket } from 'node:net';
import { after, before, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
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

test('events are followed by one request, and after a lost connection from the last one on', async (t) => {
  const connection = service.application('image-similarity');
  const sockets = new Set<Socket>();
  let requests = 0;
  const { port: target } = new URL(connection.modify);
  const network = createServer((from) => {
    const to = connect(Number(target), '127.0.0.1');
    from.on('data', (bytes) => (requests += bytes.includes('POST /api/v2.0/review/json/ListEvents') ? 1 : 0));
    for (const socket of [from, to]) sockets.add(socket.on('error', () => {}));
    from.pipe(to).pipe(from);
  }).listen(0, '127.0.0.1');
  t.after(() => network.close());
  await once(network, 'listening');
  const modify = `http://127.0.0.1:${(network.address() as AddressInfo).port}`;
  const stop = new AbortController();
  const seen: (readonly [number, string])[] = [];
  const following = (async () => {
    const patience = { retries: 1, firstWait: 50 };
    const sosia = new Sosia({ ...connection, modify, signal: stop.signal, patience });
    for await (const { id, image_id } of sosia.events.follow()) seen.push([id, image_id]);
  })();
  const adder = new Sosia(connection);
  for (const photo of [1, 2, 3, 4]) await adder.events.save(`${photo}`, { picture: await photograph(photo) });
  while (requests < 2) await pause(10);
  for (const photo of [1, 2]) await adder.add(`${photo}`, await photograph(photo));
  while (seen.length < 2) await Promise.race([pause(10), following]);
  assert.equal(requests, 2, 'the list, and the stream');
  network.close();
  for (const socket of sockets) socket.destroy();
  await adder.add('3', await photograph(3));
  await Promise.race([pause(1500), following]); // the connection is refused meanwhile
  network.listen(Number(new URL(modify).port), '127.0.0.1');
  await adder.add('4', await photograph(4));
  while (seen.length < 4) await Promise.race([pause(10), following]);
  stop.abort(new Error('seen'));
  await assert.rejects(following, /seen/);
  assert.deepEqual(
    seen,
    [1, 2, 3, 4].map((id) => [id, `${id}`]),
  );
  for (const socket of sockets) socket.destroy();
});
