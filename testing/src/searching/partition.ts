import { SynchronousPartition, typeDefinitions, type ApplicationType, type Side } from '@sosia/engine';
import { describeAll } from '../describing/describing.ts';

/** A partition with these DNAs, numbered in their order. */
export function partitionOf(type: ApplicationType, dnas: readonly (Uint8Array | null)[]): SynchronousPartition {
  const partition = SynchronousPartition.of(typeDefinitions[type]);
  dnas.forEach((dna, image) => dna && partition.add(image, dna));
  return partition;
}

/** A partition with these pictures, numbered in their order; without those that are too plain for a DNA. */
export async function partitionOfFiles(type: ApplicationType, paths: readonly string[]): Promise<SynchronousPartition> {
  const described = await describeAll(paths.map((path) => ({ path, type, side: 'reference' })));
  return partitionOf(
    type,
    described.map(({ dna }) => dna),
  );
}

/** The DNA of each picture, which must not be too plain for one. */
export async function dnasOf(type: ApplicationType, paths: readonly string[], side: Side): Promise<Uint8Array[]> {
  const described = await describeAll(paths.map((path) => ({ path, type, side })));
  return described.map(({ dna }, i) => {
    if (!dna) throw new Error(`${paths[i]} is too plain for a DNA`);
    return dna;
  });
}
