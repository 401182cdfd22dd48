import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';

/** @returns by what V8 multiplies the memory in use, for each collection of a process that mostly waits for buffers */
function growthWhileWaiting(module: string): string[] {
  const script = `
    import { setTimeout as pause } from 'node:timers/promises';
    (await import(${JSON.stringify(module)})).collectLessOften();
    const live = Array.from({ length: 400_000 }, (_, i) => ({ i }));
    for (let i = 0; i < 100; i++) {
      for (let k = 0; k < 8; k++) live[8 * (i % 5) + k] = Buffer.alloc(2 ** 20);
      await pause(2);
    }`;
  const flags = ['--trace-gc-verbose', '--input-type=module', '-e', script];
  const trace = execFileSync(process.execPath, flags, { encoding: 'utf8' });
  return [...trace.matchAll(/ Limit: old size: .* \((.*)\)$/gm)].map(([, factor]) => factor!);
}

test('memory in use may grow to four times as much in a process that mostly waits', () => {
  const factors = growthWhileWaiting(new URL('heap.js', import.meta.url).href);
  assert.ok(factors.length > 0);
  assert.deepEqual(new Set(factors), new Set(['4.0']));
});
