import type { IncomingMessage } from 'node:http';
import { fail } from '../errors.ts';
import { FormReader } from './form.ts';
import { JsonReader } from './json-body.ts';
import type { RequestParameters } from './request-parameters.ts';
import type { Limits } from './limits.ts';
import { MultipartReader } from './multipart.ts';
import type { BodyPacer } from './body-pacer.ts';

/** The client disconnected while its body was read, so no answer is possible. */
export class ClientDisconnectedError extends Error {}

/** Bytes that must arrive before the reader of a body runs again. */
const MIN_BYTES_PER_READ = 4_096;

interface Reading {
  readonly limits: Limits;
  readonly pacer: BodyPacer;
}

/** Reads the parameters of a body out of its bytes, each time from where it stopped. */
interface BodyReader {
  advance(bytes: Buffer, complete: boolean): unknown;
}

/**
 * Reads the parameters in a body, with any method. Fails with MALFORMED_REQUEST, REQUEST_TOO_LARGE, REQUEST_TIMEOUT,
 * OVERLOADED, BAD_PARAMETER or BAD_TEXT.
 * @param picture  the parameter that a body of a picture type gives; without it such a body is refused
 * @param advanced  called whenever parameters may have been added; what it throws ends the reading
 */
export async function readBody(
  request: IncomingMessage,
  parameters: RequestParameters,
  { limits, pacer }: Reading,
  picture?: string,
  advanced: () => void = () => {},
): Promise<void> {
  const { 'content-type': type = '', 'transfer-encoding': transfer } = request.headers;
  const declared = Number(request.headers['content-length'] ?? 0);
  if (declared === 0 && transfer === undefined) {
    if (picture !== undefined && isPictureType(type)) parameters.raw.addFile(picture, new Uint8Array());
    return;
  }

  requirePlain(request);
  if (declared > limits.bodyBytes) throw tooLarge(limits);
  const { body, texts } = parameters;
  body.admit(declared);

  const reader = readerOf(type, declared, parameters, limits, picture);
  let read = 0;
  const advance = (complete: boolean): void => {
    if (body.length === 0) return;
    read = body.length;
    reader.advance(body.bytes, complete);
    body.countBeside(texts.memory);
    advanced();
  };

  await eachPiece(request, limits, pacer, (piece) => {
    if (body.length + piece.length > limits.bodyBytes) throw tooLarge(limits);
    body.append(piece, declared || limits.bodyBytes);
    if (body.length - read >= MIN_BYTES_PER_READ) advance(false);
  });
  advance(true);
}

/** Reads and discards the rest, so that a client that is still writing reads its answer. Never rejects. */
export function discardBody(request: IncomingMessage, { limits, pacer }: Reading): Promise<void> {
  if (request.complete || request.destroyed) return Promise.resolve();
  return new Promise((resolve) => {
    setTimeout(resolve, limits.discardTimeout).unref();
    request.once('close', resolve).once('end', resolve);
    pacer.pace(request);
  });
}

function requirePlain({ headers, httpVersion }: IncomingMessage): void {
  const { 'content-encoding': coding = 'identity', 'transfer-encoding': transfer } = headers;
  if (coding.toLowerCase() !== 'identity') {
    throw fail('MALFORMED_REQUEST', `expected a body that is not compressed, got ${coding}`);
  }
  if (transfer === undefined) return;
  if (transfer.toLowerCase() !== 'chunked') {
    throw fail('MALFORMED_REQUEST', `expected no transfer encoding but chunked, got ${transfer}`);
  }
  if (httpVersion === '1.0') throw fail('MALFORMED_REQUEST', 'expected no transfer encoding with HTTP/1.0');
}

function readerOf(
  type: string,
  declared: number,
  { raw, texts }: RequestParameters,
  limits: Limits,
  picture: string | undefined,
): BodyReader {
  if (/^multipart\/form-data\b/i.test(type)) return new MultipartReader(type, raw, texts, limits);
  if (/^application\/x-www-form-urlencoded\b/i.test(type)) {
    return new FormReader({ source: 'body', raw, texts, maxFields: limits.formFields });
  }
  if (/^application\/json\b/i.test(type)) return new JsonReader(raw, texts, limits, declared);
  if (picture !== undefined && isPictureType(type)) {
    return { advance: (bytes, complete) => complete && raw.addFile(picture, bytes) };
  }
  return {
    advance() {
      const expected = 'multipart/form-data, application/x-www-form-urlencoded or application/json';
      throw fail('MALFORMED_REQUEST', `expected a body of type ${expected}, got ${type || 'none'}`);
    },
  };
}

function isPictureType(type: string): boolean {
  return /^(image\/|application\/octet-stream\b)/i.test(type);
}

function tooLarge({ bodyBytes }: Limits) {
  return fail('REQUEST_TOO_LARGE', `expected a body of at most ${bodyBytes} bytes`);
}

/**
 * Passes the body to `use` until its end, until `use` throws, the client disconnects or the body arrives too slowly.
 */
function eachPiece(
  request: IncomingMessage,
  limits: Limits,
  pacer: BodyPacer,
  use: (piece: Uint8Array) => void,
): Promise<void> {
  return new Promise((resolve, reject) => {
    let inWindow = 0;
    // checked after the sockets were read: after a stall of the server itself, the bytes are waiting there
    const slow = setInterval(() => setImmediate(judge), limits.slowWindow);

    function judge(): void {
      if (inWindow < limits.slowBytes) stop(fail('REQUEST_TIMEOUT', `${inWindow} bytes in ${limits.slowWindow} ms`));
      inWindow = 0;
    }

    const onData = (piece: Uint8Array) => {
      inWindow += piece.length;
      try {
        use(piece);
      } catch (error) {
        stop(error as Error);
      }
    };
    const onEnd = () => stop();
    const onClose = () => stop(new ClientDisconnectedError('the client closed the connection'));

    // the rest is read and discarded; unread, it would accumulate piece by piece
    function stop(error?: Error): void {
      clearInterval(slow);
      request.off('data', onData).off('end', onEnd).off('close', onClose);
      if (error === undefined) resolve();
      else reject(error);
    }
    request.on('data', onData).on('end', onEnd).on('close', onClose).on('error', onClose);
    pacer.pace(request);
  });
}
