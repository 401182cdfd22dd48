// Bundles the page and its workers into console/dist/site: files of one folder, which the service loads into memory.
import { cpSync, existsSync, mkdirSync, readdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import { remember, unchanged } from './unchanged.mjs';

const here = (path) => fileURLToPath(new URL(`../console/${path}`, import.meta.url));
const site = here('dist/site');
/** Holds what the site was made of. */
const stamp = here('dist/site.stamp');

if (!existsSync(`${site}/console.js`) || !unchanged(stamp)) {
  rmSync(site, { recursive: true, force: true });
  mkdirSync(site, { recursive: true });
  cpSync(here('page'), site, { recursive: true });
  const samples = await writeSamples();
  const bundled = await bundle();
  const pages = readdirSync(here('page'), { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile());
  const files = [...pages.map(({ parentPath, name }) => `${parentPath}/${name}`), ...samples, ...bundled];
  remember(stamp, [...files, fileURLToPath(import.meta.url), here('../package-lock.json')]);
}

/** @returns the files that were read */
async function writeSamples() {
  const { default: sharp } = await import('sharp');
  const { addressOf, sampleCopies, sampleQueries, sampleReferences } = await import('../console/dist/samples.js');
  const all = [...sampleReferences, ...sampleCopies, ...sampleQueries];
  const fileOf = ({ source }) => here(`../fixtures/${source}`);
  await Promise.all(
    all.map((sample) =>
      sharp(fileOf(sample))
        .resize(sample.side, sample.side, { fit: 'inside', withoutEnlargement: true })
        .jpeg({ quality: 78, mozjpeg: true })
        .toFile(`${site}/${addressOf(sample)}`),
    ),
  );
  return [...all.map(fileOf), here('dist/samples.js')];
}

/** @returns the files that were read */
async function bundle() {
  const options = {
    outdir: site,
    bundle: true,
    minify: true,
    format: 'esm',
    target: 'es2022',
    jsx: 'automatic',
    jsxImportSource: 'preact',
    logLevel: 'warning',
    metafile: true,
  };
  const page = { console: here('src/main.tsx'), style: here('src/style/style.css') };
  const workers = { 'dna.worker': here('src/dna/dna.worker.ts'), 'fetch.worker': here('src/intake/fetch.worker.ts') };
  const built = [
    await build({ ...options, entryPoints: page, splitting: true, chunkNames: '[name]-[hash]' }),
    await build({ ...options, entryPoints: workers }),
  ];
  return built.flatMap(({ metafile }) => Object.keys(metafile.inputs));
}
