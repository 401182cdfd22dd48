import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SetAside } from './set-aside.ts';

test('each damaged picture and range of an application is set aside once, until it is removed', () => {
  const aside = new SetAside();
  const damage = { file: 'images.db', what: 'it is damaged' };
  aside.add(damage);
  aside.add({ ...damage, application: 1 });
  aside.add({ ...damage, application: 1, number: 4, records: 0 });
  assert.deepEqual(aside.of(1), [], 'damage that concerns no picture, or one that is there');

  const one = { ...damage, application: 1, number: 3 };
  const [range, next] = [5, 8].map((from) => ({ ...damage, application: 1, numbers: { from, to: 9 }, records: 2 }));
  for (const each of [one, range!, next!, { ...one, what: 'again' }, range!, { ...one, application: 2 }])
    aside.add(each);
  assert.deepEqual(aside.of(1), [one, range, next]);
  aside.remove(1, 3);
  assert.deepEqual(aside.of(1), [range, next]);
  assert.equal(aside.of(2).length, 1);
});
