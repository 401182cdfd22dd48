// `sosia-server`: the service, the console, the command `sosia`, the pages and the samples, in one package.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { bundle, fileOf } from './bundle.mjs';
import { copyCode, root, write } from './code.mjs';
import { licenceTexts } from './licences.mjs';
import { common, rangesOf, readManifest } from './manifest.mjs';

/** Packages with native code are installed beside this one, for the processor and the system of the machine. */
const installed = ['libsql', 'sharp'];
/** The native part of koffi, which has an install script of its own. Confinement calls the C library on these systems only. */
const native = ['@koromix/koffi-linux-x64', '@koromix/koffi-linux-arm64'];
const workspaces = ['contract', 'engine', 'server', 'client', 'console', 'fixtures', 'cli'];
const data = ['console/dist/site', 'fixtures/samples', 'fixtures/edited', 'docs'];
const notShipped = /\/docs\/experiments|\/fixtures\/[^/]+\/golden/;

export async function stageServer(folder) {
  const { name, description, keywords, bin } = readManifest('cli');
  const { peerDependencies, peerDependenciesMeta } = readManifest('server');
  const exact = readManifest('node_modules/koffi');
  const inside = new Set();
  copyCode(['cli/bin/sosia.js', 'cli/dist/index.js'], join(folder, 'lib'), {
    installed: [...installed, ...Object.keys(peerDependencies)],
    bundled: (name) => join('bundled', fileOf(inside.add(name) && name)),
  });
  const folders = await bundle([...inside].sort(), join(folder, 'lib/bundled'), ['@koromix/*']);
  write(join(folder, 'LICENSES.txt'), licenceTexts(folders));

  for (const path of data) {
    cpSync(join(root, path), join(folder, 'lib', path), { recursive: true, filter: (from) => !notShipped.test(from) });
  }
  cpSync(join(root, 'cli/dist/index.d.ts'), join(folder, 'lib/cli/dist/index.d.ts'));
  for (const workspace of workspaces) {
    const { name, version } = readManifest(workspace);
    write(join(folder, 'lib', workspace, 'package.json'), json({ name, version, private: true, type: 'module' }));
  }
  write(join(folder, 'lib/package.json'), json({ private: true, type: 'module', engines: common.engines }));
  cpSync(join(root, 'cli/README.md'), join(folder, 'README.md'));
  for (const file of ['LICENSE', 'NOTICE']) cpSync(join(root, file), join(folder, file));
  const manifest = {
    name,
    description,
    keywords,
    ...common,
    bin: Object.fromEntries(Object.entries(bin).map(([command, path]) => [command, `lib/cli/${path}`])),
    exports: { '.': { types: './lib/cli/dist/index.d.ts', default: './lib/cli/dist/index.js' } },
    files: ['lib', 'LICENSES.txt', 'NOTICE'],
    dependencies: rangesOf(installed, ['server', 'cli']),
    optionalDependencies: Object.fromEntries(native.map((each) => [each, exact.optionalDependencies[each]])),
    peerDependencies,
    peerDependenciesMeta,
  };
  write(join(folder, 'package.json'), json(manifest));
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
