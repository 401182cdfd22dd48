// Writes docs/errors.md, docs/api.md, docs/config.md, docs/metrics.md, docs/cli.md, docs/benchmarks.md and the types of the SDK from the tables in the code: `npm run docs`.
// It compiles first, and says which files it wrote. With --check it writes nothing, names the files that are not what the tables say, and ends with 1 if there are any.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

const check = process.argv.includes('--check'); // takes the build as it is
if (!check) prepare();
const { benchmarksPage } = await import('../benchmarks/dist/harness/page.js');
const { readResults } = await import('../benchmarks/dist/harness/result.js');
const { referencePages } = await import('../server/dist/docs/pages.js');
const { cliPage } = await import('./cli-page.mjs');
const { sdkTypes } = await import('./sdk-types.mjs');

const pages = {
  ...Object.fromEntries(Object.entries(referencePages).map(([name, page]) => [`docs/${name}.md`, page()])),
  'docs/benchmarks.md': benchmarksPage(readResults()),
  'docs/cli.md': await cliPage(),
  ...(await sdkTypes()),
};
const folder = fileURLToPath(new URL('../', import.meta.url));

const stale = Object.entries(pages).filter(([name, page]) => read(join(folder, name)) !== page);
for (const [name, page] of stale) {
  console.error(check ? `${name} is stale: run npm run docs` : `${name} written`);
  if (check) process.exitCode = 1;
  else writeFileSync(join(folder, name), page);
}
if (stale.length === 0 && !check)
  console.error(`${Object.keys(pages).length} files are what the tables in the code say`);

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
