import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const MAX_WORDS = { 'DESIGN.md': 3500, 'all pages': 40_000 };

const skippedFolders = ['node_modules', 'dist', '.git', 'data', 'out'];
/** Made from tables in the code, or lists that grow with each release. */
const notCounted = /^docs\/(?:cli|api|errors|metrics|config|benchmarks)\.md$|^NOTICE|^CHANGELOG/;

/** As `wc -w` counts them: what stands in tables counts, too. */
const wordsOf = (page: string): number => page.split(/\s+/).filter((word) => word !== '').length;

function pagesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { withFileTypes: true }).flatMap((entry) => {
    const path = folder === '' ? entry.name : `${folder}/${entry.name}`;
    if (entry.isDirectory()) return skippedFolders.includes(entry.name) ? [] : pagesIn(path);
    return path.endsWith('.md') && !notCounted.test(path) ? [path] : [];
  });
}

test('pages that are written by hand stay short enough to be read', () => {
  const words = new Map(pagesIn('').map((path) => [path, wordsOf(readFileSync(join(root, path), 'utf8'))]));
  assert.ok(words.size > 50, `only ${words.size} pages found`);
  assert.ok(words.get('DESIGN.md')! <= MAX_WORDS['DESIGN.md'], `DESIGN.md has ${words.get('DESIGN.md')} words`);
  const sum = [...words.values()].reduce((all, each) => all + each, 0);
  const longest = [...words].sort(([, a], [, b]) => b - a).slice(0, 8);
  assert.ok(
    sum <= MAX_WORDS['all pages'],
    `${sum} words; the longest: ${longest.map((each) => each.join(' ')).join(', ')}`,
  );
});
