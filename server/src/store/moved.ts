import { fail, type Failure } from '../errors.ts';
import { readApplications } from './application-table.ts';
import { inTransaction, type Connection } from './database.ts';
import { openImages } from './open-folder.ts';
import { Statement } from './statement.ts';
import type { ApplicationRecord } from './store.ts';

export function movedFailure(): Failure {
  return fail('APPLICATION_MOVED', 'it was moved, and another place takes them');
}

/** The row of an application that may change: a moved one gets another state, and nothing else. Fails with APPLICATION_MOVED. */
export function changeable(application: ApplicationRecord, change: object = {}): ApplicationRecord {
  if (application.state === 'moved' && !('state' in change)) throw movedFailure();
  return application;
}

/** Reads the numbers of moved applications, and of their records; rows again only after another connection has changed any. */
export function movedReader(applications: Connection): () => ReadonlySet<number> {
  const version = new Statement(applications, 'PRAGMA data_version');
  let seen = NaN;
  let moved: ReadonlySet<number> = new Set();
  return () => {
    const now = version.get<{ data_version: number }>()!.data_version;
    if (now === seen) return moved;
    const rows = readApplications(applications).applications.filter(({ state }) => state === 'moved');
    moved = new Set(rows.flatMap(({ number, origin = number }) => [number, origin]));
    seen = now;
    return moved;
  };
}

/** Every later commit to the pictures of a data folder heeds the states that its applications have before the call. */
export function awaitCommits(folder: string): void {
  const images = openImages(folder);
  inTransaction(images, () => {}); // waits for the commit under way, whose states may be earlier
  images.close();
}
