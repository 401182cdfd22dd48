// Answers the path of a data folder with what writer.ts left in it: contents by id, as the writer announces them.
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { Failure, openApplicationStore, openImageStore, verify } from '@sosia/server';
import type { ImageStore } from '@sosia/server';
import { answerRequests } from '@sosia/testing/checker';
import { EVENT_KIND, eventIn } from '@sosia/server/store/event-records';
import { application, eventsOf, pictureOf, snapshotFolder } from './history.ts';

await answerRequests(async (folder: string) => {
  const contents: Record<string, string> = {};
  const report = (damage: object): void => void (contents['damage'] = JSON.stringify(damage));
  const applications = openApplicationStore(folder, report);
  for (const { number, ...found } of applications.list())
    contents[`application ${number}`] = isDeepStrictEqual(found, application) ? 'made' : 'altered';
  applications.close();

  const store = await openImageStore(folder, report);
  try {
    await readPictures(store, contents);
    await compareEvents(store, contents);
  } finally {
    await store.close();
  }

  const copy = join(folder, snapshotFolder);
  if (isDataFolder(copy)) {
    const { applications, images, damages } = verify(copy);
    contents['snapshot'] = damages.length === 0 && applications === 1 && images >= 20 ? 'made' : 'altered';
  }
  return contents;
});

/** An unfinished copy is refused for its format file, which comes last. */
function isDataFolder(folder: string): boolean {
  try {
    verify(folder);
    return true;
  } catch (cause) {
    if (cause instanceof Failure && cause.error === 'STORE_FORMAT') return false;
    throw cause;
  }
}

/** A number below the next one that has no picture was given to a picture that has been removed. */
async function readPictures(store: ImageStore, contents: Record<string, string>): Promise<void> {
  const sound = new Map<number, boolean>();
  for await (const batch of store.replay(1)) {
    for (const { number, dna, checksum: _, ...rest } of batch) {
      const { thumbnail: __, ...written } = pictureOf(number);
      sound.set(number, isDeepStrictEqual({ ...rest, dna: new Uint8Array(dna) }, written));
    }
  }
  // the folder is a copy, so it may be written to: what opens must also take the next picture
  const next = await store.append(1, pictureOf(0));
  const thumbnails = await Promise.all(Array.from({ length: next }, (_, number) => store.thumbnail(1, number)));
  for (let number = 1; number < next; number++) {
    const small = thumbnails[number];
    const thumbnail = small && new Uint8Array(small);
    const expected = sound.has(number) ? pictureOf(number).thumbnail : undefined;
    const whole = sound.get(number) !== false && isDeepStrictEqual(thumbnail, expected);
    contents[pictureOf(number).id] = !whole ? 'altered' : sound.has(number) ? 'added' : 'removed';
  }
}

/** Events are there with their pictures, also with those that were removed later, in the order of the additions. */
async function compareEvents(store: ImageStore, contents: Record<string, string>): Promise<void> {
  const records = await store.recordsAfter(1, EVENT_KIND, '', 100_000);
  const found = records.map(({ id, body }) => eventIn(id, body));
  let last = 0;
  for (let number = 1; pictureOf(number).id in contents; number++) {
    const expected = eventsOf(number).map(({ key: _, ...event }) => ({
      ...event,
      number: ++last,
      count: 1,
      repeats: [],
    }));
    const there = found.slice(last - expected.length, last);
    if (!isDeepStrictEqual(there, expected)) contents[pictureOf(number).id] = 'altered';
  }
  if (found.length > last) contents['events'] = 'altered';
}
