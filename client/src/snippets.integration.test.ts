import assert from 'node:assert/strict';
import { execFile } from 'node:child_process';
import { mkdir, mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';

// The TypeScript of the pages is compiled as in a client of the published package.
const root = fileURLToPath(new URL('../../', import.meta.url));

const strictest = {
  compilerOptions: {
    target: 'es2023',
    module: 'nodenext',
    types: ['node'],
    strict: true,
    exactOptionalPropertyTypes: true,
    noUncheckedIndexedAccess: true,
    noEmit: true,
    skipLibCheck: true,
  },
};

let scratch: string; // inside the workspace, where the package resolves its own name
before(async () => {
  await mkdir(join(root, 'client/dist'), { recursive: true });
  scratch = await mkdtemp(join(root, 'client/dist/snippets-'));
});
after(() => rm(scratch, { recursive: true }));

async function pages(): Promise<string[]> {
  const docs = (await readdir(join(root, 'docs'))).filter((name) => name.endsWith('.md'));
  return ['README.md', 'client/README.md', ...docs.map((name) => `docs/${name}`)];
}

/** The code of a page in one of these languages. */
async function snippetsOf(page: string, languages: string): Promise<string[]> {
  const text = await readFile(join(root, page), 'utf8');
  return [...text.matchAll(new RegExp(`^\`\`\`(?:${languages})\\n([^]*?)^\`\`\``, 'gm'))].map(([, code]) => code!);
}

/** The messages of the compiler for these files; empty if they compile. */
async function compiled(name: string, files: Record<string, string>): Promise<string> {
  const folder = join(scratch, name);
  await mkdir(folder);
  const settings = { ...strictest, files: Object.keys(files) };
  await writeFile(join(folder, 'tsconfig.json'), JSON.stringify(settings));
  for (const [file, code] of Object.entries(files)) await writeFile(join(folder, file), code);
  const compiler = join(root, 'node_modules/typescript/bin/tsc');
  try {
    await promisify(execFile)(process.execPath, [compiler, '-p', folder]);
    return '';
  } catch (error) {
    return (error as { stdout: string }).stdout;
  }
}

test('every TypeScript snippet of the pages compiles', async () => {
  const files: Record<string, string> = {};
  for (const page of await pages()) {
    for (const code of await snippetsOf(page, 'ts|typescript')) {
      files[`${page.replace(/\W/g, '-')}-${Object.keys(files).length}.ts`] = code;
    }
  }
  assert.ok(Object.keys(files).length >= 2, 'the page of the SDK has snippets');
  assert.equal(await compiled('pages', files), '');
});

test('a snippet that reads a field of one structure alone does not compile', async () => {
  const [first] = await snippetsOf('client/README.md', 'ts');
  const careless = first!.replace("if (resultInfo?.category === 'LOCALMATCHING') ", '');
  assert.notEqual(careless, first);
  assert.match(await compiled('careless', { 'careless.ts': careless }), /'resultInfo' is possibly 'null'/);
});

test('no page has JavaScript, because it would not be compiled', async () => {
  for (const page of await pages()) assert.deepEqual(await snippetsOf(page, 'js|mjs|javascript'), [], page);
});
