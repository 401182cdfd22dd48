import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { test } from 'node:test';
import type { SystemTest } from '@sosia/testing/harness/system-test';

const compiled = new URL('./', import.meta.url);
const guarantees = readFileSync(new URL('../../docs/guarantees.md', import.meta.url), 'utf8');

test('every system test has the name of its file, one sentence of promise, and a row of docs/guarantees.md', async () => {
  const files = readdirSync(compiled, { withFileTypes: true })
    .filter(({ name }) => !name.startsWith('system-tests'))
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
