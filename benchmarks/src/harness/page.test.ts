import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import type { Age } from './history.ts';
import { isHeld, sectionOf, tableOf } from './markdown.ts';
import { benchmarksPage, withHeadlines } from './page.ts';
import { commitsOf, jsonOf, readResults, type Result } from './result.ts';

const recent = () => 'recent' as const;
const results = readResults();
const page = benchmarksPage(results, recent);

test('the page has 1,500 words at most, besides the sizes and commits of its lines', () => {
  const words = page.replace(/^(- [^;]*);.*$/gm, '$1').split(/\s+/).length;
  assert.ok(words <= 1500, `${words} words`);
});

test('each line has its size and a commit', () => {
  const lines = page.split('\n').filter((line) => line.startsWith('- '));
  assert.ok(lines.length > results.length);
  for (const line of lines) assert.match(line, /; \d[\d,]* [^;]+; [0-9a-f]{7}(?:, \*\*old\*\*|, age unknown)?$/);
});

test('what a result measures is in the repository, and its load is a number or was not recorded', () => {
  for (const { benchmark, measures, load } of results) {
    for (const path of measures) assert.ok(existsSync(new URL(`../../../${path}`, import.meta.url)), path);
    assert.ok(load === null || typeof load.before === 'number', benchmark);
  }
});

test('an old line is marked, and one whose commit is not in the clone says so', () => {
  const result = {
    ...results[0]!,
    figures: { found: 0.5 },
    targets: {},
    sizes: { found: '3 pictures' },
  } satisfies Result;
  const lineOf = (age: Age) =>
    sectionOf({ ...result, commit: 'abc1234' }, () => age)
      .split('\n')
      .at(-1);
  assert.equal(lineOf('recent'), '- found: 0.5; 3 pictures; abc1234');
  assert.equal(lineOf('old'), '- found: 0.5; 3 pictures; abc1234, **old**');
  assert.equal(lineOf('unknown'), '- found: 0.5; 3 pictures; abc1234, age unknown');
});

test('every result has a section with each figure that has a target', () => {
  for (const { title, targets = {} } of results)
    for (const text of [`## ${title}\n`, ...Object.keys(targets).map((name) => `- ${name}: `)])
      assert.ok(page.includes(text), text);
});

test('a result without targets shows all of its figures', () => {
  const result = { ...results[0]!, figures: { found: 0.5, lost: 0.25 }, targets: {} } satisfies Result;
  assert.deepEqual(withHeadlines(result).figures, result.figures);
  assert.deepEqual(withHeadlines({ ...result, targets: { lost: '<= 0.3' } }).figures, { lost: 0.25 });
});

test('the 95 % of a median are in its line, and a first pass has a line', () => {
  const figures = { 'search, median, ms': 3, 'search, 95 %, ms': 9, 'search, first pass, median, ms': 5, other: 1 };
  const sizes = Object.fromEntries(Object.keys(figures).map((name) => [name, '3 pictures']));
  const result = {
    ...results[0]!,
    figures,
    sizes,
    commit: 'abc1234',
    targets: { 'search, median, ms': '<= 4' },
  } satisfies Result;
  assert.deepEqual(sectionOf(withHeadlines(result), recent).split('\n').slice(-2), [
    '- search, median, ms: 3, 95 % 9 (≤4); 3 pictures; abc1234',
    '- search, first pass, median, ms: 5; 3 pictures; abc1234',
  ]);
});

test('results are measured by a benchmark that exists, at a commit', () => {
  for (const result of results) {
    const { benchmark } = result;
    assert.ok(existsSync(new URL(`../${benchmark}/${benchmark}.js`, import.meta.url)), benchmark);
    for (const commit of commitsOf(result)) assert.match(commit, /^[0-9a-f]{7}$/, benchmark);
  }
});

test('a target is reached at its limit and missed beyond', () => {
  assert.deepEqual(
    [isHeld(0.95, '>= 0.95'), isHeld(0.94, '>= 0.95'), isHeld(60, '<= 60'), isHeld(61, '<= 60')],
    [true, false, true, false],
  );
});

test('a missed target is marked on the page', () => {
  const result = { ...results[0]!, figures: { found: 0.5 }, targets: { found: '>= 0.9' } } satisfies Result;
  assert.match(benchmarksPage([result], recent), /- found: 0\.5 \(≥0\.9, \*\*missed\*\*\)/);
});

test('tables show three significant digits, whole numbers in full, and a dash for what is not a number', () => {
  const rows = [{ name: 'a', small: 0.012345, large: 12345.6, none: NaN }];
  assert.equal(tableOf(rows).split('\n')[2], '| a | 0.0123 | 12346 | – |');
});

test('the file of a result has one line for each row, and reads back with four digits', () => {
  const rows = [
    { attack: 'blur {3}', found: 0.123456 },
    { attack: 'crop', found: 1 },
  ];
  const json = jsonOf({ ...results[0]!, tables: { attacks: rows } });
  assert.ok(json.includes('\n      { "attack": "crop", "found": 1 }\n'), json);
  assert.deepEqual((JSON.parse(json) as Result).tables, { attacks: [{ attack: 'blur {3}', found: 0.1235 }, rows[1]] });
});
