// npm run benchmark [-- quality|kernels|index|service|compare|covers|logos|boxes|filter|similarity|colors|import|console [options]]: one benchmark, or all of them in turn.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

const benchmarks = [
  'quality',
  'kernels',
  'index',
  'service',
  'compare',
  'covers',
  'logos',
  'boxes',
  'filter',
  'similarity',
  'colors',
  'import',
  'console',
];
const [name, ...options] = process.argv.slice(2);
if (name && !benchmarks.includes(name)) {
  console.error(`unknown benchmark "${name}", expected one of: ${benchmarks.join(', ')}`);
  process.exit(2);
}

prepare();
for (const benchmark of name ? [name] : benchmarks) {
  const file = fileURLToPath(new URL(`../benchmarks/dist/${benchmark}/${benchmark}.js`, import.meta.url));
  const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
