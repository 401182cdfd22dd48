import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';

function linesOf(file: string): string[] {
  return readFileSync(new URL(`../src/${file}`, import.meta.url), 'utf8').split('\n');
}

/** The lines that declare something without a comment before them. */
function bare(lines: readonly string[], declaration: RegExp): string[] {
  return lines.filter((line, i) => declaration.test(line) && !lines[i - 1]!.trimEnd().endsWith('*/'));
}

test('editors show a text for every method', () => {
  for (const file of ['sosia.ts', 'review.ts'])
    assert.deepEqual(bare(linesOf(file), /^ {2}(?:async )?\*?(?!constructor)[a-z]\w*(?:<.*>)?\(/), []);
});

test('editors show a text for every operation of `ask`, and for every parameter', () => {
  const lines = linesOf('operations.generated.ts');
  const start = lines.findIndex((line) => line.startsWith('export interface Operations'));
  const end = lines.findIndex((line) => line.startsWith('export interface Answers'));
  const operations = lines.slice(start, end);
  assert.ok(operations.filter((line) => /^ {4}readonly [A-Z]/.test(line)).length > 40);
  assert.ok(operations.filter((line) => /^ {6}readonly /.test(line)).length > 100);
  assert.deepEqual(bare(operations, /^ {4}readonly [A-Z]|^ {6}readonly /), []);
});
