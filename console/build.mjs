// Bundles the page and its workers into console/dist/site: files of one folder, which the service loads into memory.
import { cpSync, mkdirSync, rmSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';
import sharp from 'sharp';
import { addressOf, sampleCopies, sampleQueries, sampleReferences } from './dist/samples.js';

const here = (path) => fileURLToPath(new URL(path, import.meta.url));
const site = here('dist/site');

rmSync(site, { recursive: true, force: true });
mkdirSync(site, { recursive: true });
cpSync(here('page'), site, { recursive: true });
await Promise.all(
  [...sampleReferences, ...sampleCopies, ...sampleQueries].map((sample) =>
    sharp(here(`../fixtures/${sample.source}`))
      .resize(sample.side, sample.side, { fit: 'inside', withoutEnlargement: true })
      .jpeg({ quality: 78, mozjpeg: true })
      .toFile(`${site}/${addressOf(sample)}`),
  ),
);
const options = {
  outdir: site,
  bundle: true,
  minify: true,
  format: 'esm',
  target: 'es2022',
  jsx: 'automatic',
  jsxImportSource: 'preact',
  logLevel: 'warning',
};
const page = { console: here('src/main.tsx'), style: here('src/style/style.css') };
await build({ ...options, entryPoints: page, splitting: true, chunkNames: '[name]-[hash]' });
const workers = { 'dna.worker': here('src/dna/dna.worker.ts'), 'fetch.worker': here('src/intake/fetch.worker.ts') };
await build({ ...options, entryPoints: workers });
