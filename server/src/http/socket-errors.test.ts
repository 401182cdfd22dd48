import assert from 'node:assert/strict';
import type { Socket } from 'node:net';
import { Duplex } from 'node:stream';
import { test } from 'node:test';
import { errors, fail } from '../errors.ts';
import { limits } from './limits.ts';
import { answerSocketError } from './socket-errors.ts';

/** A connection, and what it was answered. */
function connection(more: object = {}) {
  let answer = '';
  const socket = new Duplex({
    read() {},
    write(bytes: Buffer, _encoding, done) {
      answer += bytes.toString();
      done();
    },
  });
  socket.on('error', () => {}); // as the server does
  Object.assign(socket, more);
  return { socket: socket as unknown as Socket, answered: () => answer };
}
const failed = (code: string, message = '') => Object.assign(new Error(message), { code });
const short = { ...limits, discardTimeout: 1 };

test('a connection that nothing can be answered on is ended at once', () => {
  for (const [code, more] of [
    ['ECONNRESET', {}],
    ['HPE_INVALID_METHOD', { _httpMessage: { headersSent: true } }],
  ] as const) {
    const { socket, answered } = connection(more);
    assert.equal(answerSocketError(failed(code), socket, limits), undefined);
    assert.ok(socket.destroyed);
    assert.equal(answered(), '');
  }
  const { socket } = connection();
  socket.end();
  assert.equal(answerSocketError(failed('HPE_INVALID_METHOD'), socket, limits), undefined);
  assert.ok(socket.destroyed);
});

test('data that is no request is answered once, and the connection ends after what still arrives was discarded', async () => {
  for (const [code, error, status, detail] of [
    ['HPE_HEADER_OVERFLOW', 'HEADERS_TOO_LARGE', 431, 'expected at most 327680 bytes'],
    ['HPE_CHUNK_EXTENSIONS_OVERFLOW', 'REQUEST_TOO_LARGE', 413, 'chunk extensions'],
    ['ERR_HTTP_REQUEST_TIMEOUT', 'REQUEST_TIMEOUT', 408, 'expected 5000 ms for headers, 30000 ms in all'],
    ['HPE_INVALID_URL', 'MALFORMED_REQUEST', 400, 'expected an address of ASCII, the rest percent-encoded'],
    ['HPE_INVALID_METHOD', 'MALFORMED_REQUEST', 400, 'a reason'],
  ] as const) {
    const { socket, answered } = connection({ _httpMessage: { headersSent: false } });
    const problem = failed(code, 'Parse Error: a reason');
    assert.equal(answerSocketError(problem, socket, short), errors[error].code);
    assert.match(answered(), new RegExp(`^HTTP/1.1 ${status} `));
    assert.match(answered(), new RegExp(`"code":${errors[error].code}`));
    assert.doesNotMatch(answered(), /Parse Error/);
    assert.equal(JSON.parse(answered().split('\r\n\r\n')[1]!).status.message, fail(error, detail).message);
    assert.match(answered(), /connection: close\r\n/);
    const length = Number(/content-length: (\d+)/.exec(answered())![1]);
    assert.equal(Buffer.byteLength(answered().split('\r\n\r\n')[1]!), length);
    const said = answered();
    assert.equal(answerSocketError(problem, socket, short), undefined);
    assert.deepEqual([answered(), socket.destroyed, socket.readableFlowing], [said, false, true]);
    const kept = setInterval(() => {}, 1000); // the timer of the connection alone would not keep the process
    await new Promise((resolve) => socket.once('close', resolve));
    clearInterval(kept);
  }
});
