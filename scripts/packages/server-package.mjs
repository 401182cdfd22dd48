// `sosia-server`: the service, the console, the command `sosia`, the pages and the samples, in one package.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { filesOf } from '../unchanged.mjs';
import { installed } from './bundle.mjs';
import { root, write } from './code.mjs';
import { licenceTexts } from './licences.mjs';
import { common, rangesOf, readManifest } from './manifest.mjs';

/** The native part of koffi, which has an install script of its own. Confinement calls the C library on these systems only. */
const native = ['@koromix/koffi-linux-x64', '@koromix/koffi-linux-arm64'];
const workspaces = ['contract', 'engine', 'server', 'client', 'console', 'fixtures', 'cli'];
const data = ['cli/dist/bundle', 'console/dist/site', 'fixtures/samples', 'fixtures/edited', 'docs'];
const notShipped = /\/docs\/experiments|\/fixtures\/[^/]+\/golden/;

export function stageServer(folder) {
  const { name, description, keywords, bin } = readManifest('cli');
  const { peerDependencies, peerDependenciesMeta } = readManifest('server');
  const exact = readManifest('node_modules/koffi');
  write(join(folder, 'LICENSES.txt'), licenceTexts(packagesOf(filesOf(join(root, 'cli/dist/bundle.stamp')))));

  for (const path of data) {
    cpSync(join(root, path), join(folder, 'lib', path), { recursive: true, filter: (from) => !notShipped.test(from) });
  }
  for (const file of ['cli/bin/sosia.js', 'cli/dist/index.d.ts']) cpSync(join(root, file), join(folder, 'lib', file));
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
    exports: { '.': { types: './lib/cli/dist/index.d.ts', default: './lib/cli/dist/bundle/index.js' } },
    files: ['lib', 'LICENSES.txt', 'NOTICE'],
    dependencies: rangesOf(installed, ['server', 'cli']),
    optionalDependencies: Object.fromEntries(native.map((each) => [each, exact.optionalDependencies[each]])),
    peerDependencies,
    peerDependenciesMeta,
  };
  write(join(folder, 'package.json'), json(manifest));
}

/** The folders of the packages that files are of. */
function packagesOf(files) {
  const folders = files.map((file) => /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0]);
  return [...new Set(folders.filter((folder) => folder))].sort();
}

function json(value) {
  return `${JSON.stringify(value, null, 2)}\n`;
}
