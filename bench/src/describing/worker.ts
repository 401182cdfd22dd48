import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { PlainPictureError, recipes } from '@sosia/engine';
import sharp from 'sharp';
import { rasterOf } from '../pictures/raster.ts';
import { varied } from '../pictures/variations.ts';
import type { Described, DescribeJob } from './describing.ts';

parentPort!.on('message', async (job: DescribeJob) => parentPort!.postMessage(await describe(job)));

async function describe({ path, type, side, variation = 0 }: DescribeJob): Promise<Described> {
  const recipe = recipes[type]!;
  const content = await readFile(path);
  const start = performance.now();
  const decoded = await rasterOf(sharp(content));
  const decodeMs = performance.now() - start;
  const { width, height, rgb } = await varied(decoded, path, variation);
  const pixels = new Uint8Array(rgb);

  const begin = performance.now();
  try {
    const dna = recipe.describe({ width, height, rgb: pixels, originalWidth: width, originalHeight: height }, side);
    return { dna, decodeMs, describeMs: performance.now() - begin };
  } catch (error) {
    if (!(error instanceof PlainPictureError)) throw error;
    return { dna: null, decodeMs, describeMs: performance.now() - begin };
  }
}
