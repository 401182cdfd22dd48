import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../errors.ts';
import { RawParameters } from '../parameters/raw-parameters.ts';
import { FormReader } from './form.ts';
import { TextAllowance } from './text-allowance.ts';

test('any text comes through percent-encoding unchanged, together with its neighbours', () => {
  fc.assert(
    fc.property(fc.array(fc.string({ unit: 'grapheme', minLength: 1 })), (texts) => {
      fc.pre(texts.every((text) => !/\p{Cs}/u.test(text)));
      const form = texts.map((text) => `a%62=${encodeURIComponent(text)}`).join('&');
      assert.deepEqual(read(form).texts('ab'), texts);
    }),
  );
});

test('raw UTF-8 bytes, plus signs and equal signs inside a value are read', () => {
  assert.deepEqual(read(Buffer.from('k=é+b=c&k=x%2By')).texts('k'), ['é b=c', 'x+y']);
});

test('names without value, empty pieces and ampersands alone give nothing', () => {
  assert.deepEqual(read('&&k&k=&=v&').texts('k'), []);
});

test('malformed percent-encoding and bytes that are not UTF-8 are refused, never repaired', () => {
  for (const form of [
    'k=%',
    'k=%4',
    'k=%zz',
    'k=%-1',
    'k=%FF',
    'k=%C3',
    'k=%ED%A0%80',
    'k=%C0%80',
    '%FF=v',
    'k=%+1',
    'k=%1z',
    'k=%z0%90%80%80',
  ]) {
    assert.throws(
      () => read(form),
      (error) => error instanceof Failure && error.error === 'BAD_TEXT',
      form,
    );
  }
});

test('a byte order mark is a character of the text', () => {
  assert.deepEqual(read('k=%EF%BB%BFa').texts('k'), ['\ufeffa']);
});

test('names that JavaScript objects have by default are ordinary names', () => {
  const raw = read('__proto__=a&constructor=b&hasOwnProperty=c');
  assert.deepEqual(raw.texts('__proto__'), ['a']);
  assert.deepEqual(raw.texts('toString'), []);
});

test('a form of more fields than allowed is refused', () => {
  assert.equal(read('a=1&'.repeat(1000)).texts('a').length, 1000);
  assert.throws(
    () => read('a=1&'.repeat(1001)),
    (error) => error instanceof Failure && error.error === 'MALFORMED_REQUEST',
  );
});

test('a form is read equally in one piece, in many, and by the simple reader', () => {
  const word = fc.constantFrom('a', 'b', '&', '=', '+', '%41', '%', '%4', '%C3%A9', '%FF', 'é', '');
  fc.assert(
    fc.property(fc.array(word, { maxLength: 30 }), fc.array(fc.nat(60)), (words, cuts) => {
      const form = Buffer.from(words.join(''));
      assert.deepEqual(outcome(form, cuts), simply(form));
    }),
    { numRuns: 2000 },
  );
});

test('too much text is refused before it is decoded, as early as possible', () => {
  const reader = readerFor(new RawParameters(), 1000);
  assert.throws(() => reader.advance(Buffer.from(`k=${'%41'.repeat(1001)}`), false), isBad);
  assert.throws(() => readerFor(new RawParameters(), 1000).advance(Buffer.from(`k=${'a'.repeat(1000)}`), true), isBad);
  assert.throws(() => readerFor(new RawParameters(), 1000).advance(Buffer.from('a=1&'.repeat(501)), true), isBad);
  const raw = new RawParameters();
  readerFor(raw, 1000).advance(Buffer.from(`k=${'%41'.repeat(999)}`), true);
  assert.equal(raw.text('k'), 'A'.repeat(999));
});

function isBad(error: unknown): boolean {
  return error instanceof Failure && error.error === 'BAD_PARAMETER';
}

function outcome(form: Buffer, cuts: readonly number[]): unknown {
  const raw = new RawParameters();
  const reader = readerFor(raw, 1e6);
  try {
    const ends = cuts.filter((cut) => cut < form.length).sort((a, b) => a - b);
    for (const end of ends) reader.advance(form.subarray(0, end), false);
    reader.advance(form, true);
  } catch (cause) {
    return (cause as Failure).error;
  }
  return textsOf(raw);
}

/** Split, replace and decode, with functions of the language alone. */
function simply(form: Buffer): unknown {
  const raw = new RawParameters();
  try {
    for (const field of form.toString('latin1').split('&')) {
      const [name, ...value] = field.split('=');
      const [key, text] = [name!, value.join('=')].map((coded) => {
        const escaped = coded
          .replaceAll('+', ' ')
          .replace(/[\x80-\xff]/g, (byte) => `%${byte.charCodeAt(0).toString(16)}`);
        return decodeURIComponent(escaped);
      });
      raw.addText(key!, text!, 'query');
    }
  } catch {
    return 'BAD_TEXT';
  }
  return textsOf(raw);
}

function textsOf(raw: RawParameters): unknown {
  return ['a', 'b', 'ab', 'ba', 'aa', 'A', ' ', 'é', ''].map((name) => raw.texts(name));
}

function readerFor(raw: RawParameters, textBytes: number): FormReader {
  return new FormReader({ source: 'query', raw, texts: new TextAllowance(textBytes), maxFields: 1000 });
}

function read(form: string | Uint8Array): RawParameters {
  const raw = new RawParameters();
  readerFor(raw, 1e6).advance(Buffer.from(form as string), true);
  return raw;
}
