// The service and the command `sosia` as few files, with the packages of JavaScript that they use. A process reads a few dozen files
// instead of three hundred, so a start takes six tenths of the processor time. An installation fetches a dozen packages, whose versions are those of the release.
import { copyFileSync, mkdirSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { basename, join, relative, sep } from 'node:path';
import { build } from 'esbuild';
import { root } from './code.mjs';

const require = createRequire(join(root, 'server/package.json'));
/** Packages with native code, which are installed beside this one. */
export const installed = ['libsql', 'sharp'];
/** Parts of packages that are there on some systems only, and packages that a user may add. */
const optional = ['@koromix/*', 'onnxruntime-web'];
/** Under the LGPL: a file of its own, unchanged, so that another version can take its place. */
const libheif = { name: 'libheif-js/wasm-bundle', from: 'libheif-js/libheif-wasm/libheif-bundle.js' };

/** Scripts of threads and child processes, and modules that a child loads before its script: `new URL('./x.js', import.meta.url)`. */
const started = /\bnew URL\('\.\/([^'\n]+\.js)', import\.meta\.url\)/g;
const isCompiled = /\/dist\/.*\.js$/;
/** They may name themselves. */
const isScript = /\.(?:thread|child)\.js$/;

/**
 * Writes `index.js`, with what `cli/dist/index.js` exports, beside the scripts it starts and what they share.
 * @param folder  cli/dist/bundle
 * @returns the files that were read
 */
export async function bundleService(folder) {
  rmSync(folder, { recursive: true, force: true });
  const { metafile } = await build({
    entryPoints: [join(root, 'cli/dist/index.js'), ...scripts()],
    outdir: folder,
    bundle: true,
    splitting: true,
    entryNames: '[name]',
    chunkNames: 'shared-[hash]',
    format: 'esm',
    platform: 'node',
    target: 'node20',
    minifySyntax: true,
    minifyWhitespace: true, // names stay, for stack traces
    legalComments: 'none', // LICENSES.txt has the whole texts
    banner: { js: "import{createRequire as _cr}from'node:module';const require=_cr(import.meta.url);" },
    metafile: true,
    absWorkingDir: root,
    external: [...installed, ...optional],
    plugins: [separate, placed],
    logLevel: 'warning',
  });
  mkdirSync(folder, { recursive: true });
  copyFileSync(require.resolve(libheif.from), join(folder, 'libheif-bundle.cjs'));
  writeFileSync(join(folder, 'libheif.cjs'), `module.exports = require('./libheif-bundle.cjs')();\n`);
  return [...Object.keys(metafile.inputs), relative(root, require.resolve(libheif.from))];
}

/** The compiled modules of the service that `started` names. */
function scripts() {
  const folder = join(root, 'server/dist');
  const modules = readdirSync(folder, { recursive: true }).filter((name) => /(?<!\.test.*)\.js$/.test(name));
  return modules.flatMap((name) => {
    const text = readFileSync(join(folder, name), 'utf8');
    return [...text.matchAll(started)].map(([, script]) => join(folder, name, '..', script));
  });
}

const separate = {
  name: 'libheif in a file of its own',
  setup({ onResolve }) {
    onResolve({ filter: new RegExp(`^${libheif.name}$`) }, () => ({ path: './libheif.cjs', external: true }));
  },
};

/** Addresses of scripts lead into the folder, those of other files to where they lie beside the compiled module. */
const placed = {
  name: 'addresses of files',
  setup({ onLoad }) {
    onLoad({ filter: isCompiled }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (isScript.test(path) || path.includes('node_modules') || !text.includes('import.meta.url')) return undefined;
      const place = relative(join(root, 'cli/dist/bundle'), path).split(sep).join('/');
      const contents = text
        .replaceAll(started, (_, script) => `new URL('./${basename(script)}', import.meta.\0url)`)
        .replaceAll('import.meta.url', `new URL('${place}', import.meta.url).href`)
        .replaceAll('\0', '');
      return { contents };
    });
  },
};
