import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Failure } from '../errors.ts';
import { Given } from '../params/given.ts';
import { readForm } from './form.ts';

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

test('names without value, empty pieces and a lone question of ampersands give nothing', () => {
  assert.deepEqual(read('&&k&k=&=v&').texts('k'), []);
});

test('malformed percent-encoding and bytes that are not UTF-8 are refused, never repaired', () => {
  for (const form of ['k=%', 'k=%4', 'k=%zz', 'k=%-1', 'k=%FF', 'k=%C3', 'k=%ED%A0%80', 'k=%C0%80', '%FF=v', 'k=%+1']) {
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

test('names that objects have by birth are names like others', () => {
  const given = read('__proto__=a&constructor=b&hasOwnProperty=c');
  assert.deepEqual(given.texts('__proto__'), ['a']);
  assert.deepEqual(given.texts('toString'), []);
});

test('a form of more fields than allowed is refused', () => {
  assert.throws(
    () => read('a=1&'.repeat(1001)),
    (error) => error instanceof Failure && error.error === 'MALFORMED_REQUEST',
  );
});

function read(form: string | Uint8Array): Given {
  const given = new Given();
  readForm(Buffer.from(form as string), 'query', given, 1000);
  return given;
}
