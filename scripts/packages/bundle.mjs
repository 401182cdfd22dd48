// The packages of JavaScript that the service uses, each as one file with all that it needs itself. So an installation fetches a
// dozen packages instead of a hundred, and none of their versions can change after the release.
import { copyFileSync, mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { root } from './code.mjs';

const require = createRequire(join(root, 'server/package.json'));
/** Under the LGPL: a file of its own, unchanged, so that another version can take its place. */
const libheif = {
  name: 'libheif-js/wasm-bundle',
  from: 'libheif-js/libheif-wasm/libheif-bundle.js',
  file: 'libheif-bundle.cjs',
};

/**
 * Writes one module for each name into a folder.
 * @param external  packages that stay names
 * @returns the folders of all packages that are in it
 */
export async function bundle(names, folder, external) {
  const entries = join(root, 'node_modules/.sosia-bundle');
  rmSync(entries, { recursive: true, force: true });
  mkdirSync(entries, { recursive: true });
  for (const name of names) writeFileSync(join(entries, `${fileOf(name)}`), await entryOf(name));
  const { metafile } = await build({
    entryPoints: names.map((name) => join(entries, fileOf(name))),
    outdir: folder,
    bundle: true,
    splitting: true,
    chunkNames: 'shared-[hash]',
    format: 'esm',
    outExtension: { '.js': '.mjs' },
    platform: 'node',
    target: 'node20',
    minify: true,
    keepNames: true,
    legalComments: 'none', // LICENSES.txt has the whole texts
    banner: { js: "import{createRequire as _cr}from'node:module';const require=_cr(import.meta.url);" },
    metafile: true,
    absWorkingDir: root,
    external,
    plugins: [separate],
    logLevel: 'warning',
  });
  mkdirSync(folder, { recursive: true });
  copyFileSync(require.resolve(libheif.from), join(folder, libheif.file));
  writeFileSync(join(folder, 'libheif.cjs'), `module.exports = require('./${libheif.file}')();\n`);
  rmSync(entries, { recursive: true });
  const files = [...Object.keys(metafile.inputs), 'node_modules/libheif-js/package.json'];
  return [...new Set(files.map(packageFolder).filter((path) => path && !path.endsWith('.sosia-bundle')))].sort();
}

/** The name of the module of a package. */
export function fileOf(name) {
  return `${name.replace('@', '').replaceAll('/', '-')}.mjs`;
}

/** A module that exports what the package exports. The names of a CommonJS package are those it has when it is loaded. */
async function entryOf(name) {
  const address = import.meta.resolve(name);
  const ours = await import(address);
  if (isModule(address)) {
    return `export * from '${name}';\n${'default' in ours ? `export { default } from '${name}';\n` : ''}`;
  }
  const names = Object.keys(ours).filter((each) => /^[A-Za-z_$][\w$]*$/.test(each) && each !== 'default');
  return `import whole from '${require.resolve(name)}';\nexport default whole;\nexport const { ${names.join(', ')} } = whole;\n`;
}

function isModule(address) {
  if (/\.[cm]js$/.test(address)) return address.endsWith('.mjs');
  for (let folder = dirname(fileURLToPath(address)); ; folder = dirname(folder)) {
    try {
      return JSON.parse(readFileSync(join(folder, 'package.json'), 'utf8')).type === 'module';
    } catch {
      // the package.json lies further up
    }
  }
}

const separate = {
  name: 'libheif in a file of its own',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^${libheif.name}$`) }, () => ({ path: './libheif.cjs', external: true }));
  },
};

function packageFolder(file) {
  return /^.*node_modules\/(?:@[^/]+\/)?[^/]+/.exec(file)?.[0];
}
