import assert from 'node:assert/strict';
import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../../', import.meta.url));
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { workspaces: string[] };

/** Words that say neither which quantity a constant is nor its unit. */
const bareWords = new Set(
  `ABANDONED ABOVE AHEAD ALIKE ALL ALONE ALONG ALWAYS ANOTHER APART AROUND ASIDE AVOIDED BEHIND BELOW BESIDE BEST BEYOND BIG
  BRIGHT BUSY CHOSEN CLEAR CLEARLY CLOSE CLOSELY CLOSING COMMON COMPARED DARK DEEP DEEPEST DENSE DISTINCT DOUBTFUL DULL EACH EARLY
  ENCODED ENOUGH EQUAL EVEN EVERY EVERYTHING FAINT FAINTEST FAIR FAR FARTHEST FAST FEW FEWER FEWEST FINE FINEST FIRST FLAT FLATTEST
  FRESH FULL FURTHER HALF HIGH HIGHEST HUGE IGNORED INSIDE KEPT LARGE LARGER LARGEST LAST LATE LATEST LEAST LESS LIGHT LIKE LONG
  LONGEST LOW LOWEST MANY MIXED MORE MOST MOSTLY MUCH NARROW NARROWEST NEAR NEAREST NEARLY NONE NOTHING OF OFF OFTEN ONE ORDINARY
  OTHER OUTSIDE PERHAPS PLAIN PURGED QUIET RARE REMEMBERED REPEATED REPORTED REST ROUGH ROUGHLY SAME SECOND SEPARATE SHARED SHARP
  SHORT SHORTEST SHOWN SIMILAR SIMPLE SLOW SMALL SMALLER SMALLEST SOME SOON SPARE STEADY STEEP STEEPEST STILL STORED STRONG
  STRONGEST SURE TEXTURED THIRD THROUGH TOGETHER TOO TRIED TRUE UNHIDDEN UNKNOWN UNLIKE USUAL VALID WEAK WEAKER WEAKEST WHOLE WIDE
  WIDEST WITHIN WORTH WORTHLESS WRONG`.split(/\s+/),
);

/** The names in capitals that a module declares, alone or in a pattern. */
function constantsOf(source: string): string[] {
  const declared = source.matchAll(/^(?:export )?const (\[[^\]]*\]|\{[^}]*\}|\w+)/gm);
  return Array.from(declared, ([, names]) => names!.match(/\b[A-Z][A-Z0-9_]*\b/g) ?? []).flat();
}

/** A name of which every word is an adjective, an adverb or a quantifier. */
function isBare(name: string): boolean {
  return name.split('_').every((word) => bareWords.has(word));
}

function sourcesIn(folder: string): string[] {
  return readdirSync(join(root, folder), { recursive: true, encoding: 'utf8' })
    .map((path) => `${folder}/${path}`)
    .filter((path) => /\.(?:tsx?|mjs)$/.test(path) && !/\.generated\.ts$|\/(?:dist|node_modules)\//.test(path));
}

test('constants of engine and server say quantity and unit', () => {
  const files = ['engine/assembly', 'engine/src', 'engine/test', 'server/src', 'training/src'].flatMap(sourcesIn);
  assert.ok(files.length > 500, `only ${files.length} files found`);
  const bare = files.flatMap((file) =>
    constantsOf(readFileSync(join(root, file), 'utf8'))
      .filter(isBare)
      .map((name) => `${file}: ${name}`),
  );
  assert.deepEqual(
    bare,
    [],
    'name the quantity and its unit (MAX_PICTURES, TIMEOUT_MS), or make a record of related values',
  );
});

test('a bare word is found alone, in a pattern and beside another one', () => {
  const source = `const MOST = 3;
export const [STEADY, MAX_GAIN] = [1, 2];
const NEARLY_ALL = 0.9;
const MOST_COLORS = 16;
const PRIOR = { dark: 1 };
  const FEW = 2;
const near = 1;
`;
  assert.deepEqual(constantsOf(source).filter(isBare), ['MOST', 'STEADY', 'NEARLY_ALL']);
});

test('codes of errors have a name: `errorCodes` of the client, `errors` of the server', () => {
  const codes = readFileSync(join(root, 'server/src/errors.ts'), 'utf8').matchAll(/\bcode: (-\d+),/g);
  const bare = new RegExp(
    `(?<=[\\s[(])(?<!slice\\()(?:${Array.from(codes, ([, code]) => code).join('|')})(?=[\\s\\]),;}])`,
  );
  const table = /server\/src\/errors(\.test)?\.ts$/;
  const folders = [
    'benchmarks/src',
    'cli/src',
    'client/src',
    'console/src',
    'server/src',
    'system-tests/src',
    'testing/src',
  ];
  const files = folders.flatMap(sourcesIn).filter((file) => !table.test(file));
  const numbered = files.filter((file) => bare.test(readFileSync(join(root, file), 'utf8').replace(/'[^'\n]*'/g, '')));
  assert.deepEqual(numbered, []);
});

test('a line that breaks a rule of the linter says why', () => {
  const files = [...workspaces, 'examples', 'scripts'].flatMap(sourcesIn);
  const silent = files.filter((file) =>
    /(?:ox|es)lint-disable(?!-next-line \S+ -- \S)/.test(readFileSync(join(root, file), 'utf8')),
  );
  assert.deepEqual(
    silent.filter((file) => !file.endsWith('repository/constants.test.ts')),
    [],
  );
});
