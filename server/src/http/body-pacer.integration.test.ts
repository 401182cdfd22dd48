import assert from 'node:assert/strict';
import { createServer } from 'node:http';
import type { Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { BodyPacer } from './body-pacer.ts';
import { Wire } from './wire.test.kit.ts';

const CONNECTIONS = 6;
const CHUNKS = 150_000;
/** One read of a socket, 64 KB, contains fewer. */
const ONE_READ = 11_000;
const head = 'POST / HTTP/1.1\r\nHost: a\r\nTransfer-Encoding: chunked\r\n\r\n';
const chunks = Buffer.from('1\r\nx\r\n'.repeat(CHUNKS));

/** Sends bodies on separate connections, without waiting for the loop that reads them. */
const client = `
  const { connect } = require('node:net');
  const { workerData: { port, connections, bytes } } = require('node:worker_threads');
  for (let i = 0; i < connections; i++) connect(port, '127.0.0.1').write(bytes);
`;

test('among connections with small chunks one is read per iteration of the event loop, and all completely', async () => {
  const pacer = new BodyPacer();
  let iteration = 0;
  let running = true;
  const tick = (): void => {
    iteration++;
    if (running) setImmediate(tick);
  };
  tick();
  /** Pieces by the iteration of the loop in which they arrived. */
  const pieces = new Map<number, number>();
  const lengths: number[] = [];
  let allEnded = (): void => {};
  const ended = new Promise<void>((resolve) => (allEnded = resolve));
  const server = createServer((request, response) => {
    let length = 0;
    request.on('data', (piece: Buffer) => {
      length += piece.length;
      pieces.set(iteration, (pieces.get(iteration) ?? 0) + 1);
    });
    request.on('end', () => {
      response.end();
      if (lengths.push(length) === CONNECTIONS) allEnded();
    });
    pacer.pace(request);
  });
  const port = await listen(server);
  const bytes = Buffer.concat([Buffer.from(head), chunks, Buffer.from('0\r\n\r\n')]);
  const sender = new Worker(client, { eval: true, workerData: { port, connections: CONNECTIONS, bytes } });
  try {
    await ended;
    assert.deepEqual(lengths, Array(CONNECTIONS).fill(CHUNKS));
    const inOneIteration = (CONNECTIONS * CHUNKS) / pieces.size;
    assert.ok(inOneIteration < 2 * ONE_READ, `${inOneIteration} pieces in an iteration`);
  } finally {
    running = false;
    await sender.terminate();
    server.close();
  }
});

test('a connection continues with its next request after one with small chunks, read or discarded', async () => {
  const pacer = new BodyPacer();
  const server = createServer((request, response) => {
    request.on('end', () => response.end('1'));
    pacer.pace(request);
    pacer.pace(request);
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

test('a request that is paced twice is counted once', async () => {
  const pacer = new BodyPacer();
  const listeners: number[] = [];
  const server = createServer((request, response) => {
    for (let i = 0; i < 2; i++) {
      pacer.pace(request);
      listeners.push(request.listenerCount('data'));
    }
    response.end('1');
  });
  try {
    const wire = await Wire.open(await listen(server));
    wire.send('GET / HTTP/1.1\r\nHost: a\r\n\r\n');
    await wire.reply();
    assert.deepEqual(listeners, [1, 1]);
    wire.cut();
  } finally {
    server.close();
  }
});

async function listen(server: Server): Promise<number> {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return (server.address() as AddressInfo).port;
}
