// npm run benchmark [-- NAME [options]]: one benchmark, or all of them in turn. Each is benchmarks/src/NAME/NAME.ts.
import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { prepare } from './prepared.mjs';

prepare();
const folder = fileURLToPath(new URL('../benchmarks/', import.meta.url));
const benchmarks = readdirSync(`${folder}src`).filter((name) => existsSync(`${folder}src/${name}/${name}.ts`));
const [name, ...options] = process.argv.slice(2);
if (name && !benchmarks.includes(name)) {
  console.error(`unknown benchmark "${name}", expected one of: ${benchmarks.join(', ')}`);
  process.exit(2);
}

for (const benchmark of name ? [name] : benchmarks) {
  const { status } = spawnSync(process.execPath, [`${folder}dist/harness/main.js`, benchmark, ...options], {
    stdio: 'inherit',
  });
  if (status !== 0) process.exit(status ?? 1);
}
