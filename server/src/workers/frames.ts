import type { Writable } from 'node:stream';
import { pipeline } from 'node:stream/promises';

/**
 * A message between the server and a child process, both ways:
 *
 *     byte  field, little-endian
 *     0     length of the head, in bytes                                  uint32
 *     4     length of the body, in bytes                                  uint32
 *     8     head: JSON
 *     …     body: bytes
 */
export interface Frame {
  readonly head: unknown;
  readonly body: Uint8Array;
}

const LENGTHS = 8;
const LARGEST_HEAD = 65_536;

/** The body of a frame: in memory, or in pieces that have `length` bytes together. */
export type Body = Uint8Array | { readonly length: number; readonly pieces: AsyncIterable<Uint8Array> };

export function writeFrame(stream: Writable, head: object, body: Uint8Array): void {
  stream.cork();
  stream.write(startOf(head, body.length));
  if (body.length > 0) stream.write(body);
  stream.uncork();
}

/** Holds one piece at a time. Rejects where the stream ends early, where reading a piece fails, and for another length than announced. */
export async function sendFrame(stream: Writable, head: object, body: Body): Promise<void> {
  if (body instanceof Uint8Array) return writeFrame(stream, head, body);
  const { length, pieces } = body;
  stream.write(startOf(head, length));
  let sent = 0;
  const counted = async function* () {
    for await (const piece of pieces) {
      sent += piece.length;
      yield piece;
    }
  };
  await pipeline(counted, stream, { end: false });
  if (sent !== length) throw new Error(`expected a body of ${length} bytes, got ${sent}`);
}

function startOf(head: object, bodyLength: number): Buffer {
  const text = Buffer.from(JSON.stringify(head));
  const start = Buffer.alloc(LENGTHS + text.length);
  start.writeUInt32LE(text.length, 0);
  start.writeUInt32LE(bodyLength, 4);
  text.copy(start, LENGTHS);
  return start;
}

/**
 * The frames of a stream until it ends; a frame that is cut short by the end is left out.
 * @throws for lengths out of bounds (body over `largestBody`) and a head that is no JSON
 */
export async function* readFrames(
  stream: AsyncIterable<Buffer> | Iterable<Buffer>,
  largestBody: number,
): AsyncGenerator<Frame, undefined> {
  const lengths = Buffer.alloc(LENGTHS);
  let content: Buffer | undefined;
  let filled = 0;
  for await (const chunk of stream) {
    for (let at = 0; at < chunk.length;) {
      const part = content ?? lengths;
      const taken = chunk.copy(part, filled, at);
      at += taken;
      filled += taken;
      if (filled < part.length) continue;

      filled = 0;
      if (content) {
        yield split(content, lengths.readUInt32LE(0));
        content = undefined;
      } else {
        content = Buffer.allocUnsafeSlow(checkedLength(lengths, largestBody));
      }
    }
  }
}

function checkedLength(lengths: Buffer, largestBody: number): number {
  const [head, body] = [lengths.readUInt32LE(0), lengths.readUInt32LE(4)];
  if (head === 0 || head > LARGEST_HEAD) throw new Error(`expected a head of 1 to ${LARGEST_HEAD} bytes, got ${head}`);
  if (body > largestBody) throw new Error(`expected a body of at most ${largestBody} bytes, got ${body}`);
  return head + body;
}

function split(content: Buffer, headLength: number): Frame {
  const head: unknown = JSON.parse(content.toString('utf8', 0, headLength));
  return { head, body: new Uint8Array(content.buffer, content.byteOffset + headLength, content.length - headLength) };
}
