import assert from 'node:assert/strict';
import { existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { mutated, readMutations, type Mutation } from './mutation.ts';
import { makeTree } from './tree.test.kit.ts';
import { Trial } from './trial.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));

test('a change applies where its text occurs once', () => {
  const row = { name: 'a', file: 'b', from: 'x', to: 'y$&', fails: ['test c'] };
  assert.equal(mutated('1 x 2', row), '1 y$& 2');
  assert.equal(mutated('1 x 2 x', row), null);
  assert.equal(mutated('1 2', row), null);
});

test('every row of this repository is a mutation of a file that is there, and fits it', () => {
  const mutations = readMutations(join(root, 'testing/mutations'));
  for (const mutation of mutations) {
    const path = join(root, mutation.file);
    assert.ok(existsSync(path), `${mutation.name}: ${mutation.file}`);
    assert.notEqual(mutated(readFileSync(path, 'utf8'), mutation), null, `${mutation.name} is stale`);
  }
});

test('every test that a row names exists', () => {
  const folders = ['contract', 'engine', 'browser', 'server', 'client', 'console', 'cli', 'testing'];
  const tests = folders.flatMap((folder) => {
    const names = readdirSync(join(root, folder, 'dist'), { recursive: true, encoding: 'utf8' });
    return names.filter((name) => name.endsWith('.test.js')).map((name) => `${folder}/${name.replace(/^src\//, '')}`);
  });
  const named = readMutations(join(root, 'testing/mutations')).flatMap(({ fails }) => fails);
  const parts = named.filter((name) => name.startsWith('test ')).map((name) => name.slice('test '.length));
  assert.deepEqual(
    parts.filter((part) => !tests.some((name) => name.includes(part))),
    [],
  );
});

test('a row that lacks a field, and a name used twice, are refused', () => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-mutations-test-'));
  const row = { name: 'a', file: 'b', from: 'x', to: '', fails: ['test c'] };
  const read = (...rows: unknown[]) => {
    writeFileSync(join(folder, 'area.json'), JSON.stringify(rows));
    return readMutations(folder);
  };
  assert.deepEqual(read(row), [{ ...row, area: 'area' }]);
  assert.throws(() => read({ ...row, from: '' }), /expected a from, got ""/);
  assert.throws(() => read({ ...row, fails: [] }), /expected a fails/);
  assert.throws(() => read({ ...row, fails: ['kill'] }), /expected a fails/);
  assert.throws(() => read(row, row), /the name "a" occurs twice/);
  rmSync(folder, { recursive: true });
});

test('a small tree with a guard: mutations are caught, survive, are stale or faulty', async () => {
  const guard =
    'export function half(n: number): number {\n  if (n % 2) throw new Error(`odd: ${n}`);\n  return n / 2;\n}\n';
  const tree = makeTree({
    'server/src/half.ts': guard,
    'server/src/half.test.ts': `import assert from 'node:assert'; import { test } from 'node:test'; import { half } from './half.ts';
      test('odd numbers are refused', () => assert.throws(() => half(3)));`,
    'server/src/other.test.ts': `import assert from 'node:assert'; import { test } from 'node:test'; import { half } from './half.ts';
      test('wrong', () => assert.equal(half(2), 2)); test('', () => {});`,
  });
  const trial = new Trial(tree);
  const row = { name: 'a', file: 'server/src/half.ts', to: '', fails: ['test server/half'] };
  const rows: [change: Partial<Mutation> & { from: string }, outcome: string, what: RegExp][] = [
    [{ from: 'if (n % 2) throw new Error(`odd: ${n}`);' }, 'caught', /^$/],
    [{ from: 'n / 2', to: 'n / 4' }, 'SURVIVED', /test server\/half passes/],
    [{ from: 'n / 3' }, 'stale', /occurs 0 times/],
    [{ from: 'n', to: 'm' }, 'stale', /occurs 10 times/],
    [{ from: 'a', file: 'server/src/third.ts' }, 'stale', /no file/],
    [{ from: '/ 2', to: '/ "2"' }, 'faulty', /does not compile/],
    [{ from: '/ 2', to: '/ 4', fails: ['test server/other'] }, 'faulty', /fails without the change/],
    [{ from: '/ 2', to: '/ 4', fails: ['thing server/other'] }, 'faulty', /no kind of test/],
  ];
  try {
    for (const [change, outcome, what] of rows) {
      const verdict = await trial.judge({ ...row, ...change });
      assert.equal(verdict.outcome, outcome, `${change.from}: ${verdict.what}`);
      assert.match(verdict.what, what);
    }
    assert.equal(readFileSync(join(tree, 'server/src/half.ts'), 'utf8'), guard);
  } finally {
    trial.close();
    rmSync(tree, { recursive: true });
  }
});
