// Reads a data folder a line and answers, in a line of JSON, which changes of powercut-writer.ts it shows.
import { join } from 'node:path';
import { createInterface } from 'node:readline';
import { isDeepStrictEqual } from 'node:util';
import { Failure, openApplicationStore, openImageStore, verify } from '@sosia/server';
import type { ImageStore } from '@sosia/server';
import { application, pictureOf, snapshotFolder } from './history.ts';

interface Finding {
  /** The changes that are visible. */
  readonly ids: string[];
  /** Something is there and not as it was written. */
  bad: boolean;
}

for await (const folder of createInterface({ input: process.stdin })) {
  const answer = await check(folder).catch((cause: Error) => ({ error: cause.message }));
  process.stdout.write(`${JSON.stringify(answer)}\n`);
  globalThis.gc?.();
}

async function check(folder: string): Promise<Finding> {
  const finding: Finding = { ids: ['open'], bad: false };
  const damaged = (): void => void (finding.bad = true);

  const applications = openApplicationStore(folder, damaged);
  for (const { number, ...found } of applications.list()) {
    finding.ids.push('application');
    if (number !== 1 || !isDeepStrictEqual(found, application)) damaged();
  }
  applications.close();

  const store = await openImageStore(folder, damaged);
  await checkPictures(store, finding).finally(() => store.close());

  const copy = join(folder, snapshotFolder);
  if (isDataFolder(copy)) {
    finding.ids.push('snapshot');
    const { applications, images, damages } = verify(copy);
    if (damages.length > 0 || applications !== 1 || images < 20) damaged();
  }
  return finding;
}

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

/** A number up to the highest that was given and has no picture has been added and removed. */
async function checkPictures(store: ImageStore, finding: Finding): Promise<void> {
  const present = new Set<number>();
  for await (const batch of store.replay(1)) {
    for (const { number, dna, ...rest } of batch) {
      present.add(number);
      const { thumbnail: _, ...written } = pictureOf(number);
      if (!isDeepStrictEqual({ ...rest, dna: new Uint8Array(dna) }, written)) finding.bad = true;
    }
  }
  // the state is a copy, so it may be written to: what opens must also take the next picture
  const next = await store.append(1, pictureOf(0));
  const thumbnails = await Promise.all(Array.from({ length: next }, (_, number) => store.thumbnail(1, number)));
  for (let number = 1; number < next; number++) {
    finding.ids.push(`add-${number}`);
    if (!present.has(number)) finding.ids.push(`remove-${number}`);
    const thumbnail = thumbnails[number];
    const expected = present.has(number) ? pictureOf(number).thumbnail : undefined;
    if (!isDeepStrictEqual(thumbnail && new Uint8Array(thumbnail), expected)) finding.bad = true;
  }
}
