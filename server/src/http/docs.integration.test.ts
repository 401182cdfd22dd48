import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { errors } from '../errors.ts';
import { operations } from '../operations/operations.ts';

const root = new URL('../../../', import.meta.url);

test('the generated pages equal the tables', () => {
  const script = fileURLToPath(new URL('scripts/docs.mjs', root));
  const { status, stderr } = spawnSync(process.execPath, [script, '--check'], { encoding: 'utf8' });
  // a copy of the sources without their history cannot tell the age of figures, and nothing else is left out
  assert.deepEqual([stderr.replace(/^.* this clone has not the history, .*\n/m, ''), status], ['', 0]);
});

test('docs/errors.md has a row for every error, and docs/api.md a section for every operation', () => {
  const pageOfErrors = readFileSync(new URL('docs/errors.md', root), 'utf8');
  for (const [name, { code }] of Object.entries(errors)) {
    assert.match(pageOfErrors, new RegExp(`^\\| ${code} \\| \\d{3} \\| \`${name}\` \\|`, 'm'));
  }
  const pageOfOperations = readFileSync(new URL('docs/api.md', root), 'utf8');
  for (const { name } of operations) assert.match(pageOfOperations, new RegExp(`^### ${name},`, 'm'));
});
