import { readFileSync, readdirSync } from 'node:fs';
import { join } from 'node:path';
import type { Sosia } from '@sosia/client';
import { samplesFolder } from '@sosia/fixtures';

/** A photograph of the repository with its DNA in the application that it was added to. */
export interface Sample {
  readonly id: string;
  readonly file: Uint8Array;
  readonly dna: Uint8Array;
}

/** Paths of the photographs of the repository. */
export const samplePaths: readonly string[] = sampleIds().map((name) => join(samplesFolder, name));

/** Their ids: the names of their files. */
export function sampleIds(count = Infinity): string[] {
  const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
  return names.slice(0, count);
}

export function sampleFile(id: string): Uint8Array {
  return readFileSync(join(samplesFolder, id));
}

/**
 * Adds photographs one after another.
 * @param add  how to add one, where the test does more than that
 */
export async function addSamples(
  client: Sosia,
  count = Infinity,
  add: (id: string, file: Uint8Array) => Promise<unknown> = (id, file) => client.add(id, file),
): Promise<Sample[]> {
  const samples: Sample[] = [];
  for (const id of sampleIds(count)) {
    const file = sampleFile(id);
    await add(id, file);
    samples.push({ id, file, dna: await client.dna(id) });
  }
  return samples;
}
