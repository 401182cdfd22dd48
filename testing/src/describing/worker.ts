import { readFile } from 'node:fs/promises';
import { parentPort } from 'node:worker_threads';
import { PlainPictureError, typeDefinitions } from '@sosia/engine';
import { decodePicture } from '@sosia/server/decode';
import sharp from 'sharp';
import { varied } from '../pictures/variations.ts';
import type { Described, DescribeJob } from './describing.ts';

sharp.concurrency(1); // as in the service: one picture, one core

parentPort!.on('message', (job: DescribeJob) => void describe(job).then((answer) => parentPort!.postMessage(answer)));

async function describe({ path, type, side, variation = 0 }: DescribeJob): Promise<Described> {
  const definition = typeDefinitions[type];
  const content = await readFile(path);
  const start = performance.now();
  const decoded = await decodePicture(content, definition.workingSize, definition.transparency);
  const decodeMs = performance.now() - start;
  const picture = variation === 0 ? decoded : await varied(decoded, path, variation);

  const begin = performance.now();
  try {
    const dna = definition.describe(picture, side);
    return { dna, decodeMs, describeMs: performance.now() - begin };
  } catch (error) {
    if (!(error instanceof PlainPictureError)) throw error;
    return { dna: null, decodeMs, describeMs: performance.now() - begin };
  }
}
