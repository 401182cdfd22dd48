import type { IncomingMessage, ServerResponse } from 'node:http';
import { fail } from '../errors.ts';
import type { Given } from '../params/given.ts';
import type { Budget } from './budget.ts';
import { readForm } from './form.ts';
import type { Limits } from './limits.ts';
import { multipartReader } from './multipart.ts';

/** The client went away while its body was being read: there is nobody to answer. */
export class GoneError extends Error {}

/**
 * Reads the parameters in a body, with any method. The bytes count as uploads until the answer is out.
 * Fails with MALFORMED_REQUEST, REQUEST_TOO_LARGE, REQUEST_TIMEOUT, OVERLOADED or BAD_TEXT.
 */
export async function readBody(
  request: IncomingMessage,
  response: ServerResponse,
  given: Given,
  { limits, uploads }: { limits: Limits; uploads: Budget },
): Promise<void> {
  const { 'content-type': type = '', 'content-encoding': coding = 'identity' } = request.headers;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared === 0 && request.headers['transfer-encoding'] === undefined) return;

  if (declared > limits.bodyBytes) throw tooLarge(limits);
  if (coding !== 'identity') throw fail('MALFORMED_REQUEST', `expected a body that is not compressed, got ${coding}`);
  uploads.admit(declared);

  let taken = 0;
  response.once('close', () => uploads.giveBack(taken));
  const count = (chunk: Uint8Array) => {
    uploads.take(chunk.length);
    taken += chunk.length;
    if (taken > limits.bodyBytes) throw tooLarge(limits);
  };

  if (/^multipart\/form-data\b/i.test(type)) {
    const reader = multipartReader(type, limits);
    await eachChunk(request, limits, (chunk) => {
      count(chunk);
      reader.write(chunk);
    });
    return reader.end(given);
  }

  const chunks: Uint8Array[] = [];
  await eachChunk(request, limits, (chunk) => {
    count(chunk);
    chunks.push(chunk);
  });
  if (taken === 0) return;
  if (!/^application\/x-www-form-urlencoded\b/i.test(type)) {
    const expected = 'multipart/form-data or application/x-www-form-urlencoded';
    throw fail('MALFORMED_REQUEST', `expected a body of type ${expected}, got ${type || 'none'}`);
  }
  readForm(Buffer.concat(chunks), 'body', given, limits.formFields);
}

/** Reads on and throws away, so that a client in the midst of writing comes to read its answer. Never rejects. */
export function discardBody(request: IncomingMessage, limits: Limits): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    const timer = setTimeout(resolve, limits.discardTimeout);
    request.once('close', () => {
      clearTimeout(timer);
      resolve();
    });
    request.once('end', resolve).resume();
  });
}

function tooLarge({ bodyBytes }: Limits) {
  return fail('REQUEST_TOO_LARGE', `expected a body of at most ${bodyBytes} bytes`);
}

/** Feeds the body to `use` until it ends, `use` throws, the client goes away or the body comes too slowly. */
function eachChunk(request: IncomingMessage, limits: Limits, use: (chunk: Uint8Array) => void): Promise<void> {
  return new Promise((resolve, reject) => {
    let inWindow = 0;
    const slow = setInterval(() => {
      if (inWindow < limits.slowBytes) stop(fail('REQUEST_TIMEOUT', `${inWindow} bytes in ${limits.slowWindow} ms`));
      inWindow = 0;
    }, limits.slowWindow);

    const onData = (chunk: Uint8Array) => {
      inWindow += chunk.length;
      try {
        use(chunk);
      } catch (error) {
        stop(error);
      }
    };
    const onEnd = () => stop();
    const onClose = () => stop(new GoneError('the client closed the connection'));

    function stop(error?: unknown): void {
      clearInterval(slow);
      request.off('data', onData).off('end', onEnd).off('close', onClose).pause();
      if (error === undefined) resolve();
      else reject(error);
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
  });
}
