import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../errors.ts';
import { assertDone } from '../workers/answer.ts';
import { checkedDecodeAnswer, type DecodeResult } from './protocol.ts';

const size = { width: 4, height: 2, originalWidth: 40, originalHeight: 20 };
const check = (head: unknown, bytes: number, task: DecodeResult['done']) =>
  checkedDecodeAnswer({ head, body: new Uint8Array(bytes) }, task);

test('the answers of a sound child are accepted', () => {
  check({ rss: 1, done: 'start' }, 0, 'start');
  check({ rss: 1, done: 'describe' }, 500, 'describe');
  check({ rss: 1, done: 'keep', dnaBytes: 500 }, 501, 'keep');
  check({ rss: 1, done: 'keep', dnaBytes: 500, quality: 100 }, 533, 'keep');
  check({ rss: 1, done: 'decode', size }, 24, 'decode');
  check({ rss: 1, failed: 'DAMAGED_PICTURE', detail: 'cut short' }, 0, 'decode');
  check({ rss: 1, fault: 'TypeError' }, 0, 'describe');
});

test('anything else is refused', () => {
  const others: [unknown, number, DecodeResult['done']][] = [
    [null, 0, 'start'],
    ['done', 0, 'start'],
    [[], 0, 'start'],
    [{ done: 'start' }, 0, 'start'],
    [{ rss: 'much', done: 'start' }, 0, 'start'],
    [{ rss: 1, done: 'start' }, 0, 'describe'],
    [{ rss: 1, done: 'describe' }, 24, 'decode'],
    [{ rss: 1, done: 'keep', dnaBytes: 500, quality: 100 }, 532, 'keep'],
    [{ rss: 1, done: 'keep', dnaBytes: 500, quality: 101 }, 533, 'keep'],
    [{ rss: 1, done: 'keep', dnaBytes: 500, quality: '9' }, 533, 'keep'],
    [{ rss: 1, done: 'decode' }, 24, 'decode'],
    [{ rss: 1, done: 'decode', size }, 23, 'decode'],
    [{ rss: 1, done: 'decode', size: { ...size, width: -4, height: -2 } }, 24, 'decode'],
    [{ rss: 1, done: 'decode', size: { ...size, originalWidth: 'wide' } }, 24, 'decode'],
    [{ rss: 1, failed: 'toString', detail: '' }, 0, 'decode'],
    [{ rss: 1, failed: 'DAMAGED_PICTURE' }, 0, 'decode'],
    [{ rss: 1, fault: { toString: 1 } }, 0, 'decode'],
    [{ rss: 1 }, 0, 'decode'],
  ];
  for (const [head, bytes, task] of others) {
    assert.throws(() => check(head, bytes, task), /no known form/, JSON.stringify(head));
  }
});

test('what went wrong in the child is thrown: about the picture as a failure, anything else as an error', () => {
  assert.throws(
    () => assertDone({ rss: 1, failed: 'DAMAGED_PICTURE', detail: 'cut short' }),
    (thrown) => {
      assert.ok(thrown instanceof Failure);
      assert.equal(thrown.message, 'The picture is damaged: cut short');
      return true;
    },
  );
  assert.throws(() => assertDone({ rss: 1, fault: 'TypeError: x' }), /in the child: TypeError: x/);
});
