import { join } from 'node:path';
import Database from 'libsql';
import { fail } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { bytesOf, fileNames, openingFailure, prepareFolder, roomIn } from './folder.ts';
import { GroupCommit } from './group-commit.ts';
import type { ReaderJobs } from './image-reader.thread.ts';
import { isDamage } from './image-table.ts';
import type { WriterJobs } from './image-writer.thread.ts';
import { snapshot } from './snapshot.ts';
import type { Damage, ImageStore } from './store.ts';
import { Thread } from './thread.ts';
import { damageOfLog } from './write-ahead-log.ts';

/** Bytes that the largest commit takes, in the log and in the database. */
const ENOUGH = 16 * 2 ** 20;

/**
 * Opens the pictures of a data folder, which is made where there is none, for this process alone. The database is
 * written by one thread and read by another, so that the caller's event loop never waits for the disk.
 *
 * @param onDamage  told of each record that fails its checks, whenever one is met
 * @throws Failure STORE_LOCKED, STORE_FORMAT, STORE_DAMAGED or STORE_UNAVAILABLE
 */
export async function openImageStore(
  folder: string,
  onDamage: (damage: Damage) => void = () => {},
  metrics = new Metrics(),
): Promise<ImageStore> {
  const unlock = await opening(() => {
    prepareFolder(folder);
    return lock(folder);
  });
  const writer = new Thread<WriterJobs>('image-writer.thread');
  const reader = new Thread<ReaderJobs>('image-reader.thread');
  try {
    await opening(async () => {
      const damage = damageOfLog(join(folder, fileNames.images));
      if (damage) onDamage(damage);
      await writer.call('open', folder);
      await reader.call('open', folder);
    });
  } catch (cause) {
    await stop();
    throw cause;
  }

  const commits = new GroupCommit(async (changes) => {
    const outcomes = await metrics.time('commitSeconds', {}, () => writer.call('commit', changes));
    metrics.count('changes', {}, changes.length);
    return outcomes;
  });
  // a full disk is found to have room again without a write, for who waits with writing until it has
  const isWritable = () => !commits.refusal && !(commits.full && roomIn(folder) < ENOUGH);
  metrics.sample('storeWritable', () => [[isWritable() ? 1 : 0]]);
  metrics.sample('storeBytes', async () => [[await bytesOf(folder)]]);
  let closing: Promise<void> | undefined;

  return {
    append(application, { id, keywords, dna, thumbnail }) {
      // copies, because a block may be a view on a much larger one, which the thread would get as a whole
      const image = { id, keywords, dna: new Uint8Array(dna) };
      const all = thumbnail ? { ...image, thumbnail: new Uint8Array(thumbnail) } : image;
      return commits.write({ kind: 'append', application, image: all });
    },
    async remove(application, number) {
      await commits.write({ kind: 'remove', application, number });
    },
    async purge(application) {
      while ((await commits.write({ kind: 'purge', application })) > 0);
    },
    async dna(application, number) {
      const found = await reader.call('dna', { application, number });
      if (!found) throw fail('UNKNOWN_IMAGE', `number ${number}`);
      if (!isDamage(found)) return found;
      onDamage(found);
      throw fail('STORE_DAMAGED', `picture ${number}${found.id === undefined ? '' : ` (${found.id})`}: ${found.what}`);
    },
    async thumbnail(application, number) {
      const found = await reader.call('thumbnail', { application, number });
      if (!found || !isDamage(found)) return found;
      onDamage(found);
      return undefined;
    },
    async *replay(application) {
      const replay = await reader.call('begin', application);
      try {
        let next = reader.call('next', replay);
        for (;;) {
          const { images, damages } = await next;
          damages.forEach(onDamage);
          if (images.length + damages.length === 0) return;
          next = reader.call('next', replay); // read ahead while the caller is busy with this batch
          next.catch(() => {});
          if (images.length > 0) yield images;
        }
      } finally {
        await reader.call('end', replay);
      }
    },
    snapshot: (to) => snapshot(folder, to),
    get state() {
      if (closing) return 'closed';
      return isWritable() ? 'available' : 'read-only';
    },
    close() {
      closing ??= commits.close().then(stop);
      return closing;
    },
  };

  async function stop(): Promise<void> {
    await reader.stop();
    await writer.stop();
    unlock();
  }

  async function opening<T>(open: () => T): Promise<Awaited<T>> {
    try {
      return await open();
    } catch (cause) {
      throw openingFailure(folder, cause);
    }
  }
}

/**
 * Makes a second server on the folder impossible, in this process or another. The lock is the operating system's and
 * ends with the process, however that ends. Reading the lock file with `fs` in this process would give it up (POSIX).
 */
function lock(folder: string): () => void {
  const path = join(folder, fileNames.lock);
  const holder = new Database(path);
  try {
    holder.exec('PRAGMA journal_mode = MEMORY; BEGIN EXCLUSIVE');
  } catch (cause) {
    holder.close();
    if ((cause as { code?: string }).code !== 'SQLITE_BUSY') throw cause;
    throw fail('STORE_LOCKED', folder);
  }
  return () => holder.close(); // at once, since no statement of it was ever prepared
}
