import { STATUS_CODES, type Server, type ServerResponse } from 'node:http';
import type { Socket } from 'node:net';
import { fail, type Failure } from '../errors.ts';
import { failure } from './envelope.ts';
import type { Limits } from './limits.ts';

/** Sockets that were answered and are being closed. Data that still arrives is an error each time. */
const leaving = new WeakSet<Socket>();

/**
 * Answers data that never becomes a request for Fastify: malformed HTTP, headers that are too large or too slow.
 * @returns the code of the answer; undefined if no answer was possible
 */
export function answerSocketError(error: NodeJS.ErrnoException, socket: Socket, limits: Limits): number | undefined {
  if (leaving.has(socket)) return undefined;
  // Node's own handler checks the same field: an answer that has begun cannot be changed
  const begun = (socket as Socket & { _httpMessage?: ServerResponse })._httpMessage?.headersSent;
  if (error.code === 'ECONNRESET' || !socket.writable || begun) {
    socket.destroy();
    return undefined;
  }
  const refusal = socketFailure(error, limits);
  endWith(refusal, socket, limits);
  return refusal.code;
}

/** Refuses a connection at once: its parser keeps its input as long as the connection is open. */
export function refuseSocket(socket: Socket, error: Failure): void {
  leaving.add(socket);
  socket.end(answerTo(error), () => socket.destroy());
}

export function answerConnect(server: Server, limits: Limits): void {
  server.on('connect', (_request, socket) => {
    endWith(fail('METHOD_NOT_ALLOWED', 'expected GET or POST, got CONNECT'), socket as Socket, limits);
  });
}

function socketFailure({ code, message }: NodeJS.ErrnoException, limits: Limits): Failure {
  if (code === 'HPE_HEADER_OVERFLOW') return fail('HEADERS_TOO_LARGE', `expected at most ${limits.headerBytes} bytes`);
  if (code === 'HPE_CHUNK_EXTENSIONS_OVERFLOW') return fail('REQUEST_TOO_LARGE', 'chunk extensions');
  if (code === 'ERR_HTTP_REQUEST_TIMEOUT') {
    return fail(
      'REQUEST_TIMEOUT',
      `expected ${limits.headersTimeout} ms for headers, ${limits.requestTimeout} ms in all`,
    );
  }
  if (code === 'HPE_INVALID_URL')
    return fail('MALFORMED_REQUEST', 'expected an address of ASCII, the rest percent-encoded');
  return fail('MALFORMED_REQUEST', message.replace(/^Parse Error: /, ''));
}

function endWith(error: Failure, socket: Socket, limits: Limits): void {
  socket.end(answerTo(error));
  // further data of the client is discarded for a while: an immediate close would reset the answer
  leaving.add(socket);
  socket.resume();
  setTimeout(() => socket.destroy(), limits.discardTimeout).unref();
}

function answerTo(error: Failure): Buffer {
  const { http, headers, body } = failure(error);
  const all = { ...headers, 'content-length': body.length, connection: 'close' };
  const lines = Object.entries(all).map(([name, value]) => `${name}: ${value}\r\n`);
  return Buffer.concat([Buffer.from(`HTTP/1.1 ${http} ${STATUS_CODES[http]}\r\n${lines.join('')}\r\n`), body]);
}
