// `@sosia/client`: the SDK, with its types and examples.
import { cpSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { root, write } from './code.mjs';
import { common, readManifest } from './manifest.mjs';

/** What the files of the SDK import of each other. It has no dependencies. */
const imported = /(\bfrom |\bimport\()(['"])([^'"\n]+)\2/g;

export async function stageClient(folder) {
  const { name, description, keywords, exports } = readManifest('client');
  const files = new Set(Object.values(exports).flatMap((each) => [each.default, each.types]));
  for (const path of files) {
    const text = readFileSync(join(root, 'client', path), 'utf8').replace(/\n\/\/# sourceMappingURL=.*\s*$/, '\n');
    const changed = text.replace(imported, (whole, before, quote, target) => {
      if (!target.startsWith('.')) throw new Error(`the SDK has no dependencies, but ${path} imports ${target}`);
      const plain = target.replace(/\.ts$/, '.js');
      files.add(join(dirname(path), path.endsWith('.d.ts') ? plain.replace(/\.js$/, '.d.ts') : plain));
      return `${before}${quote}${plain}${quote}`;
    });
    write(join(folder, path), changed);
  }
  for (const path of ['README.md', 'examples']) {
    cpSync(join(root, 'client', path), join(folder, path), { recursive: true });
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = { name, description, keywords, ...common, sideEffects: false, exports, files: ['dist', 'examples'] };
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
