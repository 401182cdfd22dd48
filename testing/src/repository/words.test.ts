import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const glossary = readFileSync(join(root, 'docs/glossary.md'), 'utf8');

interface Exception {
  readonly word: string;
  readonly file: RegExp;
  /** The lines of the file; all without it. */
  readonly line?: RegExp;
  readonly reason: string;
}

/** Uses of a word in an ordinary meaning, or as a name of the interface. */
const exceptions: readonly Exception[] = [
  {
    word: 'gone',
    file: /^(server\/src\/|docs\/(operating|metrics)\.md|testing\/|system-tests\/)/,
    line: /[`'"\\]gone[`'"\\]/,
    reason: 'the name of a line in the log and a label of a metric',
  },
  {
    word: 'tells',
    file: /^(server\/src\/errors\.ts|docs\/errors\.md)$/,
    line: /the log of the server tells more/,
    reason: 'a message that clients receive',
  },
];

const skippedFolders = ['node_modules', 'dist', '.git', 'data', 'out'];
const skippedFiles =
  /\.generated\.ts$|^docs\/glossary\.md$|^CHANGELOG\.md$|^testing\/src\/repository\/words\.test\.ts$/;

/** The words of the last section of the glossary, one or more a row. */
function wordsNotUsed(page: string): string[] {
  const section = page.slice(page.indexOf('## Words not used'));
  const rows = [...section.matchAll(/^\| (`[^|]+) \|/gm)].map(([, cell]) => cell!);
  return rows.flatMap((cell) => [...cell.matchAll(/`([^`]+)`/g)].map(([, word]) => word!));
}

/** Finds words in prose and inside identifiers. A word in lower case is found in any case, a name as it is. */
function finderOf(words: readonly string[]): (line: string) => string[] {
  const patterns = words.map((word) => ({
    word,
    pattern: new RegExp(
      `(?<![\\p{L}\\d])${word.replace(/ /g, '\\s+')}(?![\\p{L}\\d])`,
      word === word.toLowerCase() ? 'iu' : 'u',
    ),
  }));
  return (line) => {
    const apart = `${line} ${line.replace(/(?<=[a-z\d])(?=[A-Z])/g, ' ')}`;
    return patterns.filter(({ pattern }) => pattern.test(apart)).map(({ word }) => word);
  };
}

/** Code and pages below a folder, by their paths in the repository. */
function filesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skippedFolders.includes(entry.name) ? [] : filesIn(path);
    return /\.(ts|tsx|mjs|md|css|html)$/.test(path) && !skippedFiles.test(path) ? [path] : [];
  });
}

test('no file uses a word that the glossary replaces', () => {
  const find = finderOf(wordsNotUsed(glossary));
  const used = new Set<Exception>();
  const faults: string[] = [];
  for (const file of filesIn('')) {
    readFileSync(join(root, file), 'utf8')
      .split('\n')
      .forEach((line, i) => {
        for (const word of find(line)) {
          const exception = exceptions.find(
            (it) => it.word === word && it.file.test(file) && (it.line?.test(line) ?? true),
          );
          if (exception) used.add(exception);
          else faults.push(`${file}:${i + 1}: ${word}`);
        }
      });
  }
  assert.deepEqual(faults, []);
  assert.deepEqual(
    exceptions.filter((it) => !used.has(it)),
    [],
    'exceptions that nothing needs',
  );
});

test('the last section of the glossary is the list', () => {
  const page =
    '## Terms\n\n| `kept` | a term |\n\n## Words not used\n\n| not used | instead |\n| --- | --- |\n| `one`, `two words` | `three` |\n';
  assert.deepEqual(wordsNotUsed(page), ['one', 'two words']);
  assert.ok(wordsNotUsed(glossary).length > 15);
});

test('a word is found in prose, in any case, and inside identifiers; names are found as they are', () => {
  const find = finderOf(['gate', 'laid on', 'Guest']);
  for (const line of ['the gate', 'Gate: one', 'openGate(1)', 'gateOpen', 'GATE', "'gate'", 'a.gate_of']) {
    assert.deepEqual(find(line), ['gate'], line);
  }
  assert.deepEqual(find('it is laid on white'), ['laid on']);
  assert.deepEqual(find('new Guest()'), ['Guest']);
  for (const line of ['investigate', 'gateway', 'aggregate', 'a guest', 'laid. On'])
    assert.deepEqual(find(line), [], line);
});
