import type { Server } from 'node:http';
import type { Socket } from 'node:net';
import type { Limits } from './limits.ts';

/** Milliseconds between two checks of all connections. */
const INTERVAL = 100;

/**
 * Limits the memory of unfinished headers of all connections together; Node limits those of each connection alone.
 * Above the limit the connections with most of it are refused.
 */
export function boundUnfinishedHeaders(server: Server, limits: Limits, refuse: (socket: Socket) => void): void {
  /** Bytes of each connection that belong to answered requests; all of them during a request. */
  const settled = new Map<Socket, number>();
  server.on('connection', (socket: Socket) => {
    settled.set(socket, 0);
    socket.once('close', () => settled.delete(socket));
  });
  server.on('request', ({ socket }, response) => {
    settled.set(socket, Infinity);
    response.once('close', () => {
      if (settled.has(socket)) settled.set(socket, socket.bytesRead);
    });
  });

  const timer = setInterval(() => {
    const pending = [...settled]
      .map(([socket, bytes]) => ({ socket, bytes: Math.max(0, socket.bytesRead - bytes) }))
      .filter(({ bytes }) => bytes > limits.usualHeaderBytes)
      .sort((a, b) => b.bytes - a.bytes);
    let sum = pending.reduce((all, { bytes }) => all + bytes, 0);
    for (const { socket, bytes } of pending) {
      if (sum <= limits.headerBytesInFlight) break;
      sum -= bytes;
      settled.delete(socket);
      refuse(socket);
    }
  }, INTERVAL);
  server.once('close', () => clearInterval(timer));
  timer.unref();
}
