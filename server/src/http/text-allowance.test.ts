import assert from 'node:assert/strict';
import { test } from 'node:test';
import { TextAllowance } from './text-allowance.ts';

test('texts up to the limit are taken, names and values together', () => {
  const texts = new TextAllowance(10);
  texts.take(4, 'a');
  texts.admit(6, 'b');
  assert.throws(() => texts.admit(7, 'b'), /b: expected at most 10 bytes of text in one request/);
  assert.throws(() => texts.take(7, 'b'), /at most 10 bytes/);
  texts.take(6, 'b');
  assert.throws(() => texts.take(1, 'c'), /at most 10 bytes/);
});

test('the memory of texts is two bytes for each byte and 128 for each text, without the first 8 KB', () => {
  const texts = new TextAllowance(1e6);
  assert.equal(texts.memory, 0);
  for (let i = 0; i < 64; i++) texts.take(0, 'a');
  assert.equal(texts.memory, 0);
  texts.take(0, 'a');
  assert.equal(texts.memory, 128);
  texts.take(1000, 'a');
  assert.equal(texts.memory, 2256);
});
