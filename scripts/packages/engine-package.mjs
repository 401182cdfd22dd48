// `@sosia/engine`: the engine for browsers, a module for the page and one for its worker.
import { cpSync } from 'node:fs';
import { join } from 'node:path';
import { build } from 'esbuild';
import { root, write } from './code.mjs';
import { common, readManifest } from './manifest.mjs';
import { copyModules } from './modules.mjs';

export async function stageEngine(folder) {
  const { description, keywords } = readManifest('browser');
  await build({
    entryPoints: ['index', 'worker'].map((name) => join(root, `browser/dist/${name}.js`)),
    outdir: join(folder, 'dist'),
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    logLevel: 'warning',
  });
  const types = ['browser/dist/index.d.ts'];
  copyModules(types, folder, (path) => join('dist', path.split('/dist/')[1].replace(/^src\//, '')));
  for (const path of ['README.md', 'examples']) {
    cpSync(join(root, 'browser', path), join(folder, path), { recursive: true });
  }
  cpSync(join(root, 'LICENSE'), join(folder, 'LICENSE'));
  const manifest = {
    name: '@sosia/engine',
    description,
    keywords,
    ...common,
    sideEffects: ['./dist/worker.js'],
    exports: {
      '.': { types: './dist/index.d.ts', default: './dist/index.js' },
      './worker.js': './dist/worker.js',
    },
    files: ['dist', 'examples'],
  };
  write(join(folder, 'package.json'), `${JSON.stringify(manifest, null, 2)}\n`);
}
