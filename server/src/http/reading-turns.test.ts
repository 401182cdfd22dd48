import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { ReadingTurns } from './reading-turns.ts';
import { Wire } from './wire.test.kit.ts';

const CHUNKS = 40_000;
/** One read of a socket, 64 KB, holds fewer. */
const ONE_READ = 11_000;
const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunks = Buffer.from('1\r\nx\r\n'.repeat(CHUNKS));

test('connections with small chunks are read one in a turn of the event loop, and all to their ends', async () => {
  const turns = new ReadingTurns();
  let turn = 0;
  let running = true;
  const tick = (): void => void (turn++, running && setImmediate(tick));
  tick();
  /** The bodies that brought pieces, by the turn of the loop. */
  const readIn = new Map<number, Set<number>>();
  let ended = 0;
  let requests = 0;
  const server = createServer((request, response) => {
    const number = requests++;
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      if (length < 2 * ONE_READ) return; // by then each is in line
      readIn.set(turn, (readIn.get(turn) ?? new Set()).add(number));
    });
    request.on('end', () => {
      ended++;
      response.end(String(length));
    });
    turns.pace(request);
  });
  try {
    const port = await listen(server);
    const replies = Array.from({ length: 6 }, async () => {
      const wire = await Wire.open(port);
      wire.send(head, chunks, '0\r\n\r\n');
      return (await wire.reply()).json;
    });
    for (const reply of await Promise.all(replies)) assert.equal(reply, CHUNKS);
    assert.equal(ended, 6);
    // where a client was late, its connection may be read together with the next of the line
    const together = [...readIn.values()].reduce((sum, bodies) => sum + bodies.size, 0) / readIn.size;
    assert.ok(together < 1.5, `${together} connections in a turn`);
  } finally {
    running = false;
    server.close();
  }
});

test('a connection goes on with its next request after one with small chunks, read or thrown away', async () => {
  const turns = new ReadingTurns();
  const server = createServer((request, response) => {
    request.on('end', () => response.end('1'));
    turns.pace(request);
    turns.pace(request);
  });
  try {
    const wire = await Wire.open(await listen(server));
    for (let i = 0; i < 2; i++) wire.send(head, chunks, '0\r\n\r\n');
    for (let i = 0; i < 2; i++) assert.equal((await wire.reply()).json, 1);
    wire.cut();
  } finally {
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
