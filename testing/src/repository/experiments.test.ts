import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const folder = fileURLToPath(new URL('../../../docs/experiments/', import.meta.url));
const MAX_WORDS = 400;

const pages = readdirSync(folder).filter((name) => name.endsWith('.md') && name !== 'README.md');
const read = (page: string): string => readFileSync(join(folder, page), 'utf8');
/** As `wc -w` counts them: what stands in tables counts, too. */
const wordsOf = (page: string): number => page.split(/\s+/).filter((word) => word !== '').length;
const linksOf = (page: string): string[] => Array.from(page.matchAll(/\]\(([^)#:]+\.md)\)/g), ([, path]) => path!);

test(`every experiment is a dated page of at most ${MAX_WORDS} words`, () => {
  assert.ok(pages.length > 20, `only ${pages.length} pages found`);
  assert.deepEqual(
    pages.filter((page) => !/^\d{4}-\d\d-\d\d-/.test(page)),
    [],
  );
  const long = pages.map((page) => ({ page, words: wordsOf(read(page)) })).filter(({ words }) => words > MAX_WORDS);
  assert.deepEqual(long, [], 'keep the figures that decided, or make a page for each question');
});

test('the list of experiments has every page, and every page that an experiment links to is there', () => {
  assert.deepEqual(
    linksOf(read('README.md'))
      .filter((path) => !path.startsWith('../'))
      .sort(),
    pages.sort(),
  );
  const links = ['README.md', ...pages].flatMap((page) => linksOf(read(page)));
  assert.deepEqual(
    links.filter((path) => !existsSync(join(folder, path))),
    [],
  );
});

test('words are counted in prose and in tables', () => {
  assert.equal(wordsOf('# One page\n\n| a | 2 |\n| - | - |\n'), 13);
});
