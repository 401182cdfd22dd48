// Removes what was compiled from sources that no longer exist. Tests among it would run for ever, and packages would hold it. Part of `npm run build`.
import { existsSync, readFileSync, readdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('..', import.meta.url));
const { workspaces } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'));

for (const workspace of workspaces) {
  const dist = join(root, workspace, 'dist');
  if (!existsSync(dist)) continue;
  const { compilerOptions } = JSON.parse(readFileSync(join(root, workspace, 'tsconfig.json'), 'utf8'));
  const sources = join(root, workspace, compilerOptions.rootDir);
  for (const name of readdirSync(dist, { recursive: true })) {
    const stem = name.replace(/\.(?:js|js\.map|d\.ts)$/, '');
    if (stem === name || /^(?:site|typebox|bundle)/.test(name)) continue;
    if (!['.ts', '.tsx'].some((ending) => existsSync(join(sources, stem + ending)))) rmSync(join(dist, name));
  }
}
