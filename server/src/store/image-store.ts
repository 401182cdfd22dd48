import { statSync } from 'node:fs';
import { join } from 'node:path';
import { fail } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { bytesOf, fileNames, isDamaged, openingFailure, roomIn } from './folder.ts';
import { GroupCommit } from './group-commit.ts';
import type { ReaderJobs } from './image-reader.thread.ts';
import { isDamage } from './image-reader.ts';
import type { WriterJobs } from './image-writer.thread.ts';
import { lockFolder } from './lock.ts';
import { openFolder } from './open-folder.ts';
import { snapshot } from './snapshot.ts';
import type { Damage, ImageStore } from './store.ts';
import { Thread } from '../workers/thread.ts';
import { damageOfLog } from './write-ahead-log.ts';

/** Bytes of the largest commit, in the log and in the database. */
const ENOUGH = 16 * 2 ** 20;

/** Faults of the structure that are reported one by one; `sosia verify` lists all. */
const MOST_FAULTS = 20;

/**
 * Opens the pictures of a data folder, which is created if missing, for this process alone. One thread writes the
 * database and another reads it, so that the event loop of the caller never waits for the disk.
 *
 * A damaged database is opened if any of it is readable, and read-only if a change could spread the damage.
 *
 * @param onDamage  called for each record that fails its checks, at each detection
 * @throws Failure STORE_LOCKED, STORE_FORMAT, STORE_DAMAGED or STORE_UNAVAILABLE
 */
export async function openImageStore(
  folder: string,
  onDamage: (damage: Damage) => void = () => {},
  metrics = new Metrics(),
): Promise<ImageStore> {
  let identified = false;
  const unlock = await opening(() => {
    identified = openFolder(folder, onDamage).identified;
    return lockFolder(folder);
  });
  const writer = new Thread<WriterJobs>(new URL('./image-writer.thread.js', import.meta.url));
  const reader = new Thread<ReaderJobs>(new URL('./image-reader.thread.js', import.meta.url));
  const aside = new Map<number, Damage[]>();
  let unsafe = '';
  try {
    await opening(async () => {
      const path = join(folder, fileNames.images);
      const damage = damageOfLog(path);
      if (damage) report(damage);
      if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) {
        const { faults, writable } = await reader.remote.examine(folder);
        for (const what of faults.slice(0, MOST_FAULTS)) report({ file: fileNames.images, what });
        if (!writable) unsafe = faults[0]!;
      }
      if (!unsafe) await writer.remote.open({ folder, identified }).catch(becomeReadOnly);
      await reader.remote.open(folder);
    });
  } catch (cause) {
    await stop();
    throw cause;
  }

  /** The existing data can be read all the same. */
  function becomeReadOnly(cause: Error & { code?: string }): void {
    if (!isDamaged(cause)) throw cause;
    unsafe = cause.message;
    report({ file: fileNames.images, what: cause.message });
  }

  function report(damage: Damage): void {
    const { application, number, numbers } = damage;
    if (application !== undefined && (number !== undefined || numbers)) {
      const known = aside.get(application) ?? [];
      const again = known.some((it) => it.number === number && it.numbers?.from === numbers?.from);
      if (!again && damage.records !== 0) aside.set(application, [...known, damage]);
    }
    onDamage(damage);
  }

  const commits = new GroupCommit(async (changes) => {
    const outcomes = await metrics.time('commitSeconds', {}, () => writer.remote.commit(changes));
    metrics.count('changes', {}, changes.length);
    return outcomes;
  });
  // detects free space without a write, for callers that wait for space
  if (unsafe) {
    commits.refusal = `${fileNames.images} is damaged (${unsafe}), and a change could spread it; stop the server and run \`sosia repair\``;
  }
  const isWritable = () => !commits.refusal && !(commits.full && roomIn(folder) < ENOUGH);
  metrics.sample('storeWritable', () => [[isWritable() ? 1 : 0]]);
  metrics.sample('storeBytes', async () => [[await bytesOf(folder)]]);
  let closing: Promise<void> | undefined;

  return {
    append(application, { id, keywords, dna, thumbnail }) {
      // copies, because a block may be a view of a much larger one, which would be transferred as a whole
      const image = { id, keywords, dna: new Uint8Array(dna) };
      const all = thumbnail ? { ...image, thumbnail: new Uint8Array(thumbnail) } : image;
      return commits.write({ kind: 'append', application, image: all });
    },
    async remove(application, number) {
      await commits.write({ kind: 'remove', application, number });
      const known = aside.get(application);
      if (known) {
        aside.set(
          application,
          known.filter((damage) => damage.number !== number),
        );
      }
    },
    async purge(application) {
      while ((await commits.write({ kind: 'purge', application })) > 0);
    },
    async dna(application, number) {
      const found = await reader.remote.dna({ application, number });
      if (!found) throw fail('UNKNOWN_IMAGE', `number ${number}`);
      if (!isDamage(found)) return found;
      report(found);
      throw fail('STORE_DAMAGED', `picture ${number}${found.id === undefined ? '' : ` (${found.id})`}: ${found.what}`);
    },
    async thumbnail(application, number) {
      const found = await reader.remote.thumbnail({ application, number });
      if (!found || !isDamage(found)) return found;
      report(found);
      return undefined;
    },
    setAside: (application) => aside.get(application) ?? [],
    async *replay(application, type) {
      const replay = await reader.remote.begin({ application, type });
      try {
        let next = reader.remote.next(replay);
        for (;;) {
          const { images, damages } = await next;
          damages.forEach(report);
          if (images.length + damages.length === 0) return;
          next = reader.remote.next(replay); // read ahead while the caller processes this batch
          next.catch(() => {});
          if (images.length > 0) yield images;
        }
      } finally {
        await reader.remote.end(replay);
      }
    },
    snapshot: (to) => snapshot(folder, to),
    get state() {
      if (closing) return 'closed';
      return isWritable() ? 'available' : 'read-only';
    },
    close() {
      closing ??= commits
        .close()
        .then(() => writer.remote.seal())
        .then(stop, stop);
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
      throw openingFailure(join(folder, fileNames.images), cause);
    }
  }
}
