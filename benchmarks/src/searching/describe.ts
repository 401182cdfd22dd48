import { SynchronousPartition, typeDefinitions, type ApplicationType, type Side } from '@sosia/engine';
import { describeAll } from '@sosia/testing/describing/describing';

/** A partition that holds the pictures, numbered in their order; without those that are too plain for a DNA. */
export async function partitionOf(type: ApplicationType, paths: readonly string[]): Promise<SynchronousPartition> {
  const partition = SynchronousPartition.of(typeDefinitions[type]);
  const described = await describeAll(paths.map((path) => ({ path, type, side: 'reference' })));
  described.forEach(({ dna }, image) => dna && partition.add(image, dna));
  return partition;
}

/** The DNA of each picture, which must not be too plain for one. */
export async function dnasOf(type: ApplicationType, paths: readonly string[], side: Side): Promise<Uint8Array[]> {
  const described = await describeAll(paths.map((path) => ({ path, type, side })));
  return described.map(({ dna }, i) => {
    if (!dna) throw new Error(`${paths[i]} is too plain for a DNA`);
    return dna;
  });
}
