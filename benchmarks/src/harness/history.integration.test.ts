import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { type Age, ageOf, isCurrent, isWhole } from './history.ts';
import { benchmarksPage } from './page.ts';
import { readResults } from './result.ts';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const notWhole = !isWhole() && 'this clone has not the whole history, so no age can be counted';

test('docs/benchmarks.md is what the results give, with the age of each line', { skip: notWhole }, () => {
  const results = readResults();
  const page = readFileSync(join(root, 'docs/benchmarks.md'), 'utf8');
  assert.ok(
    isCurrent(page, (age) => benchmarksPage(results, age)),
    'docs/benchmarks.md is stale: run npm run docs',
  );
});

test('docs/guarantees.md has the figures that were recorded, with the age of each', { skip: notWhole }, () => {
  const { stderr } = spawnSync(process.execPath, [join(root, 'scripts/docs.mjs'), '--check'], { encoding: 'utf8' });
  assert.doesNotMatch(stderr, /guarantees\.md/);
});

test('a page may mark more figures than it must, but no fewer, and no other figure', { skip: notWhole }, () => {
  const line = (figure: number, age: Age): string => `- ms: ${figure}; 3bfb681${age === 'old' ? ', **old**' : ''}\n`;
  const oldOne = (age: typeof ageOf): string => line(7, age('3bfb681', ['engine', 'server']));
  assert.equal(isCurrent(line(7, 'old'), oldOne), true);
  assert.equal(isCurrent(line(7, 'recent'), oldOne), false);
  assert.equal(isCurrent(line(8, 'old'), oldOne), false);
  const recentOne = (age: typeof ageOf): string => line(7, age('3bfb681', ['LICENSE']));
  assert.equal(isCurrent(line(7, 'old'), recentOne), true);
  assert.equal(isCurrent(line(7, 'recent'), recentOne), true);
});

test('the age counts commits of the paths', { skip: notWhole }, () => {
  assert.equal(ageOf('3bfb681', ['engine', 'server']), 'old'); // 351 commits
  assert.equal(ageOf('3bfb681', ['LICENSE']), 'recent');
  assert.equal(ageOf('0000000', ['engine']), 'unknown');
});

test('a shallow clone says that it cannot tell the age', { skip: notWhole }, () => {
  const clone = mkdtempSync(join(tmpdir(), 'sosia-shallow-'));
  try {
    const { status, stderr } = spawnSync('git', ['clone', '-q', '--depth', '1', `file://${root}`, clone], {
      encoding: 'utf8',
    });
    assert.equal(status, 0, stderr);
    assert.equal(isWhole(clone), false);
    assert.equal(ageOf('3bfb681', ['engine'], clone), 'unknown');
  } finally {
    rmSync(clone, { recursive: true });
  }
});
