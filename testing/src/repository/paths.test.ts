import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
/** CONTRIBUTING.md is not among them, since its examples name files to be written. */
const pages = [
  'README.md',
  'DESIGN.md',
  'SECURITY.md',
  'RELEASING.md',
  ...readdirSync(join(root, 'docs'))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

/** Folders that a page may shorten a path by. */
const bases = ['', 'docs', 'engine/src', 'server/src', 'console/src', 'client/src', 'cli/src', 'testing/src'];

/** The source files that inline code of a page names by their path. */
function pathsIn(page: string): string[] {
  const spans = page.replace(/^```[^]*?^```/gm, '').matchAll(/`([^`\s]+\/[\w.-]+\.(?:ts|tsx|mjs|json))`/g);
  return Array.from(spans, ([, path]) => path!).filter((path) => !/^[~/.]|[*{]/.test(path));
}

test('every source file that a page names is there', () => {
  const paths = pages.flatMap((page) =>
    pathsIn(readFileSync(join(root, page), 'utf8')).map((path) => ({ page, path })),
  );
  assert.ok(paths.length > 40, `only ${paths.length} paths found`);
  const missing = paths.filter(({ path }) => !bases.some((base) => existsSync(join(root, base, path))));
  assert.deepEqual(missing, []);
});

test('paths are found in inline code alone', () => {
  assert.deepEqual(pathsIn('see `a/b.ts`, `c.ts`, a/d.ts, `../e/f.ts`, `g/*.ts`\n```sh\n`h/i.ts`\n```\n'), ['a/b.ts']);
});
