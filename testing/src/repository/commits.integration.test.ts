import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const filesIn = (folder: string) => readdirSync(join(root, folder)).map((name) => join(folder, name));
const git = (...args: string[]) => spawnSync('git', args, { cwd: root, encoding: 'utf8' });
const isWhole = git('rev-parse', '--is-shallow-repository').stdout.trim() === 'false';

test('figures name commits that every clone has', { skip: !isWhole && 'this clone has not the whole history' }, () => {
  const results = ['benchmarks/results', 'system-tests/results'].flatMap(filesIn);
  const pages = ['docs/benchmarks.md', 'docs/guarantees.md', ...results];
  const named = pages.flatMap((page) =>
    [...readFileSync(join(root, page), 'utf8').matchAll(/\b(?=\d*[a-f])(?=[a-f]*\d)[\da-f]{7}\b/g)].map(
      ([commit]) => [page, commit] as const,
    ),
  );
  assert.ok(named.length > 50, `${named.length} commits`);
  const missing = named.filter(([, commit]) => git('merge-base', '--is-ancestor', commit, 'HEAD').status !== 0);
  assert.deepEqual(missing, []);
});
