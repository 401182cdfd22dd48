// Writes docs/errors.md, docs/api.md, docs/config.md, docs/metrics.md, docs/cli.md, docs/benchmarks.md and the types of the SDK from the tables in the code: `npm run docs`.
// With --check it writes nothing, names the files that are not what the tables say, and ends with 1 if there are any.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { benchmarksPage } from '../benchmarks/dist/harness/page.js';
import { readResults } from '../benchmarks/dist/harness/result.js';
import { referencePages } from '../server/dist/docs/pages.js';
import { cliPage } from './cli-page.mjs';
import { sdkTypes } from './sdk-types.mjs';

const pages = {
  ...Object.fromEntries(Object.entries(referencePages).map(([name, page]) => [`docs/${name}.md`, page()])),
  'docs/benchmarks.md': benchmarksPage(readResults()),
  'docs/cli.md': await cliPage(),
  ...(await sdkTypes()),
};
const folder = fileURLToPath(new URL('../', import.meta.url));
const check = process.argv.includes('--check');

for (const [name, page] of Object.entries(pages)) {
  if (read(join(folder, name)) === page) continue;
  console.error(check ? `${name} is stale: run npm run docs` : `${name} written`);
  if (check) process.exitCode = 1;
  else writeFileSync(join(folder, name), page);
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
