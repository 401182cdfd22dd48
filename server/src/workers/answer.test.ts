import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Failure } from '../errors.ts';
import { assertDone, checkedAnswer, isCount } from './answer.ts';

interface Result {
  readonly done: string;
}
const isResult = ({ done }: Result): boolean => done === 'work';
const refused = /answered in no known form/;

test('an answer is a result, a known failure or a fault, with the memory of the child', () => {
  const sound = [
    { rss: 1, done: 'work' },
    { rss: 1, fault: '' },
    { rss: 1, failed: 'NOT_A_PICTURE', detail: '' },
  ];
  for (const head of sound) assert.deepEqual(checkedAnswer(head, isResult), head);
  const unsound = [
    undefined,
    null,
    'work',
    {},
    { done: 'work' },
    { rss: 1 },
    { rss: 1, done: 'other' },
    { rss: 1, fault: 7 },
    { rss: 1, fault: 7, failed: 'NOT_A_PICTURE', detail: '' },
    { rss: 1, failed: 'NOT_A_PICTURE' },
    { rss: 1, failed: 'NOT_A_PICTURE', detail: 7 },
    { rss: 1, failed: 'toString', detail: '' },
    { rss: 1, failed: 'UNHEARD_OF', detail: '' },
    { rss: 1, failed: 7, detail: '' },
    ...[0, -1, 0.5, NaN, '1', 2 ** 53].map((rss) => ({ rss, done: 'work' })),
  ];
  for (const head of unsound) assert.throws(() => checkedAnswer(head, isResult), refused, JSON.stringify(head));
});

test('a count is a whole number from 1', () => {
  const values = [-1, 0, 1, 2, 1.5, 2 ** 53 - 1, 2 ** 53, '1', undefined];
  assert.deepEqual(values.filter(isCount), [1, 2, 2 ** 53 - 1]);
});

test('what the child failed with is thrown, and a fault of it is one of the service', () => {
  assertDone({ rss: 1, done: 'work' });
  assert.throws(() => assertDone({ rss: 1, fault: 'at line 1' }), new Error('in the child: at line 1'));
  assert.throws(
    () => assertDone({ rss: 1, failed: 'NOT_A_PICTURE', detail: 'why' }),
    (cause) => cause instanceof Failure && cause.error === 'NOT_A_PICTURE' && cause.detail === 'why',
  );
});
