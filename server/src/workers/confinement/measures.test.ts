import assert from 'node:assert/strict';
import { test } from 'node:test';
import { checkedConfinement, measureNames, missingFrom } from './measures.ts';

test('a report names each measure, and missing measures are named', () => {
  const all = { limits: true, user: true, permissions: true, landlock: true, system_calls: true, parent: true };
  assert.deepEqual(measureNames, Object.keys(all));
  assert.deepEqual(missingFrom(checkedConfinement(all)), []);
  for (const name of measureNames) {
    assert.deepEqual(missingFrom(checkedConfinement({ ...all, [name]: false })), [name]);
    assert.throws(() => checkedConfinement({ ...all, [name]: 1 }), /report/);
  }
  for (const report of [undefined, null, {}]) assert.throws(() => checkedConfinement(report), /report/);
});
