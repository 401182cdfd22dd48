import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../errors.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import { JsonReader } from './json-body.ts';
import { limits } from './limits.ts';
import { TextAllowance } from './text-allowance.ts';

/** @returns the parameters, or the name of the failure. @param step  how many bytes arrive at a time */
function read(body: string | Buffer, step = Infinity, most: Partial<typeof limits> = {}): RawParameters | string {
  const all = { ...limits, ...most };
  const raw = new RawParameters();
  const reader = new JsonReader(raw, new TextAllowance(all.textBytes), all, 0);
  const bytes = Buffer.from(body as string);
  try {
    for (let at = step; at < bytes.length; at += step) reader.advance(bytes.subarray(0, at), false);
    reader.advance(bytes, true);
    return raw;
  } catch (cause) {
    assert.ok(cause instanceof Failure, String(cause));
    return cause.error;
  }
}

const scalar = fc.oneof(
  fc.string({ unit: 'binary', maxLength: 20 }),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.integer(),
  fc.boolean(),
);
const value = fc.oneof(scalar, fc.constant(null), fc.array(scalar, { maxLength: 5 }));
/** What JSON writes, and the same with all characters escaped and with spaces. */
const written = (object: object): string[] => {
  const plain = JSON.stringify(object);
  const escaped = plain.replace(/"((?:[^"\\]|\\.)*)"/g, (text) =>
    JSON.stringify(JSON.parse(text)).replace(/[^"\\]/g, (unit, at: number, whole: string) =>
      whole[at - 1] === '\\' || /\\u[\da-f]{0,3}$/.test(whole.slice(0, at))
        ? unit
        : `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`,
    ),
  );
  return [plain, escaped, JSON.stringify(object, null, '\t')];
};

test('an object is read as JSON.parse reads it, however it is written and cut', () => {
  const object = fc.dictionary(fc.string({ unit: 'binary', maxLength: 8 }), value, { maxKeys: 6 });
  fc.assert(
    fc.property(object, fc.integer({ min: 1, max: 9 }), (object, step) => {
      for (const body of written(object)) {
        const raw = read(body, step);
        if (typeof raw === 'string') return assert.equal(raw, 'never', body);
        for (const [name, value] of Object.entries(JSON.parse(body) as object)) {
          const list = (Array.isArray(value) ? value : [value]) as (string | number | boolean | null)[];
          const texts = list
            .filter((each) => each !== null)
            .map((each) => String(each === true ? 1 : each === false ? 0 : each));
          assert.deepEqual(
            raw.texts(name),
            texts.filter((text) => text !== ''),
          );
        }
      }
      return undefined;
    }),
  );
});

test('what JSON.parse refuses is refused, and so is everything but an object of texts, numbers and lists', () => {
  const broken = [
    ...[
      '',
      ' ',
      '{',
      '{"a"',
      '{"a":',
      '{"a":1',
      '{"a":1,',
      '{"a":1,}',
      '{,}',
      '{"a" 1}',
      '{"a":1 "b":2}',
      '{"a":[1,]}',
      '{"a":[,]}',
    ],
    ...[
      '{"a":[1',
      '{"a":[1 2]}',
      '{"a":01}',
      '{"a":+1}',
      '{"a":.5}',
      '{"a":1e}',
      '{"a":nul}',
      '{"a":True}',
      "{'a':1}",
      '{a:1}',
    ],
    ...[
      '{"a":"\\x"}',
      '{"a":"\\u12"}',
      '{"a":"\n"}',
      '{"a":"',
      '{"a":"\\"}',
      '{"a":1}}',
      '{"a":1} 2',
      '\ufeff{}',
      '{"a":1]',
      '{"a":[1}',
    ],
    ...['}', '"a":1}', '{} "', '{} "a', '{} nul', '{"a":1"b":2}', '{"a":[]]', '{"a":1,]', '{"a":}', '{"a":]}'],
    ...['[]', '1', '"a"', 'null', '{"a":{}}', '{"a":[[]]}', '{"a":[{}]}', '{"a":[null]}', `{"a":${'1'.repeat(401)}}`],
  ];
  for (const body of broken) {
    for (const step of [1, 2, Infinity]) assert.equal(read(body, step), 'MALFORMED_REQUEST', body);
  }
  assert.equal(read(Buffer.from('7b2261223a22ff227d', 'hex')), 'BAD_TEXT');
});

test('files are base64, also with escapes', () => {
  const file = Buffer.from(Array.from({ length: 999 }, (_, i) => (i * 7) & 255));
  const coded = file.toString('base64');
  for (const text of [coded, coded.replaceAll('/', '\\/'), coded.replaceAll('+', '\\u002B')]) {
    for (const step of [1, 100, Infinity]) {
      const raw = read(`{"image_content":"${text}"}`, step);
      assert.deepEqual(typeof raw === 'string' ? raw : raw.file('image_content'), file);
    }
  }
  for (const text of ['a', 'ab=c', 'é', 'YQ']) assert.equal(read(`{"image_content":"${text}"}`), 'BAD_PARAMETER');
});

test('names and values are counted, and a text is measured, before the end has arrived', () => {
  const start = (body: string, most: Partial<typeof limits>) => {
    const all = { ...limits, ...most };
    const reader = new JsonReader(new RawParameters(), new TextAllowance(all.textBytes), all, 0);
    assert.throws(() => reader.advance(Buffer.from(body), false), Failure, body.slice(0, 20));
  };
  assert.notEqual(typeof read(`{"ids":[${'1,'.repeat(8)}1]}`, 1, { jsonValues: 10 }), 'string');
  start(`{"ids":[${'1,'.repeat(11)}`, { jsonValues: 10 });
  start(`{${Array.from({ length: 6 }, (_, i) => `"n${i}":1,`).join('')}`, { jsonValues: 10 });
  start(`{${Array.from({ length: 11 }, (_, i) => `"n${i}":[],`).join('')}`, { jsonValues: 10 });
  start('{"a":{', {});
  start(`{"a":"${'x'.repeat(1_001)}`, { textBytes: 1_000 });
  start(`{"${'x'.repeat(1_001)}`, { textBytes: 1_000 });
  start(`{"a":"${'\\u0041'.repeat(1_010)}`, { textBytes: 1_000 });
  assert.notEqual(typeof read(`{"a":"${'\\u0041'.repeat(900)}"}`, 7, { textBytes: 1_000 }), 'string');
  const picture = `{"image_content":"${'A'.repeat(8_000)}"}`;
  assert.notEqual(typeof read(picture, 7, { textBytes: 1_000 }), 'string');
});

test('a body of the largest size is read, and a larger one is refused as soon as its size is known', () => {
  const most = { ...limits, jsonBytes: 20 };
  const body = `{"a":"${'x'.repeat(12)}"}`;
  assert.equal(body.length, 20);
  assert.notEqual(typeof read(body, 3, most), 'string');
  assert.equal(read(`${body} `, 3, most), 'REQUEST_TOO_LARGE');
  assert.equal(read(` ${body}`, Infinity, most), 'REQUEST_TOO_LARGE');
  const made = (declared: number) => new JsonReader(new RawParameters(), new TextAllowance(9), most, declared);
  made(20);
  assert.throws(() => made(21), /expected a JSON body of at most 20 bytes; a multipart body may be larger/);
});

test('too long a text is refused by the name of its parameter, before its end', () => {
  for (const [body, name] of [
    [`{"a":"${'x'.repeat(21)}`, 'a'],
    [`{"a":["${'x'.repeat(21)}`, 'a'],
    [`{"${'x'.repeat(21)}`, 'a parameter'],
    [`{"image_content":"AAAA","${'x'.repeat(21)}`, 'image_content'],
  ] as const) {
    const reader = new JsonReader(new RawParameters(), new TextAllowance(20), limits, 0);
    assert.throws(() => reader.advance(Buffer.from(body), false), new RegExp(`: ${name}: expected at most 20 bytes`));
  }
});

test('spaces are allowed around each token, and a number has at most 400 characters', () => {
  const spaces = ' \t\r\n'.repeat(200);
  const spaced = ['', '{', '"a"', ':', '[', '1', ',', 'true', ']', ',', '"b"', ':', '2', '}', ''].join(spaces);
  for (const step of [1, 500, Infinity]) {
    const raw = read(spaced, step);
    assert.ok(typeof raw !== 'string', raw as string);
    assert.deepEqual([raw.texts('a'), raw.texts('b')], [['1', '1'], ['2']]);
  }
  assert.notEqual(typeof read(`{"a":1.${'0'.repeat(398)}}`), 'string');
  assert.equal(read(`{"a":1.${'0'.repeat(399)}}`), 'MALFORMED_REQUEST');
});

test('a text is measured before it is decoded, a name too, though it arrives in one piece', () => {
  const most = { textBytes: 10 };
  const wrong = (length: number) => Buffer.alloc(length, 0xff);
  for (const [before, after] of [
    ['{"a":"', '"}'],
    ['{"', '":1}'],
    ['{"a":["', '"]}'],
  ] as const) {
    const body = (length: number) => Buffer.concat([Buffer.from(before), wrong(length), Buffer.from(after)]);
    assert.equal(read(body(10), Infinity, most), 'BAD_TEXT', before);
    assert.equal(read(body(11), Infinity, most), 'BAD_PARAMETER', before);
  }
  assert.equal(read(`{"a":"${'\\u0041'.repeat(13)}\\x"}`, Infinity, most), 'MALFORMED_REQUEST');
  assert.equal(read(`{"a":"${'\\u0041'.repeat(14)}\\x"}`, Infinity, most), 'BAD_PARAMETER');
});
