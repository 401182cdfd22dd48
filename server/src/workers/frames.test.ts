import assert from 'node:assert/strict';
import { PassThrough } from 'node:stream';
import { test } from 'node:test';
import fc from 'fast-check';
import { readFrames, sendFrame, writeFrame, type Frame } from './frames.ts';

const frame = fc.tuple(fc.string(), fc.uint8Array({ maxLength: 300 })).map(([ask, body]) => ({ head: { ask }, body }));

test('frames come out as they went in, however the bytes are cut', async () => {
  await fc.assert(
    fc.asyncProperty(
      fc.array(frame),
      fc.array(fc.integer({ min: 1, max: 50 }), { minLength: 1 }),
      async (sent, cuts) => {
        assert.deepEqual(await readAll(cut(written(sent), cuts)), sent);
      },
    ),
  );
});

test('a frame that the end cuts short is left out', async () => {
  const bytes = written([
    { head: { a: 1 }, body: Uint8Array.of(1, 2, 3) },
    { head: { b: 2 }, body: Uint8Array.of(4) },
  ]);
  for (let missing = 1; missing < 17; missing++) {
    assert.deepEqual(await readAll([bytes.subarray(0, -missing)]), [{ head: { a: 1 }, body: Uint8Array.of(1, 2, 3) }]);
  }
});

test('lengths out of bounds, and heads that are no JSON, are refused', async () => {
  const lengths = (head: number, body: number) => {
    const bytes = Buffer.alloc(16);
    bytes.writeUInt32LE(head, 0);
    bytes.writeUInt32LE(body, 4);
    return bytes;
  };
  await assert.rejects(readAll([lengths(0, 0)]), /expected a head of 1 to 65536 bytes, got 0/);
  await assert.rejects(readAll([lengths(80_000, 0)]), /got 80000/);
  await assert.rejects(readAll([lengths(2, 1001)]), /expected a body of at most 1000 bytes, got 1001/);
  await assert.rejects(readAll([lengths(8, 0)]), SyntaxError);
});

test('a head may have 65,536 bytes, and a body as many as are allowed', async () => {
  const sound = { head: { text: 'x'.repeat(65_536 - '{"text":""}'.length) }, body: new Uint8Array(1000) };
  assert.deepEqual(await readAll([written([sound])]), [sound]);
  const larger = { ...sound, head: { text: `${sound.head.text}x` } };
  await assert.rejects(readAll([written([larger])]), /got 65537/);
});

test('a body in pieces is one frame, the stream goes on, and another length than was announced is refused', async () => {
  const stream = new PassThrough({ highWaterMark: 1e6 });
  async function* pieces() {
    yield Uint8Array.of(1, 2);
    yield Uint8Array.of(3);
  }
  await sendFrame(stream, { a: 1 }, { length: 3, pieces: pieces() });
  await sendFrame(stream, { b: 2 }, Uint8Array.of(4));
  assert.deepEqual(await readAll([stream.read() as Buffer]), [
    { head: { a: 1 }, body: Uint8Array.of(1, 2, 3) },
    { head: { b: 2 }, body: Uint8Array.of(4) },
  ]);
  for (const length of [2, 4])
    await assert.rejects(sendFrame(stream, {}, { length, pieces: pieces() }), /expected a body of \d bytes, got 3/);
});

function written(frames: readonly Frame[]): Buffer {
  const stream = new PassThrough({ highWaterMark: 1e6 });
  for (const { head, body } of frames) writeFrame(stream, head as object, body);
  return stream.read() ?? Buffer.alloc(0);
}

function cut(bytes: Buffer, lengths: readonly number[]): Buffer[] {
  const parts = [];
  for (let at = 0, i = 0; at < bytes.length; i++) {
    const length = lengths[i % lengths.length]!;
    parts.push(bytes.subarray(at, at + length));
    at += length;
  }
  return parts;
}

async function readAll(chunks: readonly Buffer[]): Promise<Frame[]> {
  async function* stream() {
    yield* chunks;
  }
  const frames = [];
  for await (const { head, body } of readFrames(stream(), 1000)) frames.push({ head, body });
  return frames;
}
