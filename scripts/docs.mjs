// Writes the comparison in README.md, docs/errors.md, docs/api.md, docs/config.md, docs/metrics.md, docs/cli.md, docs/benchmarks.md, the figures of docs/guarantees.md and the types of both SDKs from the tables in the code: `npm run docs`.
// It compiles first, and says which files it wrote. With --check it writes nothing, names the files that are not what the tables say, and ends with 1 if there are any.
import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { readRecords, withFigures } from './guarantees.mjs';
import { prepare, prepareOnly } from './prepared.mjs';

const check = process.argv.includes('--check'); // takes the build as it is
const folder = fileURLToPath(new URL('../', import.meta.url));
let written = 0;

// first, since the rest does not compile where the types of the SDK are stale
if (!check) prepareOnly('server');
const { sdkTypes } = await import('./sdk-types.mjs');
const { pythonTypes } = await import('./python-types.mjs');
bring({ ...(await sdkTypes()), ...pythonTypes() });

if (!check) prepare();
const { benchmarksPage } = await import('../benchmarks/dist/harness/page.js');
const { ageOf, isCurrent, isWhole } = await import('../benchmarks/dist/harness/history.js');
const { readResults } = await import('../benchmarks/dist/harness/result.js');
const { referencePages } = await import('./reference-pages.mjs');
const { cliPage } = await import('./cli-page.mjs');
const { withPeers } = await import('./peers-table.mjs');
bring({
  ...Object.fromEntries(Object.entries(referencePages).map(([name, page]) => [`docs/${name}.md`, page()])),
  ...agedPages(),
  'docs/cli.md': await cliPage(),
  'README.md': await withPeers(read(join(folder, 'README.md')), readResults()),
});
if (written === 0 && !check) console.error('all files are what the tables in the code say');

/** Writes the pages that differ, or names them. */
function bring(pages) {
  for (const [name, page] of Object.entries(pages)) {
    if (read(join(folder, name)) === page) continue;
    console.error(check ? `${name} is stale: run npm run docs` : `${name} written`);
    if (check) process.exitCode = 1;
    else writeFileSync(join(folder, name), page);
    written++;
  }
}

/** The pages that say how old their figures are. */
function agedPages() {
  const guarantees = read(join(folder, 'docs/guarantees.md'));
  const made = {
    'docs/benchmarks.md': (age) => benchmarksPage(readResults(), age),
    'docs/guarantees.md': (age) => withFigures(guarantees, readRecords(), age),
  };
  if (isWhole()) {
    const stale = Object.entries(made).filter(([name, make]) => !check || !isCurrent(read(join(folder, name)), make));
    return Object.fromEntries(stale.map(([name, make]) => [name, make(ageOf)]));
  }
  console.error(
    'docs/benchmarks.md and docs/guarantees.md are left as they are: this clone has not the history, by which the age of figures is counted',
  );
  return {};
}

function read(path) {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}
