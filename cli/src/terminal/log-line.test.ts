import assert from 'node:assert/strict';
import { test } from 'node:test';
import { errorCodes } from '@sosia/client';
import { readableLine } from './log-line.ts';

const line = (fields: object): string =>
  readableLine(JSON.stringify({ level: 30, time: '2026-11-22T07:06:35Z', ...fields }));

test('a request is its operation, its outcome and its time', () => {
  const request = { reqId: 'a-1', method: 'POST', path: '/api/v2.0/enginemodify/json/AddImage', http: 200, bytes: 106 };
  assert.match(line({ ...request, code: 0, ms: 12, msg: 'answered' }), /^\d\d:06:35 {2}AddImage {2}ok {2}12 ms$/);
  assert.match(
    line({ ...request, code: errorCodes.NOT_A_PICTURE, ms: 3, msg: 'answered' }),
    /AddImage {2}-1010 {2}3 ms$/,
  );
  assert.match(line({ ...request, ms: 3, msg: 'lost' }), /AddImage {2}lost {2}3 ms$/);
});

test('other lines have their level where it matters, and their fields', () => {
  assert.match(line({ msg: 'loading', application: 'a', loaded: 3 }), /loading {2}application a {2}loaded 3$/);
  assert.match(line({ level: 40, msg: 'exposed', what: '/data' }), /warning: {2}exposed {2}what \/data$/);
});

test('control characters of foreign text are shown', () => {
  assert.match(line({ level: 50, msg: 'a\x1b[2Jb' }), /error: {2}a\\u001b\[2Jb$/);
});
