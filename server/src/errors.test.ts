import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errors, fail } from './errors.ts';

const rows = Object.entries(errors);

test('codes are negative and each belongs to one error', () => {
  assert.ok(rows.every(([, { code }]) => Number.isInteger(code) && code < 0));
  assert.equal(new Set(rows.map(([, { code }]) => code)).size, rows.length);
});

test('the codes of the existing clients are unchanged', () => {
  const { NOT_ENOUGH_INFORMATION, BAD_KEYWORD, UNKNOWN_IMAGE, ASYMMETRIC_DNA, IMAGE_NOT_FOUND } = errors;
  const known = [NOT_ENOUGH_INFORMATION, BAD_KEYWORD, UNKNOWN_IMAGE, ASYMMETRIC_DNA, IMAGE_NOT_FOUND];
  assert.deepEqual(
    known.map(({ code }) => code),
    [-1002, -1404, -2601, -2609, -2802],
  );
});

test('the detail is inserted into the message literally', () => {
  assert.equal(fail('UNKNOWN_IMAGE', '$& {} $1').message, 'Unknown image id: $& {} $1');
});
