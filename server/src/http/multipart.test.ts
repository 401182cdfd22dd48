import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Busboy } from '@fastify/busboy';
import fc from 'fast-check';
import { Failure } from '../errors.ts';
import { fileNames } from '../parameters/file.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import { limits } from './limits.ts';
import { MultipartReader } from './multipart.ts';
import { partName } from './part-name.ts';
import { TextAllowance } from './text-allowance.ts';

const names = ['image_content', 'dna', 'keywords', 'été', 'a "b" \\c', '__proto__', ''];
/** Contents that resemble the delimiters. */
const content = fc.oneof(
  fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
  fc
    .array(fc.constantFrom('\r\n', '--', 'edge', '\r', '\n', '-', 'x', '--edge', '\r\n--edg'), { maxLength: 12 })
    .map((words) => Buffer.from(words.join('')))
    .filter((bytes) => !Buffer.concat([Buffer.from('\r\n'), bytes, Buffer.from('\r\n--')]).includes('\r\n--edge')),
);
const part = fc.record({ name: fc.constantFrom(...names), content, dressed: fc.nat(7) });

function bodyOf(parts: readonly { name: string; content: Buffer; dressed: number }[]): Buffer {
  const pieces = parts.flatMap(({ name, content, dressed }) => {
    const quoted = `"${name.replaceAll(/["\\]/g, '\\$&')}"`;
    const shownName = dressed & 1 && /^\w+$/.test(name) ? name : quoted;
    const filename = dressed & 2 ? '; filename="fête; name=x.jpg"' : '';
    const type = dressed & 4 ? 'Content-Type: text/plain; name=none\r\n' : '';
    return [`--edge\r\n${type}Content-Disposition: form-data; name=${shownName}${filename}\r\n\r\n`, content, '\r\n'];
  });
  return Buffer.concat([...pieces, '--edge--\r\n'].map((piece) => Buffer.from(piece as string)));
}

test('the result equals the input, for any pieces, and equals that of busboy', async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(part, { minLength: 1, maxLength: 6 }), fc.array(fc.nat(400)), async (parts, cuts) => {
      const body = bodyOf(parts);
      const whole = outcome(body, []);
      assert.deepEqual(outcome(body, cuts), whole);
      assert.deepEqual(await byBusboy(body), whole);
    }),
    { numRuns: 300 },
  );
});

test('damaged bodies are read equally in one piece and in many', () => {
  const damage = fc.record({
    at: fc.nat(600),
    remove: fc.nat(30),
    insert: fc.constantFrom('', '\r\n', '--edge', ';"', ' '),
  });
  fc.assert(
    fc.property(
      fc.array(part, { maxLength: 4 }),
      damage,
      fc.array(fc.nat(400)),
      (parts, { at, remove, insert }, cuts) => {
        const sound = bodyOf(parts);
        const body = Buffer.concat([sound.subarray(0, at), Buffer.from(insert), sound.subarray(at + remove)]);
        assert.deepEqual(outcome(body, cuts), outcome(body, []));
      },
    ),
    { numRuns: 500 },
  );
});

test('files are views of the last bytes passed in, so that no other memory is held', () => {
  const body = bodyOf([{ name: 'image_content', content: Buffer.from('pixels'), dressed: 0 }]);
  const raw = new RawParameters();
  const reader = readerFor(raw);
  reader.advance(Buffer.from(body), false);
  const last = Buffer.from(body);
  reader.advance(last, true);
  assert.equal(raw.file('image_content')!.buffer, last.buffer);
});

test('preamble, epilogue, blanks after a boundary and parts without a name are ignored', () => {
  const head = 'Content-Disposition: form-data; name=';
  const body = [
    `preamble --edge\r\n--edge \t\r\n${head}a\r\n\r\n1`,
    `--edge\r\n\r\n2`,
    `--edge\r\nContent-Disposition: attachment; name=b\r\n\r\n3`,
    `--edge\r\nContent-Disposition: form-data\r\n\r\n4`,
    `--edge\r\n${head}c`,
    `--edge\r\nX: y\r\ncontent-disposition:FORM-DATA;NAME="d"\r\n\r\n5`,
    `--edge--epilogue\r\n--edge\r\n${head}e\r\n\r\n6`,
  ].join('\r\n');
  assert.deepEqual(outcome(Buffer.from(body), []), { a: ['1'], d: ['5'] });
});

test('a boundary has 1 to 70 characters, in quotation marks or not', () => {
  const reader = (boundary: string) =>
    new MultipartReader(`multipart/form-data; boundary=${boundary}`, new RawParameters(), new TextAllowance(9), limits);
  for (const sound of ['x', 'x'.repeat(70), `"${'x'.repeat(70)}"`, '"a b"; charset=utf-8']) reader(sound);
  for (const wrong of ['', '""', ';', 'x'.repeat(71), `"${'x'.repeat(71)}"`]) {
    assert.throws(() => reader(wrong), /expected a multipart boundary of 1 to 70 characters/, wrong);
  }
});

test('a text is known with the two bytes after its delimiter, before the rest of the body', () => {
  const body = bodyOf(['a', 'b', 'c'].map((name) => ({ name, content: Buffer.from(name), dressed: 0 })));
  const text = body.toString('latin1');
  const ends = [...text.matchAll(/\r\n--edge../gs)].map((found) => found.index + found[0].length);
  assert.equal(ends.length, 3);
  const raw = new RawParameters();
  const reader = readerFor(raw);
  for (let length = 1; length < body.length; length++) {
    reader.advance(body.subarray(0, length), false);
    assert.equal(Object.keys(listed(raw, ['a', 'b', 'c'])).length, ends.filter((end) => end <= length).length);
  }
});

test('a delimiter is at the start, or on a line of its own, and two dashes behind it make it the last', () => {
  const part = (name: string) => `\r\nContent-Disposition: form-data; name=${name}\r\n\r\n${name}\r\n`;
  for (const [body, expected] of [
    ['--edge--', {}],
    [`\r\n--edge${part('a')}--edge--`, { a: ['a'] }],
    [`preamble${part('b')}--edge${part('a')}--edge--`, { a: ['a'] }],
    [`--edge-${part('a')}--edge${part('b')}--edge--`, { b: ['b'] }],
    [`--edgex-${part('a')}--edge${part('b')}--edge--${part('c')}--edge--`, { b: ['b'] }],
    ['--edge', 'MALFORMED_REQUEST'],
    ['--edge-', 'MALFORMED_REQUEST'],
    [`--edge${part('a')}--edge`, 'MALFORMED_REQUEST'],
    [`--edge${part('a')}--edge\r-`, 'MALFORMED_REQUEST'],
  ] as const) {
    assert.deepEqual(outcome(Buffer.from(body), []), expected, body);
    assert.deepEqual(
      outcome(
        Buffer.from(body),
        [...body].map((_, i) => i),
      ),
      expected,
      body,
    );
  }
});

test('a part without an end of headers is ignored up to the size of headers, and one without headers at any size', () => {
  const most = limits.partHeaderBytes;
  for (const [content, expected] of [
    ['x'.repeat(most), {}],
    ['x'.repeat(most + 1), 'MALFORMED_REQUEST'],
    [`\r\n\r\n${'x'.repeat(2 * most)}`, {}],
  ] as const)
    assert.deepEqual(outcome(Buffer.from(`--edge${content}\r\n--edge--`), []), expected);
});

test('too many parts, too many headers and too much text are refused', () => {
  const one = { name: 'k', content: Buffer.from('v'), dressed: 0 };
  assert.equal(outcome(bodyOf(Array(limits.parts).fill(one)), []).k.length, limits.parts);
  assert.equal(outcome(bodyOf(Array(limits.parts + 1).fill(one)), []), 'MALFORMED_REQUEST');
  const long = bodyOf([one])
    .toString()
    .replace('\r\n', `\r\nX: ${'y'.repeat(limits.partHeaderBytes)}\r\n`);
  assert.equal(outcome(Buffer.from(long), []), 'MALFORMED_REQUEST');
  const half = { ...one, content: Buffer.alloc(limits.textBytes / 2, 'x') };
  assert.equal(outcome(bodyOf([half]), []).k[0].length, limits.textBytes / 2);
  assert.equal(outcome(bodyOf([half, half]), []), 'BAD_PARAMETER');
});

test('the name of a part is found in linear time', () => {
  const disposition = 'Content-Disposition: form-data';
  for (const hard of [
    `; a${' '.repeat(16_000)}`,
    '; a="\\"'.repeat(2_000),
    ';"'.repeat(8_000),
    '; a= "'.repeat(2_700),
  ]) {
    partName(Buffer.from(disposition + hard)); // otherwise it would not end
  }
  assert.equal(partName(Buffer.from(`${disposition}; filename="\\"; name=x"; name="y"`)), 'y');
});

/** Names with their texts, or files as hexadecimal text; the error's name for a refusal. */
function outcome(body: Buffer, cuts: readonly number[]): any {
  const raw = new RawParameters();
  try {
    const reader = readerFor(raw);
    const ends = [...cuts].filter((cut) => cut < body.length).sort((a, b) => a - b);
    for (const end of ends) reader.advance(Buffer.from(body.subarray(0, end)), false);
    reader.advance(body, true);
  } catch (cause) {
    assert.ok(cause instanceof Failure);
    return cause.error;
  }
  return listed(raw, [...names, 'a', 'b', 'c', 'd', 'e', 'k']);
}

function readerFor(raw: RawParameters): MultipartReader {
  return new MultipartReader('multipart/form-data; boundary=edge', raw, new TextAllowance(limits.textBytes), limits);
}

function listed(raw: RawParameters, all: readonly string[]): any {
  const entries = all.map((name) => {
    const files = fileNames.has(name) ? filesOf(raw, name) : [];
    return [name, [...raw.texts(name), ...files]] as const;
  });
  return Object.fromEntries(entries.filter(([, values]) => values.length > 0));
}

/** The file of a name, unless the name occurs twice. */
function filesOf(raw: RawParameters, name: string): string[] {
  try {
    const file = raw.file(name);
    return file ? [Buffer.from(file).toString('hex')] : [];
  } catch {
    return ['several'];
  }
}

async function byBusboy(body: Buffer): Promise<any> {
  const raw = new RawParameters();
  const parser = new Busboy({
    headers: { 'content-type': 'multipart/form-data; boundary=edge' },
    isPartAFile: () => true,
  });
  const parts: { name: string | undefined; chunks: Buffer[] }[] = [];
  parser.on('file', (name: string | undefined, stream) => {
    const chunks: Buffer[] = [];
    parts.push({ name, chunks });
    stream.on('data', (chunk: Buffer) => chunks.push(chunk));
  });
  await new Promise((resolve, reject) => parser.on('finish', resolve).on('error', reject).end(body));
  for (const { name, chunks } of parts) {
    const content = Buffer.concat(chunks);
    if (name === undefined) continue;
    if (fileNames.has(name)) {
      raw.addFile(name, content);
    } else {
      const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true });
      try {
        raw.addText(name, text.decode(content), 'body');
      } catch {
        return 'BAD_TEXT';
      }
    }
  }
  return listed(raw, names);
}
