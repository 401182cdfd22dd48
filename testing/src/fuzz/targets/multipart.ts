import assert from 'node:assert/strict';
import { Failure } from '@sosia/server';
import { limits } from '@sosia/server/http/limits';
import { MultipartReader } from '@sosia/server/http/multipart';
import { TextAllowance } from '@sosia/server/http/text-allowance';
import { fileNames } from '@sosia/server/parameters/file';
import { RawParameters } from '@sosia/server/parameters/raw-parameters';
import type { Random } from '../../pictures/random.ts';
import { Choices } from '../choices.ts';
import { below, mutated } from '../mutate.ts';
import type { Target } from '../target.ts';

const LONGEST = 4000;
const texts = ['application_key', 'image_id', 'keywords', 'keywords', 'ids_list', 'nb_results'];
const files = ['image_content', 'dna', 'ref_image'];
const boundaries = [
  'x',
  'py',
  '----WebKitFormBoundary7MA4YWxkTrZu0gW',
  '-'.repeat(24) + '0123456789abcdef',
  'a'.repeat(70),
];

/** How the clients in the field write what surrounds a part, and before the first part. */
const clients: readonly { dressed(name: string, file: boolean): string; start?: string; quoted?: boolean }[] = [
  { dressed: (name, file) => `Content-Disposition: form-data; name="${name}"${file ? '; filename="x.jpg"' : ''}` },
  {
    dressed: (name, file) =>
      `Content-Disposition: form-data; name="${name}"${file ? '; filename="x.jpg"\r\nContent-Type: image/jpeg' : ''}`,
  },
  { dressed: (name) => `Content-Disposition: form-data; name=${name}`, quoted: true },
  {
    dressed: (name) =>
      `Content-Disposition: form-data; name="${name}"\r\nContent-Type: text/plain; charset=UTF-8\r\nContent-Transfer-Encoding: binary`,
  },
  {
    dressed: (name) => `Content-Disposition: form-data; name="${name}"\r\nContent-Type: application/octet-stream`,
    start: '\r\n',
  },
  {
    dressed: (name) => `content-type: text/plain\r\ncontent-disposition: form-data; filename="été.jpg"; name="${name}"`,
  },
];

/**
 * Multipart bodies. The first byte says which of two tests the rest is for: bodies as clients write them, built from
 * choices, must come back part by part; any other bytes must have one outcome however they are cut into chunks.
 */
export const multipart: Target = {
  name: 'multipart',
  covers: /server\/dist\/(http\/(multipart|part-name)|parameters\/(text|raw-parameters))\.js$/,
  limit: 1000,

  async open() {
    const seeds = [];
    for (let i = 0; i < 24; i++) {
      const choices = Buffer.from(Array.from({ length: 60 }, (_, k) => (i * 37 + k * (i + 11)) & 255));
      const { type, body } = sound(new Choices(choices));
      seeds.push(Buffer.concat([Uint8Array.of(0), choices]));
      seeds.push(Buffer.concat([Uint8Array.of(1, i), Buffer.from(`${type}\n`), body]));
    }
    return { seeds, mutate, run };
  },
};

function run(input: Uint8Array): string {
  if (input.length < 2) return 'nothing';
  const cuts = input[1]!;
  if (input[0]! % 2 === 0) {
    const { type, body, parts } = sound(new Choices(input.subarray(2)));
    const got = read(type, body, cuts);
    if (got instanceof Failure) assert.fail(`expected the parts of a sound body, got ${got.error}`);
    assert.deepEqual(partsOf(got, [...new Set(parts.map(([name]) => name))]), plainly(parts));
    return `${parts.length} parts`;
  }
  const end = input.indexOf(10, 2);
  const type = Buffer.from(input.subarray(2, end < 0 ? input.length : end)).toString('latin1');
  if (!/^multipart\/form-data\b/i.test(type)) return 'another type'; // goes to other readers
  const body = end < 0 ? new Uint8Array() : input.subarray(end + 1);
  const [whole, cut] = [read(type, body, 0), read(type, body, cuts)];
  const names = [...texts, ...files];
  assert.deepEqual(outcome(cut, names), outcome(whole, names), 'expected the same however the body is cut');
  return whole instanceof Failure ? whole.error : 'parts';
}

const outcome = (got: RawParameters | Failure, names: readonly string[]) =>
  got instanceof Failure ? got.error : partsOf(got, names);

/** A body as one of the clients writes it, and the parts in it. */
function sound(choices: Choices): { type: string; body: Buffer; parts: [name: string, content: Buffer][] } {
  const client = choices.of(clients);
  const boundary = choices.of(boundaries);
  const parts = Array.from({ length: 1 + choices.below(5) }, (): [string, Buffer] => {
    const file = choices.oneIn(3);
    return [choices.of(file ? files : texts), content(choices, boundary, file)];
  });
  const pieces = parts.map(([name, content], i) =>
    Buffer.concat([
      Buffer.from(
        `${i === 0 ? (client.start ?? '') : '\r\n'}--${boundary}\r\n${client.dressed(name, fileNames.has(name))}\r\n\r\n`,
      ),
      content,
    ]),
  );
  const body = Buffer.concat([...pieces, Buffer.from(`\r\n--${boundary}--${choices.oneIn(4) ? '' : '\r\n'}`)]);
  const type = `multipart/form-data; boundary=${client.quoted ? `"${boundary}"` : boundary}`;
  return { type, body, parts };
}

/** Content that comes close to the delimiter without being it. */
function content(choices: Choices, boundary: string, file: boolean): Buffer {
  const pieces: (string | Uint8Array)[] = [];
  for (let n = choices.below(6); n > 0; n--) {
    const near = [
      '\r',
      '\n',
      '\r\n',
      '--',
      `\r\n-`,
      `\r\n--${boundary.slice(0, -1)}`,
      `--${boundary}`,
      `\n--${boundary}`,
    ];
    const kind = choices.below(near.length + 3);
    if (kind < near.length) pieces.push(near[kind]!);
    else if (kind === near.length) pieces.push('x'.repeat(choices.below(300)));
    else pieces.push(file ? choices.bytes(1 + choices.below(40)) : 'é🙂 +%'.slice(0, choices.below(6)));
  }
  const whole = Buffer.concat(pieces.map((piece) => Buffer.from(piece as string)));
  // the delimiter may also arise where two pieces meet, and a body of one part may begin with it
  return whole.includes(`\r\n--${boundary}`) || whole.indexOf(`--${boundary}`) === 0 ? Buffer.from('plain') : whole;
}

/** What the parts of each name are expected to be; empty ones are not given. */
function plainly(parts: readonly [name: string, content: Buffer][]): object {
  const all = [...new Set(parts.map(([name]) => name))].map((name) => {
    const contents = parts
      .filter(([other, content]) => other === name && content.length > 0)
      .map(([, content]) => content);
    if (!fileNames.has(name)) return [name, contents.map((each) => each.toString('utf8'))];
    return [name, contents.length > 1 ? 'REPEATED_PARAMETER' : (contents[0]?.toString('latin1') ?? null)];
  });
  return Object.fromEntries(all) as object;
}

function partsOf(raw: RawParameters, names: readonly string[]): object {
  const all = names.map((name) => {
    if (!fileNames.has(name)) return [name, raw.texts(name)];
    try {
      const file = raw.file(name);
      return [name, file ? Buffer.from(file).toString('latin1') : null];
    } catch (cause) {
      if (!(cause instanceof Failure)) throw cause;
      return [name, cause.error];
    }
  });
  return Object.fromEntries(all) as object;
}

/** @param cuts  0: in one piece; else the pieces' lengths follow from it */
function read(type: string, body: Uint8Array, cuts: number): RawParameters | Failure {
  const raw = new RawParameters();
  const bytes = Buffer.from(body);
  try {
    const reader = new MultipartReader(type, raw, new TextAllowance(1e6), limits);
    for (let at = 0, i = 0; cuts > 0; i++) {
      at += 1 + ((cuts * (i + 1) * 7) % (cuts > 128 ? 5 : 90));
      if (at >= bytes.length) break;
      reader.advance(bytes.subarray(0, at), false);
    }
    reader.advance(bytes, true);
    return raw;
  } catch (cause) {
    if (cause instanceof Failure) return cause;
    throw cause;
  }
}

const words = [
  '\r\n',
  '\r\n--',
  '--',
  '\r\n\r\n',
  'name=',
  '"',
  ';',
  "; filename*=UTF-8''",
  '\\"',
  'boundary=',
  'Content-Disposition: form-data; ',
  'charset=utf-16le',
];

function mutate(input: Uint8Array, random: Random, others: readonly Uint8Array[]): Uint8Array {
  const changed = Buffer.from(mutated(input, random, others, { longest: LONGEST, words }));
  if (changed.length >= 2 && random() < 0.3) changed[1] = below(random, 256);
  return changed;
}
