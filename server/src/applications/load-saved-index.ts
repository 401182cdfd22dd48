import type { ImageStore } from '../store/image-store.ts';
import { NumberSet } from '../store/saved-index/number-set.ts';
import type { ApplicationRecord } from '../store/store.ts';
import type { Shards } from '../shards/shards.ts';
import { StepQueue } from '../workers/step-queue.ts';
import type { Catalogue } from './catalogue/catalogue.ts';
import type { SavingOptions } from './saving.ts';

/**
 * Fills an empty catalogue and the empty partitions of an application from its saved index, and from the records of
 * the pictures that changed since.
 * @returns the number of pictures that changed since; undefined where there is no saved index
 * @throws Error where the saved index contradicts the store, or cannot be read; some of it is then loaded
 */
export async function loadSavedIndex(
  { number: application, type, network }: ApplicationRecord,
  { images, shards }: { readonly images: ImageStore; readonly shards: Shards },
  { indexes, warn }: SavingOptions,
  catalogue: Catalogue,
  progress: (loaded: number) => void,
): Promise<number | undefined> {
  const held = await images.held(application);
  const index = held && indexes.read(application, { type, network, identity: held.identity });
  if (!index) return undefined;
  const [saved, partitions] = await Promise.all([
    new StepQueue().run(application, () => catalogue.restore(index.catalogue)),
    shards.restore(application, index.partitions),
  ]);

  const { numbers, tally } = held;
  const stored = NumberSet.of(numbers);
  const known = new NumberSet(); // by store and catalogue
  let sum = 0; // of their checksums mod 2³²
  for (const [i, number] of saved.numbers.entries()) {
    if (stored.has(number)) {
      known.add(number);
      sum = (sum + saved.checksums[i]!) >>> 0;
      continue;
    }
    const removed = catalogue.withNumber(number);
    if (removed) catalogue.remove(removed);
  }
  const indexed = new NumberSet(); // besides, in a partition
  for (const part of partitions) {
    if ('fault' in part) warn({ application, what: `a saved partition: ${part.fault}` });
    for (const number of 'images' in part ? part.images : []) {
      if (known.has(number)) indexed.add(number);
      else await shards.remove(application, number);
    }
  }
  progress(catalogue.size);

  const missing = numbers.filter((number) => !indexed.has(number));
  let count = known.size;
  let read = 0;
  for await (const records of images.replay(application, type, network, missing)) {
    const unindexed = records.map(({ number, dna }) => ({ image: number, dna }));
    await shards.add(application, unindexed);
    for (const record of records) {
      if (known.has(record.number)) continue;
      catalogue.add(record);
      sum = (sum + record.checksum) >>> 0;
      count++;
    }
    read += records.length;
    progress(catalogue.size);
  }
  const damaged = missing.length - read;
  if (count + damaged !== tally.count || (damaged === 0 && sum !== tally.sum)) {
    throw new Error(`expected ${tally.count} pictures by the tally, found ${count + damaged} or not the same`);
  }
  return saved.numbers.length - known.size + missing.length;
}
