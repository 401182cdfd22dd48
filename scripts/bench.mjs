// npm run bench [-- quality|kernels|index|service|compare|covers|logos|boxes|filter|similarity|colors|import|console [options]]: one bench, or all of them in turn.
import { spawnSync } from 'node:child_process';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

const benches = [
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
if (name && !benches.includes(name)) {
  console.error(`unknown bench "${name}", expected one of: ${benches.join(', ')}`);
  process.exit(2);
}

prepare();
for (const bench of name ? [name] : benches) {
  const file = fileURLToPath(new URL(`../bench/dist/${bench}/${bench}.js`, import.meta.url));
  const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
