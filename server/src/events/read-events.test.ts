import assert from 'node:assert/strict';
import { test } from 'node:test';
import { isRead, NONE_READ, unreadOf, withRead } from './read-events.ts';

test('events are read one by one in any order, or up to one, and take little room', () => {
  const some = [5, 2, 5].reduce((read, number) => withRead(read, number, false), NONE_READ);
  assert.deepEqual(some, { upTo: 0, also: [2, 5] });
  assert.deepEqual(
    [1, 2, 3, 5].map((number) => isRead(some, number)),
    [false, true, false, true],
  );
  assert.equal(unreadOf(some, 6), 4);
  assert.deepEqual(withRead(some, 1, false), { upTo: 2, also: [5] });
  assert.deepEqual(withRead(some, 4, true), { upTo: 5, also: [] });
  assert.deepEqual(withRead({ upTo: 9, also: [] }, 4, true), { upTo: 9, also: [] });
});

test('behind a thousand read ones, the oldest unread ones count as read', () => {
  const also = Array.from({ length: 1000 }, (_, i) => 10 + 2 * i);
  const read = withRead({ upTo: 0, also }, 5000, false);
  assert.deepEqual([read.upTo, read.also.length, read.also[0]], [10, 999 + 1, 12]);
});
