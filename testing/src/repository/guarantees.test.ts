import assert from 'node:assert/strict';
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const page = readFileSync(join(root, 'docs/guarantees.md'), 'utf8');
const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { scripts: object };

/** The first two cells of each row in the tables of promises. */
function promisesIn(markdown: string): { promise: string; tests: string }[] {
  const tables = markdown.split(/^\| promise \| test \|.*\n\|.*\n/m).slice(1);
  const rows = tables.flatMap((table) => /^(?:\|.*\n)*/.exec(table)![0].trim().split('\n'));
  return rows.map((row) => {
    const [, promise = '', tests = ''] = row.split(/(?<!\\)\|/).map((cell) => cell.trim());
    return { promise, tests };
  });
}

/** The titles of the tests in a file. What is computed in a title is `…`. */
function titlesIn(source: string): string[] {
  const found = source.matchAll(/\btest\(\s*(['"`])((?:\\.|(?!\1)[^\\])*)\1/g);
  return Array.from(found, ([, , title]) => title!.replace(/\$\{[^}]*\}/g, '…').replace(/\\(.)/g, '$1'));
}

/** What is wrong with the cell of tests: `path.test.ts` with titles in quotes, names of system tests, scripts of npm. */
function faultsOf(cell: string, titles: (path: string) => string[] | undefined): string[] {
  const faults: string[] = [];
  let file: { path: string; titles: string[]; named: number } | undefined;
  let named = 0;
  const endOfFile = (): void => {
    if (file?.named === 0) faults.push(`name the tests of ${file.path} in quotes behind it`);
    file = undefined;
  };
  for (const [, code, quoted] of cell.matchAll(/`([^`]+)`|"([^"]+)"/g)) {
    if (quoted !== undefined) {
      if (!file) faults.push(`"${quoted}" has no file before it`);
      else if (!file.titles.includes(quoted)) faults.push(`${file.path} has no test "${quoted}"`);
      else named += ++file.named && 1;
    } else if (/\.ts$/.test(code!)) {
      endOfFile();
      const all = titles(code!);
      if (all) file = { path: code!, titles: all, named: 0 };
      else faults.push(`there is no test file ${code}`);
    } else if (/^[a-z][a-z-]*$/.test(code!)) {
      endOfFile();
      const places = [`system-tests/src/${code}.ts`, `system-tests/src/${code}/${code}.ts`];
      if (places.some((place) => existsSync(join(root, place)))) named++;
      else faults.push(`there is no system test ${code}`);
    } else {
      const script = /^npm run ([\w:-]+)/.exec(code!)?.[1];
      if (script && !(script in scripts)) faults.push(`there is no npm run ${script}`);
    }
  }
  endOfFile();
  if (named === 0) faults.push('no test is named');
  return faults;
}

function titlesAt(path: string): string[] | undefined {
  const full = join(root, path);
  return /\.test\.ts$/.test(path) && existsSync(full) ? titlesIn(readFileSync(full, 'utf8')) : undefined;
}

test('every promise of docs/guarantees.md names the test that shows it', () => {
  const promises = promisesIn(page);
  assert.ok(promises.length > 30, `only ${promises.length} promises found`);
  const faults = promises.flatMap(({ promise, tests }) =>
    faultsOf(tests, titlesAt).map((fault) => `${promise.slice(0, 60)}: ${fault}`),
  );
  assert.deepEqual(faults, []);
});

test('a row without a test, and tests that do not exist, are faults', () => {
  const titles = (path: string): string[] | undefined => (path === 'a/b.test.ts' ? ['it holds', '…: no'] : undefined);
  const faults = (cell: string): string[] => faultsOf(cell, titles);
  for (const cell of ['`kill`: much', '`a/b.test.ts`: "it holds", "…: no"', '`npm run fuzz`, `kill` of `sosia app`'])
    assert.deepEqual(faults(cell), [], cell);
  for (const [cell, fault] of [
    ['the same', /^no test is named$/],
    ['golden files', /^no test is named$/],
    ['`a/*.test.ts`', /^there is no test file a\/\*\.test\.ts,no test is named$/],
    ['`kill`, `c.test.ts`', /^there is no test file c\.test\.ts$/],
    ['`kill`, `a/b.test.ts`', /^name the tests of a\/b\.test\.ts in quotes/],
    ['`a/b.test.ts`: "it held"', /^a\/b\.test\.ts has no test "it held",/],
    ['`kills`', /^there is no system test kills,/],
    ['`npm run fuzzy`, `kill`', /^there is no npm run fuzzy$/],
  ] as const)
    assert.match(faults(cell).join(), fault, cell);
});

test('promises are read from every table, titles from every form of a test', () => {
  const tables = '| promise | test | figures |\n| --- | --- | --- |\n| a | `b` | c |\n| d \\| e | f | g |\n\ntext\n';
  assert.deepEqual(promisesIn(`${tables}\n${tables}`).length, 4);
  assert.deepEqual(promisesIn(tables)[1], { promise: 'd \\| e', tests: 'f' });
  assert.deepEqual(titlesIn("test('one', () => {});\ntest(\n  `${name}: two`, {}); test(\"it's\", () => {});"), [
    'one',
    '…: two',
    "it's",
  ]);
});

type Figures = (page: string, records: readonly object[], ageOf: (commit: string) => string) => string;
const { withFigures } = (await import(join(root, 'scripts/guarantees.mjs'))) as { withFigures: Figures };

test('figures of system tests end with the commit that was measured', () => {
  const rows = page.split('\n').filter((line) => {
    const [, , tests = '', figures] = line.split(/(?<!\\)\|/);
    return figures !== undefined && [...tests.matchAll(/`([a-z][a-z-]*|npm run fuzz)`/g)].length > 0;
  });
  assert.ok(rows.length > 20);
  for (const row of rows) assert.match(row, / \([0-9a-f]{7}(?:, \*\*old\*\*|, age unknown)?\) \|$/);
});

test('what a system test recorded replaces the figures of its first row, and old figures are marked', () => {
  const written = [
    '| promise | test | latest figures |',
    '| --- | --- | --- |',
    '| a | `kill`: clients | 30 kills (aaaaaa1) |',
    '| b | `powercut`: disks | 80 states (aaaaaa2, **old**) |',
    '| c | `kill` | 3 starts (aaaaaa1) |',
  ].join('\n');
  const record = {
    name: 'kill',
    date: '2026-11-24',
    commit: 'bbbbbb1',
    seconds: '9.5',
    figures: { slowLives: 31, seed: 'a|b', none: [] },
  };
  const made = withFigures(written, [record], (commit) => (commit === 'aaaaaa1' ? 'old' : 'recent'));
  assert.deepEqual(made.split('\n').slice(2), [
    '| a | `kill`: clients | `kill`, 2026-11-24, 9.5 s: slow lives 31, seed a\\|b (bbbbbb1) |',
    '| b | `powercut`: disks | 80 states (aaaaaa2) |',
    '| c | `kill` | 3 starts (aaaaaa1, **old**) |',
  ]);
  assert.equal(
    withFigures(made, [record], (commit) => (commit === 'aaaaaa1' ? 'old' : 'recent')),
    made,
  );
});
