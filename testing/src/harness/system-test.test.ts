import assert from 'node:assert/strict';
import { test } from 'node:test';
import { runSystemTest, systemTest, type SystemTest } from './system-test.ts';

test('a system test fails for a fault and for an exception, and does not run without its tools', async () => {
  const outcomeOf = (run: SystemTest['run'], needs?: SystemTest['needs']) =>
    runSystemTest(
      systemTest({ name: 'x', promise: '', sizes: { A: { usual: 1, whole: 2 } }, needs: needs ?? [], run }),
      {
        whole: true,
      },
    );
  const passed = await outcomeOf(async ({ size, expect }) => {
    expect(true, 'no fault');
    return { size: size['A'] };
  });
  assert.deepEqual([passed.passed, passed.figures['size']], [true, 2]);
  const failed = await outcomeOf(async ({ expect }) => {
    expect(false, 'broken');
    return {};
  });
  assert.deepEqual([failed.passed, failed.figures['faults']], [false, ['broken']]);
  const thrown = await outcomeOf(() => Promise.reject(new Error('thrown')));
  assert.match(String(thrown.figures['faults']), /thrown/);
  const { missing } = await outcomeOf(() => Promise.reject(new Error('ran')), ['Linux on x64 or arm64', 'Linux']);
  assert.equal(missing.length > 0, process.platform !== 'linux');
});
