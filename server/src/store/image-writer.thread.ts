import { join } from 'node:path';
import { openUnchecked, type Connection } from './database.ts';
import { fileNames, noteGeneration } from './folder.ts';
import { beginGeneration, readIdentity, renewLink } from './identity.ts';
import { imageWriter, type Change, type Commit } from './image-table.ts';
import { movedReader } from './moved.ts';
import { openApplications, openImages } from './open-folder.ts';
import type { NewEvent } from './store.ts';
import { structureOf } from './structure.ts';
import { serveThread } from '../workers/thread.ts';

/** Pages of the log at which it is written to the database; SQLite's own default. */
const LOG_PAGES = 1000;
/** Milliseconds after which a change belongs to a finished generation, so that an earlier copy is detected. */
const LONGEST_GENERATION = 60_000;

let folder: string;
let images: Connection | undefined;
let commit: Commit;
/** Undefined if a damaged identity cannot be renewed. */
let applications: Connection | undefined;

let pages = 0;
let due = false;
let ending: NodeJS.Timeout | undefined;
/** A failure that forbids further writes. */
let failure: Error | undefined;

const jobs = {
  open({ folder: opened, identified }: { folder: string; identified: boolean }): void {
    folder = opened;
    images = openImages(folder);
    const path = join(folder, fileNames.applications);
    if (identified && structureOf(openUnchecked(path)).writable) applications = openApplications(folder);
    commit = imageWriter(images, applications && movedReader(applications));
    try {
      renew();
    } catch (cause) {
      if (isFatal(cause)) throw cause;
      due = true;
    }
  },
  commit(changes: readonly Change[]): number[] {
    if (failure) throw failure;
    return guarded(() => {
      if (due) renew();
      pages += changes.reduce((sum, change) => sum + pagesOf(change), 6);
      const outcomes = commit(changes, pages >= LOG_PAGES ? link : undefined);
      if (pages >= LOG_PAGES) emptyLog();
      ending ??= setTimeout(() => renewLater(), LONGEST_GENERATION).unref();
      return outcomes;
    });
  },
  /** Whether nothing has failed. At a clean stop: an earlier copy of a file, taken while the server ran, is of another generation. */
  seal(): boolean {
    if (failure || !images) return false;
    renew();
    images.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    return true;
  },
};
export type WriterJobs = typeof jobs;

serveThread(jobs);

function renew(): void {
  clearTimeout(ending);
  ending = undefined;
  try {
    if (applications && images) {
      beginGeneration(applications, images);
      noteGeneration(folder, readIdentity(applications).generation.count);
    }
  } catch (cause) {
    if (!/^SQLITE_CORRUPT/.test((cause as { code?: string }).code ?? '')) throw cause;
    applications = undefined; // damaged since the start: pictures are stored all the same
  }
  due = false;
}

function renewLater(): void {
  try {
    guarded(renew);
  } catch {
    // the next commit fails for the same cause
  }
}

/** The file that the log is put into differs from all that were here before, whatever their generation. */
function link(): void {
  if (applications && images) renewLink(images);
}

/** A new round of the log begins with a new generation, which reveals a log that is lost or of another database. */
function emptyLog(): void {
  try {
    images?.exec('PRAGMA wal_checkpoint(PASSIVE)');
  } catch {
    return; // the log still has all of it, as after a failed checkpoint of SQLite itself
  }
  pages = 0;
  due = true;
}

/** Records a failure after which the state of the disk is unknown. */
function guarded<T>(work: () => T): T {
  try {
    return work();
  } catch (cause) {
    if (isFatal(cause)) failure = cause as Error;
    throw cause;
  }
}

/** Not for lack of space or for damage: then SQLite has rolled back. */
function isFatal(cause: unknown): boolean {
  return !/^SQLITE_(FULL|CORRUPT|CONSTRAINT|MISMATCH)/.test((cause as { code?: string }).code ?? '');
}

/** An estimate: small changes of one commit share pages. */
function pagesOf(change: Change): number {
  if (change.kind === 'purge') return LOG_PAGES / 2;
  if (change.kind === 'records') {
    return change.changes.reduce((sum, { body }) => sum + (500 + (body?.length ?? 0)) / 4096, 0);
  }
  if (change.kind === 'events') return pagesOfEvents(change.events);
  if (change.kind === 'forget') return LOG_PAGES / 2;
  if (change.kind === 'remove') return 1;
  const { dna, thumbnail, events } = change.image;
  return (1000 + dna.length + (thumbnail?.length ?? 0)) / 4096 + pagesOfEvents(events?.events ?? []);
}

function pagesOfEvents(events: readonly NewEvent[]): number {
  return events.reduce((sum, { info }) => sum + (1000 + info.length) / 4096, 0);
}
