import { readFile } from 'node:fs/promises';
import { PlainPictureError, SynchronousPartition, typeDefinitions, type Side } from '@sosia/engine';
import { decodePicture } from '@sosia/server/decode';
import { search } from '@sosia/testing/searching/search';
import { mean } from '@sosia/testing/statistics';
import sharp from 'sharp';
import type { Answers } from './installed.ts';

const definition = typeDefinitions['media-matching'];

/** The answers of Media Matching, one picture after another: the best one counts if it is a Clone or a Match. */
export async function answersOfSosia(references: readonly string[], queries: readonly string[]): Promise<Answers> {
  sharp.concurrency(1);
  const partition = SynchronousPartition.of(definition);
  const sizes: number[] = [];
  const beforeAdding = processorMs();
  for (const [image, path] of references.entries()) {
    const dna = await described(path, 'reference');
    sizes.push(dna?.length ?? 0);
    if (dna) partition.add(image, dna);
  }
  const beforeSearching = processorMs();
  const best: [number, number][] = [];
  for (const path of queries) {
    const dna = await described(path, 'query');
    const hit = dna ? (await search(partition, dna)).hits[0] : undefined;
    const isMatch = hit !== undefined && ['Clone', 'Match'].includes(hit.info.decision);
    best.push(isMatch ? [hit.image, 1] : [0, 0]);
  }
  return {
    name: 'Sosia',
    bytes: mean(sizes),
    addMs: (beforeSearching - beforeAdding) / references.length,
    searchMs: (processorMs() - beforeSearching) / queries.length,
    best,
    decides: true,
  };
}

/** null for a picture that is too plain. */
async function described(path: string, side: Side): Promise<Uint8Array | null> {
  const picture = await decodePicture(await readFile(path), definition.workingSize, definition.transparency);
  try {
    return definition.describe(picture, side);
  } catch (error) {
    if (error instanceof PlainPictureError) return null;
    throw error;
  }
}

function processorMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}
