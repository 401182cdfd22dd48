import { createHash } from 'node:crypto';
import type { ApplicationRecord, NewImage } from '@sosia/server';

/** The picture that the writer adds under a number and the checker expects there. */
export function pictureOf(number: number): NewImage {
  const dna = new Uint8Array(1000 + ((number * 7919) % 13000));
  for (let i = 0; i < dna.length; i++) dna[i] = (number * 31 + i * 17) >> 3;
  const picture = { id: `picture-${number}`, keywords: [`keyword ${number}`, 'powercut'], dna };
  if (number % 3 === 0) return picture;
  return { ...picture, thumbnail: Uint8Array.from({ length: 3000 + ((number * 977) % 5000) }, (_, i) => number + i) };
}

/** Two events of each second picture, which are part of the commit of the picture. */
export function eventsOf(number: number) {
  const event = {
    watched: 'w',
    image: pictureOf(number).id,
    at: '2026-01-01T00:00:00.000Z',
    score: 0,
    similarity: 100,
  };
  const of = (search: string) => ({ ...event, key: `${number} ${search}`, search, decision: 'Clone', info: '' });
  return number % 2 === 0 ? [] : [of('a'), of('b')];
}

export const application: Omit<ApplicationRecord, 'number'> = {
  keys: [],
  type: 'filter', // its pictures have no DNA that would be checked: bytes of any length serve here
  name: 'powercut',
  enabled: true,
  defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
};

/** Where the snapshot of the workload `snapshot` goes, inside the data folder so that the simulator sees it. */
export const snapshotFolder = 'copy';

/** First keyword of a picture over HTTP, so that a checker can compare the DNA with what was sent. */
export function digestOf(dna: Uint8Array): string {
  return createHash('sha256').update(dna).digest('hex');
}
