// Compiles the AssemblyScript kernels and writes them, with the trained data, as modules that need no file access,
// so that the engine runs the same in Node, in workers and in browsers.
import { existsSync, mkdirSync, readFileSync, readdirSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { setFlagsFromString } from 'node:v8';
import { remember, unchanged } from './unchanged.mjs';

const here = (path) => fileURLToPath(new URL(`../engine/${path}`, import.meta.url));

/** Writes only what changed, so that an unchanged build stays fresh for tsc. */
function write(path, text) {
  if (existsSync(path) && readFileSync(path, 'utf8') === text) return;
  writeFileSync(path, text);
}

function embed(bytes, path, name, types = '') {
  write(
    path,
    `// made by scripts/build-engine.mjs\n${types}export const ${name}: string =\n  '${bytes.toString('base64')}';\n`,
  );
}

/** Holds what the kernels were compiled from. */
const stamp = here('dist/kernels.stamp');
const compiled = [here('dist/kernels.wasm'), here('src/kernels/wasm.generated.ts')];

if (!compiled.every((file) => existsSync(file)) || !unchanged(stamp)) await compileKernels();

async function compileKernels() {
  setFlagsFromString('--liftoff-only'); // the optimizer is a WebAssembly module that runs once: V8's own optimization of it costs half of the time
  const asc = await import('assemblyscript/asc');
  mkdirSync(here('dist'), { recursive: true });
  const { error, stderr } = await asc.main([
    here('assembly/index.ts'),
    ...['--outFile', here('dist/kernels.wasm')],
    ...['--runtime', 'stub', '--enable', 'simd', '-O3', '--noAssert'],
    ...['--bindings', 'raw'],
  ]);
  if (error) {
    console.error(stderr.toString());
    process.exit(1);
  }
  const functions = readFileSync(here('dist/kernels.d.ts'), 'utf8').matchAll(/^ {2}export function (.*;)$/gm);
  const lines = [...functions].map(([, type]) => `  ${type.replace(': boolean', ': number')}\n`); // unconverted: 0 or 1
  const types = `export interface Functions {\n${lines.join('')}}\n\n`;
  embed(readFileSync(here('dist/kernels.wasm')), here('src/kernels/wasm.generated.ts'), 'kernels', types);
  const sources = readdirSync(here('assembly'), { recursive: true }).filter((name) => name.endsWith('.ts'));
  remember(stamp, [
    ...sources.map((name) => here(`assembly/${name}`)),
    fileURLToPath(import.meta.url),
    here('../package-lock.json'),
  ]);
}

/** Where the trained data belong. */
const folders = { vocabulary: 'local/features', shape: 'shape', patches: 'classify', profiles: 'classify' };
for (const [name, folder] of Object.entries(folders)) {
  embed(readFileSync(here(`data/${name}.bin`)), here(`src/${folder}/${name}.generated.ts`), name);
}
