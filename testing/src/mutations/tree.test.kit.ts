import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  realpathSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';

const root = fileURLToPath(new URL('../../..', import.meta.url));

/** A small repository of one workspace, `server`, with these files, which tests run and mutate. It is not built. */
export function makeTree(files: Readonly<Record<string, string>>): string {
  const tree = realpathSync(mkdtempSync(join(tmpdir(), 'sosia-mutations-test-')));
  const all = {
    'package.json': '{ "type": "module", "workspaces": ["server"] }',
    'tsconfig.json': '{ "files": [], "references": [{ "path": "server" }] }',
    'tsconfig.base.json': readFileSync(join(root, 'tsconfig.base.json'), 'utf8'),
    'server/tsconfig.json':
      '{ "extends": "../tsconfig.base.json", "compilerOptions": { "rootDir": "src", "outDir": "dist" }, "include": ["src"] }',
    ...files,
  };
  for (const [name, content] of Object.entries(all)) {
    mkdirSync(dirname(join(tree, name)), { recursive: true });
    writeFileSync(join(tree, name), content);
  }
  cpSync(join(root, 'scripts'), join(tree, 'scripts'), { recursive: true });
  mkdirSync(join(tree, 'node_modules'));
  for (const name of ['typescript', '@typescript', '@types', 'undici-types']) {
    const path = join(root, 'node_modules', name);
    if (existsSync(path)) symlinkSync(path, join(tree, 'node_modules', name));
  }
  const lint = join(root, 'lint/node_modules');
  mkdirSync(join(tree, 'lint'));
  writeFileSync(join(tree, 'lint/package.json'), '{}');
  if (existsSync(lint)) symlinkSync(lint, join(tree, 'lint/node_modules'));
  return tree;
}
