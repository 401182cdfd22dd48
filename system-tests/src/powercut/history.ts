import type { ApplicationRecord, NewImage } from '@sosia/server';

/** What the writer puts into the store and the checker expects to find: all of it follows from the number. */
export function pictureOf(number: number): NewImage {
  const dna = new Uint8Array(1000 + ((number * 7919) % 13000));
  for (let i = 0; i < dna.length; i++) dna[i] = (number * 31 + i * 17) >> 3;
  const picture = { id: `picture-${number}`, keywords: [`keyword ${number}`, 'powercut'], dna };
  if (number % 3 === 0) return picture;
  return { ...picture, thumbnail: Uint8Array.from({ length: 3000 + ((number * 977) % 5000) }, (_, i) => number + i) };
}

export const application: Omit<ApplicationRecord, 'number'> = {
  keyDigest: '5a'.repeat(32),
  keyHint: 'powe',
  type: 'filter', // its pictures have no DNA that would be checked: bytes of any length serve here
  name: 'powercut',
  enabled: true,
  defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
};

/** Where the snapshot of the workload `snapshot` goes, inside the data folder so that the simulator sees it. */
export const snapshotFolder = 'copy';
