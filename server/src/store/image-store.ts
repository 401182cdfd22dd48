import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { ApplicationType, NetworkIdentity } from '@sosia/engine';
import { fail } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { bytesOf, fileNames, isDamaged, openingFailure, roomIn } from './folder.ts';
import { GroupCommit } from './group-commit.ts';
import type { Identity } from './identity.ts';
import type { ReaderJobs } from './image-reader.thread.ts';
import { isDamage, type Held } from './image-reader.ts';
import { MOVED, type Change } from './image-table.ts';
import type { WriterJobs } from './image-writer.thread.ts';
import { lockFolder } from './lock.ts';
import { movedFailure } from './moved.ts';
import { openFolder } from './open-folder.ts';
import { checkPages } from './page-check.ts';
import { snapshot } from './snapshot.ts';
import type { Structure } from './structure.ts';
import { removeLogs } from './remove-logs.ts';
import { SetAside } from './set-aside.ts';
import type {
  Damage,
  Details,
  NewEvents,
  NewImage,
  RecordChange,
  RecordStore,
  StoredImage,
  StoredRecord,
} from './store.ts';
import { Thread, type Remote } from '../workers/thread.ts';
import { damageOfLog } from './write-ahead-log.ts';

/** Bytes of the largest commit, in the log and in the database. */
const MAX_COMMIT_BYTES = 16 * 2 ** 20;

/** Bytes of a database whose check takes longer than a start with a saved index; some 75,000 pictures. */
const LARGE_DATABASE_BYTES = 2 ** 30;

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
  const store = await lockImageStore(folder, onDamage, metrics);
  await store.open();
  return store;
}

/** Opens the pictures of a data folder to read them, beside a server that changes them. Large databases are not checked. */
export async function readImageStore(folder: string, onDamage: (damage: Damage) => void): Promise<ImageStore> {
  const identified = await opening(folder, () => openFolder(folder, onDamage).identified);
  const store = new ImageStore(folder, onDamage, new Metrics(), { unlock: () => {}, identified, isReader: true });
  await store.open(true);
  return store;
}

/** As `openImageStore`, without the check of all pages, which takes long in a large folder: `open` makes it. */
export async function lockImageStore(
  folder: string,
  onDamage: (damage: Damage) => void,
  metrics: Metrics,
): Promise<ImageStore> {
  let identified = false;
  const unlock = await opening(folder, () => {
    identified = openFolder(folder, onDamage).identified;
    return lockFolder(folder);
  });
  return new ImageStore(folder, onDamage, metrics, { unlock, identified });
}

/** The reference pictures of all applications of a data folder; one server locks it at a time. */
export class ImageStore implements RecordStore {
  readonly #folder: string;
  readonly #onDamage: (damage: Damage) => void;
  readonly #unlock: () => void;
  readonly #identified: boolean;
  readonly #writer = new Thread<WriterJobs>(new URL('./image-writer.thread.js', import.meta.url));
  readonly #reader = new Thread<ReaderJobs>(new URL('./image-reader.thread.js', import.meta.url));
  readonly #aside = new SetAside();
  readonly #commits: GroupCommit;
  readonly #checking = new AbortController();
  /** Whether the pages are still to be checked. */
  #unchecked = false;
  #isOpen = false;
  #closing: Promise<void> | undefined;

  /**
   * To be made by `openImageStore` or `lockImageStore`.
   * @param identified  whether the files have the identity of the folder
   * @param isReader  whether another process may change it
   */
  constructor(
    folder: string,
    onDamage: (damage: Damage) => void,
    metrics: Metrics,
    { unlock, identified, isReader = false }: { unlock: () => void; identified: boolean; isReader?: boolean },
  ) {
    this.#folder = folder;
    this.#onDamage = onDamage;
    this.#unlock = unlock;
    this.#identified = identified;
    this.#commits = new GroupCommit(async (changes) => {
      const outcomes = await metrics.time('commitSeconds', {}, () => this.#writer.remote.commit(changes));
      metrics.count('changes', {}, changes.length);
      return outcomes;
    });
    if (isReader) this.#commits.refusal = 'this process only reads it';
    metrics.sample('storeWritable', () => [[this.#isWritable ? 1 : 0]]);
    metrics.sample('storeBytes', async () => [[await bytesOf(folder)]]);
  }

  /**
   * Checks all pages of the database and opens it. Until then reads and changes fail with LOADING.
   * @param hurried  whether the check of a large database is left to `check`
   */
  async open(hurried = false): Promise<void> {
    try {
      await opening(this.#folder, () => this.#open(hurried));
    } catch (cause) {
      await (this.#closing ??= this.#stop().then(this.#unlock));
      throw cause;
    }
  }

  async #open(hurried: boolean): Promise<void> {
    const path = join(this.#folder, fileNames.images);
    const damage = damageOfLog(path);
    if (damage) this.#report(damage);
    const size = statSync(path, { throwIfNoEntry: false })?.size ?? 0;
    this.#unchecked = hurried && size > LARGE_DATABASE_BYTES;
    if (size > 0 && !this.#unchecked) this.#judge(await this.#reader.remote.examine(this.#folder));
    if (!this.#commits.refusal) await this.#openWriter();
    await this.#reader.remote.open(this.#folder);
    this.#isOpen = true;
  }

  /** The ports answer before the folder is open: neither thread can work until then, and a failed write would end all later ones. */
  #requireOpen(): void {
    if (!this.#isOpen) throw fail('LOADING', 'the data folder is checked first');
  }

  async #write(change: Change): Promise<number> {
    this.#requireOpen();
    const outcome = await this.#commits.write(change);
    if (outcome === MOVED) throw movedFailure();
    return outcome;
  }

  get #stored(): Remote<ReaderJobs> {
    this.#requireOpen();
    return this.#reader.remote;
  }

  /** Checks all pages of a database that was opened without. Resolves when the check has ended, at the latest at `close`. */
  async check(): Promise<void> {
    if (!this.#unchecked || this.#closing) return;
    this.#unchecked = false;
    const structure = await checkPages(this.#folder, this.#checking.signal);
    if (structure) this.#judge(structure);
  }

  #judge({ faults, writable }: Structure): void {
    for (const what of faults.slice(0, MOST_FAULTS)) this.#report({ file: fileNames.images, what });
    if (!writable) this.#refuseChanges(faults[0]!);
  }

  /**
   * Resolves once the picture would survive a power cut. Concurrent writes share one commit. Rejects with `Failure`
   * STORE_… if it was not written. After STORE_FULL the next write is tried. After STORE_DAMAGED only changes that need
   * the damaged page are refused. After any other failure every later write rejects too.
   */
  append(application: number, image: NewImage): Promise<number> {
    return this.#write({ kind: 'append', application, image: detached(image) });
  }

  /** Adds a picture in place of another one, in one step; as `append`. */
  async replace(application: number, number: number, image: NewImage): Promise<number> {
    const outcome = await this.#write({ kind: 'replace', application, number, image: detached(image) });
    if (outcome === 0) throw fail('UNKNOWN_IMAGE', image.id);
    return outcome;
  }

  /** Resolves once the removal would survive a power cut. Removing an unknown number has no effect. */
  async remove(application: number, number: number): Promise<void> {
    await this.#write({ kind: 'remove', application, number });
    this.#aside.remove(application, number);
  }

  /** Removes the remaining data of a deleted application, in small commits between those of others, until `close`. */
  async purge(application: number): Promise<void> {
    while (!this.#closing && (await this.#write({ kind: 'purge', application })) > 0);
  }

  /** The number of pictures of an application, for a progress report; 0 if it cannot be read. */
  async count(application: number): Promise<number> {
    return this.#stored.count(application);
  }

  /** Of the data folder at this moment; undefined if it cannot be read. */
  async identity(): Promise<Identity | undefined> {
    return this.#stored.identity();
  }

  /** What the store holds of an application; undefined if that cannot be read, or is in doubt. */
  async held(application: number): Promise<Held | undefined> {
    return this.#stored.held(application);
  }

  /** Those of the pictures that are there and sound; the others that are there are reported. */
  async images(application: number, numbers: readonly number[]): Promise<StoredImage[]> {
    const found = await this.#stored.images({ application, numbers });
    found.filter(isDamage).forEach((damage) => this.#report(damage));
    return found.filter((each): each is StoredImage => !isDamage(each));
  }

  /** Rejects with UNKNOWN_IMAGE for an unknown number, STORE_DAMAGED for a record that fails its checksum. */
  async dna(application: number, number: number): Promise<Uint8Array> {
    const found = await this.#stored.dna({ application, number });
    if (!found) throw fail('UNKNOWN_IMAGE', `number ${number}`);
    if (!isDamage(found)) return found;
    this.#report(found);
    throw fail('STORE_DAMAGED', `picture ${number}${found.id === undefined ? '' : ` (${found.id})`}: ${found.what}`);
  }

  /** Undefined for a picture without one, or if it fails its checksum, which is reported. */
  async thumbnail(application: number, number: number): Promise<Uint8Array | undefined> {
    const found = await this.#stored.thumbnail({ application, number });
    if (!found || !isDamage(found)) return found;
    this.#report(found);
    return undefined;
  }

  /** Undefined for a picture without any. */
  async details(application: number, number: number): Promise<Details | undefined> {
    const body = await this.#stored.details({ application, number });
    return body && (JSON.parse(new TextDecoder().decode(body)) as Details);
  }

  async records(application: number, kind: string): Promise<StoredRecord[]> {
    return this.#stored.records({ application, kind });
  }

  async record(application: number, kind: string, id: string): Promise<StoredRecord | undefined> {
    return this.#stored.record({ application, kind, id });
  }

  /** At most `count` of those whose id is behind `after`, by id; damaged ones are left out. Empty only at the end. */
  async recordsAfter(application: number, kind: string, after: string, count: number): Promise<StoredRecord[]> {
    return this.#stored.recordsAfter({ application, kind, after, count });
  }

  /** The sound one with the highest id. */
  async lastRecord(application: number, kind: string): Promise<StoredRecord | undefined> {
    return this.#stored.lastRecord({ application, kind });
  }

  /** Durable once resolved, as `append`. @returns the number of events that repeat no other */
  async addEvents({ application, events }: NewEvents): Promise<number> {
    return this.#write({ kind: 'events', application, events });
  }

  async changeRecords(application: number, changes: readonly RecordChange[]): Promise<void> {
    const done = await this.#write({ kind: 'records', application, changes });
    if (done === 0) throw fail('CONFLICT', changes.map(({ kind, id }) => `${kind} ${id}`).join(', '));
  }

  /** Removes all records of these applications, unless the store closes, as `purge` does; the next start repeats both. */
  async forget(applications: readonly number[]): Promise<void> {
    if (!this.#closing) await this.#write({ kind: 'forget', application: 0, applications });
  }

  /** The pictures of an application found damaged and not removed since, each once. */
  setAside(application: number): readonly Damage[] {
    return this.#aside.of(application);
  }

  /**
   * Every picture of an application at the beginning of the replay, in the order of addition, in batches. A record that
   * fails its checks is reported, not returned.
   * @param type  of the application, for the check of the DNA
   * @param network  of the application, for the same
   * @param some  these pictures alone, ascending
   */
  async *replay(
    application: number,
    type?: ApplicationType,
    network?: NetworkIdentity,
    some?: Uint32Array,
  ): AsyncGenerator<StoredImage[], void> {
    const remote = this.#stored;
    const replay = await remote.begin({ application, type, network, some });
    try {
      let next = remote.next(replay);
      for (;;) {
        const { images, damages } = await next;
        for (const damage of damages) this.#report(damage);
        if (images.length + damages.length === 0) return;
        next = remote.next(replay); // read ahead while the caller processes this batch
        next.catch(() => {});
        if (images.length > 0) yield images;
      }
    } finally {
      await remote.end(replay);
    }
  }

  /**
   * Writes a copy of the data folder into an empty or missing folder beside a running server. The copy has every change
   * resolved before the call; later ones may be in it. Rejects with SNAPSHOT_FAILED.
   */
  snapshot(folder: string): Promise<void> {
    return snapshot(this.#folder, folder);
  }

  /**
   * `read-only` while the disk is full, permanently after a write that failed for another cause, and if damage makes
   * any change a risk to sound data.
   */
  get state(): 'available' | 'read-only' | 'closed' {
    if (this.#closing) return 'closed';
    return this.#isWritable ? 'available' : 'read-only';
  }

  close(): Promise<void> {
    this.#checking.abort();
    this.#closing ??= this.#end();
    return this.#closing;
  }

  async #end(): Promise<void> {
    const isSound = !this.#commits.refusal;
    await this.#commits.close();
    const isSealed = isSound && (await this.#writer.remote.seal().catch(() => false));
    await this.#stop();
    if (isSealed) await removeLogs(this.#folder).catch(() => {}); // the logs have everything
    this.#unlock();
  }

  /** Ends the threads. */
  async #stop(): Promise<void> {
    await this.#reader.stop();
    await this.#writer.stop();
  }

  async #openWriter(): Promise<void> {
    try {
      await this.#writer.remote.open({ folder: this.#folder, identified: this.#identified });
    } catch (cause) {
      if (!isDamaged(cause)) throw cause;
      const what = (cause as Error).message;
      this.#refuseChanges(what); // the existing data can be read all the same
      this.#report({ file: fileNames.images, what });
    }
  }

  #refuseChanges(what: string): void {
    this.#commits.refusal = `${fileNames.images} is damaged (${what}), and a change could spread it; stop the server and run \`sosia repair\``;
  }

  #report(damage: Damage): void {
    this.#aside.add(damage);
    this.#onDamage(damage);
  }

  /** Detects free space without a write, for callers that wait for space. */
  get #isWritable(): boolean {
    return !this.#commits.refusal && !(this.#commits.full && roomIn(this.#folder) < MAX_COMMIT_BYTES);
  }
}

/** With copies of the bytes: a block may be a view of a much larger one, which would be transferred as a whole. */
function detached({ dna, thumbnail, ...rest }: NewImage): NewImage {
  return { ...rest, dna: new Uint8Array(dna), thumbnail: thumbnail && new Uint8Array(thumbnail) };
}

async function opening<T>(folder: string, open: () => T): Promise<Awaited<T>> {
  try {
    return await open();
  } catch (cause) {
    throw openingFailure(join(folder, fileNames.images), cause);
  }
}
