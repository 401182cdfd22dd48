import assert from 'node:assert/strict';
import { existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { drawnChanges, isCurrent, readAccepted } from './drawn.ts';
import { RandomTrial } from './random-trial.ts';
import { makeTree } from './tree.test.kit.ts';

const root = fileURLToPath(new URL('../../..', import.meta.url));
const survivors = join(root, 'testing/mutations/random/survivors.json');
const skip = existsSync(join(root, 'lint/node_modules')) ? false : '`npm run lint` installs the parser';

const guard = `export function part(n: number): number {
  if (n > 100) throw new Error('too many');
  const half: 2 = 2;
  if (n % 2 === 1) throw new Error('odd');
  return n / half;
}
export function unused(n: number): boolean {
  return n < 7;
}
`;
const imports = "import assert from 'node:assert'; import { test } from 'node:test';";
// the guard runs in another process, as it does in tests of a service
const files = {
  'server/src/part.ts': guard,
  'server/src/process.ts': "import { part } from './part.ts'; part(Number(process.argv[2]));",
  'server/src/process.test.ts': `${imports} import { spawnSync } from 'node:child_process';
    const run = (n: number) => spawnSync(process.execPath, [new URL('process.js', import.meta.url).pathname, String(n)]).status;
    test('odd', () => (assert.equal(run(3), 1), assert.equal(run(2), 0)));`,
  'server/src/other.test.ts': "import { test } from 'node:test'; test('other', () => {});",
  'server/src/broken.test.ts': `${imports} import { part } from './part.ts'; test('broken', () => assert.equal(part(2), 2));`,
};

let tree: string;
before(() => {
  tree = makeTree(files);
  const built = spawnSync(process.execPath, ['node_modules/typescript/bin/tsc', '-b'], { cwd: tree, encoding: 'utf8' });
  assert.equal(built.status, 0, built.stdout);
});
after(() => rmSync(tree, { recursive: true }));

test('a small tree: mutations drawn by chance are caught, survive or are refused', { skip }, async () => {
  const record = join(tree, 'out/record.json');
  const drawn = Array.from({ length: 40 }, (_, seed) => drawnChanges(tree, ['server/src'], String(seed))).flat();
  const change = (after: string): (typeof drawn)[number] => {
    const found = drawn.find((one) => one.after === after);
    assert.ok(found, `${after} is drawn by one of 40 seeds`);
    return found;
  };
  const trial = new RandomTrial(tree, record);
  try {
    assert.deepEqual(await trial.record(), ['server/dist/broken.test.js']);
    const expected: [after: string, outcome: string, what: RegExp][] = [
      ["if (n % 2 !== 1) throw new Error('odd');", 'caught', /^server\/dist\/process\.test\.js$/],
      ["if (n >= 100) throw new Error('too many');", 'SURVIVED', /^2 of 2 tests/],
      ['return n <= 7;', 'SURVIVED', /^2 of 2 tests/],
      ['const half: 2 = 3;', 'refused', /does not compile/],
    ];
    for (const [after, outcome, what] of expected) {
      const verdict = await trial.judge(change(after), 60);
      assert.equal(verdict.outcome, outcome, `${after}: ${verdict.what}`);
      assert.match(verdict.what, what);
    }
  } finally {
    trial.close();
  }
  assert.equal(readFileSync(join(tree, 'server/src/part.ts'), 'utf8'), guard);
  const again = new RandomTrial(tree, record);
  const recorded: string[] = [];
  await again.record((name) => recorded.push(name));
  again.close();
  assert.deepEqual(recorded, [], 'what is recorded is not run again');
});

test('a seed draws the same mutations, another seed others', { skip }, () => {
  const texts = (seed: string): string[] => drawnChanges(tree, ['server/src'], seed).map(({ after }) => after);
  assert.deepEqual(texts('1'), texts('1'));
  assert.notDeepEqual(texts('1'), texts('2'));
});

test('every survivor that may stay has a reason, and its text is still there', () => {
  for (const row of readAccepted(survivors)) assert.ok(isCurrent(root, row), `${row.file}: ${row.before}`);
  const file = join(tree, 'survivors.json');
  writeFileSync(file, JSON.stringify([{ file: 'a', before: 'b', after: 'c', equivalent: true }]));
  assert.throws(() => readAccepted(file), /expected file, before, after, equivalent and reason/);
});
