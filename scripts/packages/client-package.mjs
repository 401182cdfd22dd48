// `@sosia/client`: the SDK, with its types and examples.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { root, write } from './code.mjs';
import { common, readManifest } from './manifest.mjs';
import { copyModules } from './modules.mjs';

export function stageClient(folder) {
  const { name, description, keywords, exports } = readManifest('client');
  const entries = Object.values(exports).flatMap((each) => [each.default, each.types]);
  copyModules(
    entries.map((path) => join('client', path)),
    folder,
    (path) => {
      if (!path.startsWith('client/')) throw new Error(`the SDK has no dependencies, but imports ${path}`);
      return path.slice('client/'.length);
    },
  );
  for (const path of ['README.md', 'examples']) {
    cpSync(join(root, 'client', path), join(folder, path), { recursive: true });
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = { name, description, keywords, ...common, sideEffects: false, exports, files: ['dist', 'examples'] };
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
