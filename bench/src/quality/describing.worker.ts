import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { PlainPictureError, recipes } from '@sosia/engine';
import sharp from 'sharp';
import type { Described, DescribeJob } from './describing.ts';
import { rasterOf } from './raster.ts';

parentPort!.on('message', async (job: DescribeJob) => parentPort!.postMessage(await describe(job)));

async function describe({ path, type, side }: DescribeJob): Promise<Described> {
  const recipe = recipes[type]!;
  const content = await readFile(path);
  const start = performance.now();
  const { width, height, rgb } = await rasterOf(sharp(content));
  const decoded = performance.now();
  const times = () => ({ decodeMs: decoded - start, describeMs: performance.now() - decoded });
  const pixels = new Uint8Array(rgb);
  try {
    const dna = recipe.describe({ width, height, rgb: pixels, originalWidth: width, originalHeight: height }, side);
    return { dna, ...times() };
  } catch (error) {
    if (error instanceof PlainPictureError) return { dna: null, ...times() };
    throw error;
  }
}
