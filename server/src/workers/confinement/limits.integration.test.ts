import assert from 'node:assert/strict';
import { execFileSync } from 'node:child_process';
import { test } from 'node:test';
import { areLimitsSet, limited } from './limits.ts';

const skip = process.platform !== 'linux' && 'limits are shown by Linux';
const reservation = parseInt(process.versions.v8, 10) >= 13 ? 512 * 2 ** 20 : 0;

test('a limited command has the limits, a lower priority, and is the first that the system ends', { skip }, () => {
  const memory = 100 * 2 ** 20;
  const [file, ...args] = limited(['sh', '-c', 'cat /proc/self/limits /proc/self/oom_score_adj; nice'], memory);
  const shown = execFileSync(file!, args, { encoding: 'utf8' });
  const limit = (name: string) => new RegExp(`^Max ${name} +(\\S+)`, 'm').exec(shown)?.[1];
  const names = ['core file size', 'file size', 'open files', 'data size', 'cpu time'];
  assert.deepEqual(names.map(limit), ['0', '0', '512', String(memory + reservation), '3600']);
  const [score, niceness] = shown.trim().split('\n').slice(-2).map(Number);
  const own = Number(execFileSync('nice', { encoding: 'utf8' }));
  assert.deepEqual([score, niceness], [500, Math.min(19, own + 5)]);
});

test('a process sees whether it has all of the limits', { skip }, () => {
  assert.equal(areLimitsSet(), false);
  const all = ['-c 0', '-f 0', '-n 512', '-d 4000000'];
  const module = new URL('./limits.js', import.meta.url).href;
  const program = `import(${JSON.stringify(module)}).then(({ areLimitsSet }) => process.exit(areLimitsSet() ? 0 : 3))`;
  const sees = (limits: readonly string[]): boolean => {
    const script = [...limits.map((limit) => `ulimit ${limit}`), `exec "$0" -e '${program}'`].join('\n');
    try {
      execFileSync('sh', ['-c', script, process.execPath], { stdio: 'ignore' });
      return true;
    } catch {
      return false;
    }
  };
  assert.ok(sees(all));
  for (const missing of all.filter((limit) => limit !== '-c 0'))
    assert.ok(!sees(all.filter((it) => it !== missing)), missing);
});
