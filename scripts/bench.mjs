// npm run bench [-- quality|kernels|index|service [options]]: one bench, or all of them in turn. Needs `npm run build`.
import { spawnSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { fileURLToPath } from 'node:url';

const benches = ['quality', 'kernels', 'index', 'service'];
const [name, ...options] = process.argv.slice(2);
if (name && !benches.includes(name)) {
  console.error(`unknown bench "${name}", expected one of: ${benches.join(', ')}`);
  process.exit(2);
}

for (const bench of name ? [name] : benches) {
  const file = fileURLToPath(new URL(`../bench/dist/${bench}/${bench}.js`, import.meta.url));
  if (!existsSync(file)) {
    console.error('the benches are not built: npm run build');
    process.exit(1);
  }
  const { status } = spawnSync(process.execPath, [file, ...options], { stdio: 'inherit' });
  if (status !== 0) process.exit(status ?? 1);
}
