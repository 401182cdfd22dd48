import assert from 'node:assert/strict';
import { Writable } from 'node:stream';
import { readFrames, writeFrame, type Frame } from '@sosia/server/workers/frames';
import { checkedDecodeAnswer } from '@sosia/server/decode/protocol';
import { checkedOnnxAnswer } from '@sosia/server/onnx/protocol';
import { errors } from '@sosia/server';
import { oneOf, type Random } from '../../pictures/random.ts';
import { below, mutated } from '../mutate.ts';
import type { Target } from '../target.ts';

const LARGEST_BODY = 5000;
const LENGTHS = 8;
const decodeKinds = ['start', 'describe', 'keep', 'decode', 'compare'] as const;

/** What a child process that a picture has taken over may write to the server. The first byte cuts the stream into chunks. */
export const frames: Target = {
  name: 'frames',
  covers: /server\/dist\/(workers\/(frames|answer)|(decode|onnx)\/protocol)\.js$/,
  limit: 500,

  async open() {
    const box = { topLeftPoint: [0.1, 0.2], bottomRightPoint: [0.5, 0.6] };
    const heads: [object, number][] = [
      [{ rss: 1, done: 'start' }, 0],
      [{ rss: 5e7, done: 'describe' }, 300],
      [{ rss: 5e7, done: 'keep', dnaBytes: 300 }, 700],
      [{ rss: 1, done: 'decode', size: { width: 20, height: 10, originalWidth: 40, originalHeight: 20 } }, 600],
      [
        {
          rss: 1,
          done: 'compare',
          compared: {
            score: 0.5,
            homography: [1, 0, 0, 0, 1, 0, 0, 0, 1],
            referenceBytes: 20,
            regions: [{ reference: box, query: box, strength: 0.3 }],
          },
        },
        60,
      ],
      [{ rss: 1, failed: 'DAMAGED_PICTURE', detail: 'cut short' }, 0],
      [{ rss: 1, fault: 'out of memory' }, 0],
      [{ rss: 1, done: 'load', about: { width: 8, height: 8, milliseconds: 3 } }, 0],
      [{ rss: 1, done: 'score', score: -0.5 }, 0],
    ];
    const each = heads.map(([head, length]) => written(head, Buffer.alloc(length, 7)));
    const seeds = [...each, Buffer.concat(each)].map((stream, i) => Buffer.concat([Uint8Array.of(i * 20), stream]));
    return { seeds, mutate, run };
  },
};

function written(head: object, body: Uint8Array): Buffer {
  const pieces: Buffer[] = [];
  const stream = new Writable({
    write(chunk: Buffer, _, done) {
      pieces.push(chunk);
      done();
    },
  });
  writeFrame(stream, head, body);
  return Buffer.concat(pieces);
}

async function run(input: Uint8Array): Promise<string> {
  const stream = Buffer.from(input.subarray(1));
  const got: Frame[] = [];
  let ended = 'whole';
  try {
    for await (const frame of readFrames(chunks(stream, input[0] ?? 0), LARGEST_BODY)) got.push(frame);
  } catch (cause) {
    if (!(cause instanceof Error) || cause instanceof RangeError || cause instanceof TypeError) throw cause;
    ended = cause instanceof SyntaxError ? 'no JSON' : cause.message.replace(/\d+/g, '#');
  }
  const expected = plainly(stream);
  assert.equal(got.length, expected.length, `expected ${expected.length} frames, got ${got.length}`);
  got.forEach(({ head, body }, i) => {
    assert.deepEqual(head, expected[i]!.head);
    assert.ok(Buffer.compare(body, expected[i]!.body) === 0, 'expected the body as it was written');
  });
  return [ended, ...got.flatMap(judged)].join(' ');
}

/** All fields that answers have, each in some of them. */
interface AnyAnswer {
  readonly rss: number;
  readonly done?: string;
  readonly failed?: string;
  readonly size: { width: number; height: number };
  readonly dnaBytes: number;
  readonly score: number;
  readonly about: { width: number; milliseconds: number };
  readonly compared: { score: number; referenceBytes: number; homography: number[] };
}

/** The questions to which a frame is an answer; what is accepted must be in bounds. */
function judged(frame: Frame): string[] {
  const bytes = frame.body.length;
  return [...decodeKinds, 'load', 'score'].filter((question) => {
    try {
      const answer =
        question === 'load' || question === 'score'
          ? checkedOnnxAnswer(frame, question)
          : checkedDecodeAnswer(frame, question);
      const { rss, done, size, compared, dnaBytes, failed, score, about } = answer as unknown as AnyAnswer;
      assert.ok(Number.isSafeInteger(rss) && rss > 0);
      if (failed !== undefined) assert.ok(Object.keys(errors).includes(failed));
      if (done === undefined) return false;
      assert.equal(done, question);
      if (question === 'decode') assert.equal(size.width * size.height * 3, bytes);
      if (question === 'keep') assert.ok(dnaBytes > 0 && dnaBytes < bytes);
      if (question === 'score') assert.ok(score >= -1 && score <= 1, `a score of ${score}`);
      if (question === 'load') assert.ok(about.width > 0 && about.milliseconds >= 0);
      if (question === 'compare') {
        assert.ok(compared.score >= 0 && compared.score <= 1 && compared.referenceBytes < bytes);
        assert.ok(compared.homography.every(Number.isFinite));
      }
      return true;
    } catch (cause) {
      if (cause instanceof assert.AssertionError || !(cause instanceof Error)) throw cause;
      assert.equal(cause.message, 'it answered in no known form');
      return false;
    }
  });
}

function* chunks(stream: Buffer, cuts: number): Iterable<Buffer> {
  for (let at = 0, i = 0; at < stream.length; i++) {
    const length = cuts === 0 ? stream.length : 1 + ((cuts * (i + 1) * 13) % 97);
    yield stream.subarray(at, at + length);
    at += length;
  }
}

/** The frames up to the first that is none. */
function plainly(stream: Buffer): Frame[] {
  const all: Frame[] = [];
  for (let at = 0; at + LENGTHS <= stream.length;) {
    const [head, body] = [stream.readUInt32LE(at), stream.readUInt32LE(at + 4)];
    const end = at + LENGTHS + head + body;
    if (head === 0 || head > 65_536 || body > LARGEST_BODY || end > stream.length) return all;
    try {
      const text = stream.toString('utf8', at + LENGTHS, at + LENGTHS + head);
      all.push({ head: JSON.parse(text), body: stream.subarray(end - body, end) });
    } catch {
      return all;
    }
    at = end;
  }
  return all;
}

const words = [
  'null',
  '[]',
  '{}',
  '-1',
  '0',
  '1e999',
  '0.5',
  '"done"',
  '"constructor"',
  '{"rss":1}',
  '"__proto__"',
  ',"rss":1',
  'true',
];

/** With the length of the first head made right in most cases. */
function mutate(input: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  if (random() < 0.4 || input.length < 1 + LENGTHS + 2) return mutated(input, random, others, { longest: 4000, words });
  const stream = Buffer.from(input.subarray(1));
  const length = Math.min(stream.readUInt32LE(0), stream.length - LENGTHS);
  let head: Uint8Array = stream.subarray(LENGTHS, LENGTHS + length);
  if (random() < 0.7) head = changedNumber(head, random);
  else head = mutated(head, random, [head], { longest: 400, words });
  const body = stream.subarray(LENGTHS + length);
  const start = Buffer.from(stream.subarray(0, LENGTHS));
  start.writeUInt32LE(head.length, 0);
  if (random() < 0.1) start.writeUInt32LE(body.length, 4);
  return Buffer.concat([Uint8Array.of(below(random, 256)), start, head, body]);
}

/** JSON with one of its values replaced by another. */
function changedNumber(head: Uint8Array, random: Random): Buffer {
  const text = Buffer.from(head).toString('latin1');
  const values = [...text.matchAll(/-?\d+(\.\d+)?|"[a-zA-Z_]+"/g)];
  if (values.length === 0) return Buffer.from(head);
  const { index, 0: old } = oneOf(random, values);
  return Buffer.from(text.slice(0, index) + oneOf(random, words) + text.slice(index + old.length), 'latin1');
}
