import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { isHeld, tableOf } from './markdown.ts';
import { benchmarksPage, withHeadlines } from './page.ts';
import { jsonOf, readResults, type Result } from './result.ts';

const results = readResults();
const page = benchmarksPage(results);

test('the page has 1,500 words at most', () => {
  const words = page.split(/\s+/).length;
  assert.ok(words <= 1500, `${words} words`);
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

test('results are measured by a benchmark that exists, at a commit', () => {
  for (const { benchmark, commit } of results) {
    assert.ok(existsSync(new URL(`../${benchmark}/${benchmark}.js`, import.meta.url)), benchmark);
    assert.doesNotMatch(commit, /changes|unknown/, benchmark);
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
  assert.match(benchmarksPage([result]), /- found: 0\.5 \(≥0\.9, \*\*missed\*\*\)/);
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
