import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));

const MAX_FILE_LINES = 400;
const MAX_FUNCTION_LINES = 80;

/** What is longer, and why. A row goes when the code is cut; one that is not needed fails. */
const exceptions: Readonly<Record<string, string>> = {};

/** Views of the review that are to be cut into the components that they consist of. */
const isViewToBeCut = /^console\/src\/views\/review\/(review-view|use-open-groups)\.tsx?, /;

const isFunction =
  /\bfunction\b|=> \{$|^\s*(?:(?:static|async|get|set|override|private|protected) )*\*?[#\w]+(?:<.*>)?\(.*\{$|^\s*\).*\{$/;
const isOtherBlock = /^\s*(?:\} )?(?:if|else|for|while|switch|catch|do|try)\b/;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** Functions of formatted code, which end with the first line that is indented as their own is. */
function functionsOf(source: string): { name: string; length: number }[] {
  const lines = source.split('\n');
  return lines.flatMap((line, start) => {
    if (!line.endsWith('{') || isOtherBlock.test(line) || !isFunction.test(line)) return [];
    const indent = indentOf(line);
    const after = lines.findIndex((next, i) => i > start && next !== '' && indentOf(next) <= indent);
    const head = line.trimStart().startsWith(')')
      ? lines.slice(0, start).findLast((it) => indentOf(it) === indent)!
      : line;
    const name = /([#\w]+)(?:<.*>)?\(|(\w+) = /.exec(head);
    return [{ name: `function ${name?.[1] ?? name?.[2] ?? 'without a name'}`, length: after - start + 1 }];
  });
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.tsx?$/.test(path) && !/\.generated\.ts$|\/(?:dist|node_modules)\//.test(path));
}

/** Files, and functions outside of tests, that are too long, by the keys of the exceptions. */
function tooLong(path: string, source: string): string[] {
  const isTest = /\.test\.|^engine\/test\//.test(path);
  const functions = isTest ? [] : functionsOf(source).filter(({ length }) => length > MAX_FUNCTION_LINES);
  const long = functions.map(({ name }) => `${path}, ${name}`);
  return source.trimEnd().split('\n').length > MAX_FILE_LINES ? [path, ...long] : long;
}

const folders = ['engine/assembly', 'engine/src', 'engine/test', 'training/src'].concat(
  ['contract', 'browser', 'server', 'client', 'console', 'cli'].map((name) => `${name}/src`),
);

test(`no file has more than ${MAX_FILE_LINES} lines, no function more than ${MAX_FUNCTION_LINES}`, () => {
  const files = folders.flatMap(sourcesIn);
  assert.ok(files.length > 500, `only ${files.length} files found`);
  const found = files.flatMap((path) => tooLong(path, readFileSync(join(root, path), 'utf8')));
  const isNew = (each: string): boolean => !Object.hasOwn(exceptions, each) && !isViewToBeCut.test(each);
  assert.deepEqual(found.filter(isNew), [], 'cut these by idea');
  assert.deepEqual(
    Object.keys(exceptions).filter((each) => !found.includes(each)),
    [],
    'exceptions that are not needed any more',
  );
});

test('functions are measured from their line to the end of their block', () => {
  const body = (indent: string, lines: number): string => `${indent}  work();\n`.repeat(lines);
  const source = [
    `export function* first(): void {\n${body('', 3)}}`,
    `class Kept {\n  async #second(\n    a: number,\n  ): Promise<void> {\n${body('  ', 4)}  }\n}`,
    `const third = (a: number) => {\n${body('', 5)}};`,
    `function fourth(): void {\n  if (a) {\n${body('  ', 6)}  }\n}`,
  ].join('\n\n');
  assert.deepEqual(
    functionsOf(source).map(({ name, length }) => `${name} ${length}`),
    ['function first 5', 'function #second 6', 'function third 7', 'function fourth 10'],
  );
});

test('a function that is too long is found, but not in a test', () => {
  const long = `export function long(): void {\n${'  work();\n'.repeat(79)}}\n`;
  assert.deepEqual(tooLong('engine/src/a.ts', long), ['engine/src/a.ts, function long']);
  assert.deepEqual(tooLong('engine/src/a.test.ts', long), []);
  assert.deepEqual(tooLong('engine/src/a.ts', long.replace('  work();\n', '')), []);
  assert.deepEqual(tooLong('engine/src/a.test.ts', 'work();\n'.repeat(401)), ['engine/src/a.test.ts']);
});
