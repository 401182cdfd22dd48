import assert from 'node:assert/strict';
import { existsSync, readFileSync, readdirSync } from 'node:fs';
import { builtinModules } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** Each workspace imports only those before it. `fixtures` has no place in this order: tests and benchmarks import it. */
const workspaces = [
  'contract',
  'engine',
  'browser',
  'server',
  'client',
  'console',
  'cli',
  'training',
  'testing',
  'benchmarks',
  'system-tests',
];

/** Workspaces that are not published, so that all of their code may import what tests may. */
const unpublished = ['training', 'testing', 'benchmarks', 'system-tests'];

/** Each folder imports only those before it and itself. A key is a workspace, or a folder of one whose folders have an order. */
const orders: Record<string, readonly string[]> = {
  engine: [
    'errors',
    'steps',
    'geometry',
    'kernels',
    'pixels',
    'dna',
    'memory',
    'color',
    'shape',
    'partition',
    'local',
    'compare',
    'classify',
    'traces',
    'types',
    'index',
  ],
  'engine/local': [
    'features',
    'index',
    'verify',
    'overlap',
    'match',
    'reference-quality',
    'local-comparison',
    'local-terms',
    'local-partition',
  ],
  server: [
    'errors',
    'config',
    'metrics',
    'fetch',
    'parameters',
    'workers',
    'store',
    'decode',
    'onnx',
    'search',
    'shards',
    'applications',
    'cluster',
    'sources',
    'events',
    'operations',
    'administration',
    'review',
    'http',
    'docs',
    'console',
    'main',
    'index',
  ],
  testing: [
    'statistics',
    'pictures',
    'describing',
    'searching',
    'service',
    'cluster',
    'ledger',
    'checker',
    'powercut',
    'hostile',
    'fuzz',
    'mutations',
    'harness',
    'examples',
    'packages',
    'repository',
  ],
};

/** What the engine may not use: each may differ between machines or runs. */
const unsteady =
  /\bMath\.(?!abs\b|atan2\b|ceil\b|clz32\b|floor\b|fround\b|hypot\b|imul\b|max\b|min\b|PI\b|round\b|sign\b|sqrt\b|trunc\b|SQRT2\b|SQRT1_2\b)\w+|\*\*|\b(?:Date|performance|crypto|process)\b/g;

/** Workspaces that work in a browser, so that nothing of Node is imported. */
const withoutNode = ['contract', 'engine', 'browser', 'client'];

/** Names that a browser does not have. The engine has a stricter list. */
const nodeOnly = /(?<![.\w])(?:Buffer|process|require|global|__dirname|setImmediate)\b(?!\s*[:?])/g;

interface Package {
  readonly name: string;
  /** Names that begin with # and what they stand for. */
  readonly imports?: Record<string, unknown>;
  readonly dependencies?: Record<string, string>;
  readonly devDependencies?: Record<string, string>;
  readonly peerDependencies?: Record<string, string>;
}

const packageOf = (folder: string): Package => JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
const rootPackage = packageOf('.');

test('every import goes to a folder listed before, and every package imported is listed', () => {
  const files = workspaces.flatMap((workspace) => sourcesOf(workspace));
  assert.ok(files.length > 50, `only ${files.length} files found`);
  assert.deepEqual(
    files.flatMap((file) => faultsOf(file, readFileSync(join(root, file), 'utf8'))),
    [],
  );
});

test('the map in DESIGN.md has the folders of engine and server, in their order', () => {
  const [, map] = readFileSync(join(root, 'DESIGN.md'), 'utf8').split('```');
  for (const workspace of ['engine', 'server']) {
    const [, names] = new RegExp(`^${workspace}/[^]*?\\n  src/ ([^]*?)\\n(?=\\S|  \\S)`, 'm').exec(map!)!;
    const listed = names!.replace(/local: .*/, 'local').split(/[\s·]+/);
    assert.deepEqual(
      listed.filter((name) => name !== ''),
      orders[workspace]!.filter((name) => name !== 'index'),
    );
  }
});

test('the rules see what breaks them', () => {
  const examples: [file: string, source: string, fault: RegExp | null][] = [
    ['engine/src/a.ts', `import { x } from '@sosia/server';`, /engine may not import @sosia\/server/],
    ['engine/src/a.ts', `import type { x } from 'node:fs';`, /engine may not import node:fs/],
    ['engine/src/a.ts', `import type { x } from '@sosia/contract';`, /@sosia\/contract is not listed/],
    ['contract/src/a.ts', `import type { x } from '@sosia/engine';`, /contract may not import @sosia\/engine/],
    ['contract/src/a.ts', `import { isDeepStrictEqual } from 'node:util';`, /contract may not import node:util/],
    ['contract/src/a.ts', `const bytes = Buffer.from(text);`, /uses Buffer/],
    ['server/src/parameters/a.ts', `import { x } from '@sosia/contract';`, null],
    ['engine/src/a.test.ts', `import { test } from 'node:test';`, null],
    ['engine/src/color/a.ts', `import { x } from '../shape/b.ts';`, /color may not import shape/],
    ['engine/src/types/a.ts', `import { x } from '../color/b.ts';`, null],
    ['engine/src/local/verify/a.ts', `import { x } from '../match/b.ts';`, /verify may not import match/],
    [
      'engine/src/local/verify/a.ts',
      `import { x } from '../local-partition.ts';`,
      /verify may not import local-partition/,
    ],
    ['engine/src/local/match/a.ts', `import { x } from '../verify/b.ts';`, null],
    ['engine/src/local/verify/a.ts', `import { x } from '../../types/b.ts';`, /local may not import types/],
    ['engine/src/kernels/a.ts', `import { x } from '../../test/oracles/b.ts';`, /leaves its workspace/],
    ['engine/src/kernels/a.test.ts', `import { x } from '../../test/oracles/b.ts';`, null],
    ['engine/src/attic/a.ts', ``, /attic is not in the order/],
    ['engine/test/a.ts', `import { x } from '../src/types/b.ts';\nimport fc from 'fast-check';`, null],
    ['engine/src/steps.ts', `const y = x ** 2.4;`, /uses \*\*/],
    ['engine/src/steps.ts', `/** x ** 2 and Math.pow */ const y = Math.sqrt(2); // Math.exp`, null],
    ['engine/src/steps.ts', `const y = Math.pow(x, 2);`, /uses Math.pow/],
    ['engine/src/steps.ts', `const y = Math.log2(x) + Math.random();`, /uses Math.log2[^]*uses Math.random/],
    ['engine/src/steps.ts', `const now = new Date();`, /uses Date/],
    ['engine/src/steps.ts', `import { x } from '../../server/src/errors.ts';`, /leaves its workspace/],
    ['server/src/store/a.ts', `import { x } from '../decode/b.ts';`, /store may not import decode/],
    ['server/src/decode/a.ts', `import { x } from '../store/b.ts';`, null],
    ['server/src/errors.ts', `export * from './main.ts';`, /errors may not import main/],
    ['server/src/attic/a.ts', ``, /attic is not in the order/],
    ['server/src/operations/a.test.ts', `import { startServer } from '../main.ts';`, null],
    ['server/src/store/a.test.child.ts', `const bytes = Buffer.from('main');`, null],
    ['server/src/http/a.ts', `import sharp from 'sharp';`, /only decode may import sharp/],
    ['server/src/main.ts', `run(['import', 'folder', 'from', 'there']);`, null],
    ['server/src/main.ts', `const { x } = await import('express');`, /express is not listed/],
    ['server/src/main.ts', `import { property } from 'fast-check';`, /fast-check is not listed/],
    ['server/src/main.test.ts', `import { property } from 'fast-check';`, null],
    ['cli/src/a.ts', `import { startServer } from '@sosia/server';\nimport { readFileSync } from 'fs';`, null],
    [
      'testing/src/ledger/a.ts',
      `import { simulate } from '../powercut/simulate.ts';`,
      /ledger may not import powercut/,
    ],
    ['client/src/a.ts', `import { startServer } from '@sosia/server';`, /@sosia\/server is not listed/],
    ['client/src/a.ts', `import { readFile } from 'node:fs/promises';`, /client may not import node:fs\/promises/],
    ['client/src/a.test.ts', `import { readFile } from 'node:fs/promises'; Buffer.from('a');`, null],
    ['client/src/a.ts', `const bytes = Buffer.from(text, 'base64');`, /uses Buffer/],
    ['client/src/a.ts', `if (globalThis.process) this.process(); /* process */`, null],
  ];
  for (const [file, source, fault] of examples) {
    const faults = faultsOf(file, source).join('\n');
    if (fault) assert.match(faults, fault, source);
    else assert.equal(faults, '', source);
  }
});

function sourcesOf(workspace: string): string[] {
  const folders = ['src', 'test'].map((name) => join(root, workspace, name)).filter(existsSync);
  return folders.flatMap((folder) =>
    readdirSync(folder, { recursive: true, encoding: 'utf8' })
      .filter((name) => /\.tsx?$/.test(name) && !name.endsWith('.generated.ts'))
      .filter((name) => !name.endsWith('directions.test.ts')) // its examples break the rules
      .map((name) => relative(root, join(folder, name)).split(sep).join('/')),
  );
}

function faultsOf(file: string, source: string): string[] {
  const workspace = file.split('/')[0]!;
  const tests = isTest(file);
  const code = source.replace(/\/\*[^]*?\*\/|(?<![:'"`/\\])\/\/.*/g, '');
  const faults = [...code.matchAll(/(?<!['"`-])(?:\bfrom\s*|\bimport\s*\(?\s*)['"]([^'"]+)['"]/g)].flatMap(
    ([, target]) =>
      target!.startsWith('.') ? innerFaults(file, target!) : packageFaults(workspace, tests, folderOf(file), target!),
  );
  if (workspace in orders && !orders[workspace]!.includes(folderOf(file)) && !tests) {
    faults.push(`${folderOf(file)} is not in the order of ${workspace}`);
  }
  if (workspace === 'engine' && !tests) faults.push(...[...code.matchAll(unsteady)].map(([word]) => `uses ${word}`));
  if (['contract', 'client'].includes(workspace) && !tests)
    faults.push(...[...code.matchAll(nodeOnly)].map(([word]) => `uses ${word}`));
  return faults.map((fault) => `${file}: ${fault}`);
}

function innerFaults(file: string, target: string): string[] {
  const workspace = file.split('/')[0]!;
  const path = posix.normalize(posix.join(dirname(file), target));
  if (!path.startsWith(isTest(file) ? `${workspace}/` : `${workspace}/src/`)) return [`${target} leaves its workspace`];
  if (isTest(file)) return []; // an operation is tested through the whole service
  const [from, to] = [folderOf(file), folderOf(path)];
  const inner = `${workspace}/${from}`;
  return from === to && inner in orders
    ? upwards(inner, folderOf(file, 3), folderOf(path, 3))
    : upwards(workspace, from, to);
}

function upwards(folder: string, from: string, to: string): string[] {
  const order = orders[folder] ?? [];
  return order.indexOf(to) > order.indexOf(from) ? [`${from} may not import ${to}`] : [];
}

function packageFaults(workspace: string, tests: boolean, folder: string, target: string): string[] {
  const name = target
    .split('/')
    .slice(0, target.startsWith('@') ? 2 : 1)
    .join('/');
  if (target.startsWith('node:') || builtinModules.includes(name)) {
    return withoutNode.includes(workspace) && !tests ? [`${workspace} may not import ${target}`] : [];
  }
  const other = name.startsWith('@sosia/') ? name.slice('@sosia/'.length) : null;
  if (other && workspaces.includes(other) && workspaces.indexOf(other) >= workspaces.indexOf(workspace)) {
    return [`${workspace} may not import ${name}`];
  }
  if (other === 'fixtures' && tests) return [];
  if (name === 'sharp' && workspace === 'server' && folder !== 'decode' && !tests)
    return ['only decode may import sharp'];

  const { imports, dependencies, devDependencies, peerDependencies } = packageOf(workspace);
  const packages = {
    ...imports,
    ...dependencies,
    ...peerDependencies,
    ...(tests || unpublished.includes(workspace) ? { ...devDependencies, ...rootPackage.devDependencies } : {}),
  };
  return name in packages ? [] : [`${name} is not listed in ${workspace}/package.json`];
}

/** `x.test.ts` and what only tests use, such as `x.test.child.ts`. */
function isTest(file: string): boolean {
  return /\.test\.(?:\w+\.)?tsx?$/.test(file) || file.split('/')[1] === 'test';
}

/** The folder below `src`, or the file that lies there; or one further below. */
function folderOf(file: string, depth = 2): string {
  return file.split('/')[depth]!.replace(/(\.test)?\.tsx?$/, '');
}
