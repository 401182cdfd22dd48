import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import { runSystemTest, systemTest, type SystemTest } from './system-test.ts';

const compiled = new URL('./', import.meta.url);
const guarantees = readFileSync(new URL('../../docs/guarantees.md', import.meta.url), 'utf8');

test('every system test has the name of its file, one sentence of promise, and a row of docs/guarantees.md', async () => {
  const files = readdirSync(compiled, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('system-test'))
    .flatMap((entry) => {
      if (!entry.isDirectory()) return /^[\w-]+\.js$/.test(entry.name) ? [entry.name] : [];
      const file = `${entry.name}/${entry.name}.js`;
      return existsSync(new URL(file, compiled)) ? [file] : [];
    });
  assert.ok(files.length > 15, `only ${files.join()}`);
  for (const file of files) {
    const { name, promise } = ((await import(new URL(file, compiled).href)) as { default: SystemTest }).default;
    assert.equal(name, file.replace(/^.*\/|\.js$/g, ''));
    assert.match(promise, /^[A-Z][^.]*\.$/, name);
    assert.ok(guarantees.includes(`\`${name}\``), `${name} is not in docs/guarantees.md`);
  }
});

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
