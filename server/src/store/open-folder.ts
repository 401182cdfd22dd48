import { join } from 'node:path';
import { inTransaction, openDatabase, type Connection } from './database.ts';
import { fileNames, makePrivate, prepareFolder, syncFolder, writeFormat } from './folder.ts';
import { hasIdentity, newIdentity, readIdentity, writeIdentity } from './identity.ts';
import { requireWhole, type Inspection } from './inspection.ts';
import { RowDigestTable } from './row-digests.ts';
import { applicationSchema, imageSchema } from './schema.ts';
import type { Damage } from './store.ts';

/**
 * Checks a data folder before any write to it. Then adds the missing parts of a folder that is new or was interrupted
 * during its creation. Any number of processes may call this together.
 * @returns whether both databases can prove that they belong together, and rows that are not the latest
 * @throws Failure STORE_FORMAT, STORE_INCONSISTENT
 */
export function openFolder(
  folder: string,
  onDamage: (damage: Damage) => void,
): Pick<Inspection, 'identified' | 'outdated'> {
  prepareFolder(folder);
  const { format, identified, damages, outdated, lost } = requireWhole(folder);
  damages.forEach(onDamage);
  if (lost && lost.other.size + lost.missing.length > 0) noteLost(folder, lost);
  if (typeof format !== 'string') return { identified, outdated };
  if (damages.length === 0) identify(folder);
  return { identified: damages.length === 0, outdated };
}

/** The damaged log, which shows that this is no exchange, does not outlive the next start. */
function noteLost(folder: string, lost: NonNullable<Inspection['lost']>): void {
  const images = openImages(folder);
  inTransaction(images, () => new RowDigestTable(images).note(lost));
}

/** In this order, `inspectFolder` can distinguish an unfinished folder from one that has lost a file. */
function identify(folder: string): void {
  const applications = openApplications(folder);
  inTransaction(applications, () => {
    if (!hasIdentity(applications)) writeIdentity(applications, newIdentity(highestApplication(applications)));
  });
  const identity = readIdentity(applications);
  const images = openImages(folder);
  inTransaction(images, () => {
    if (!hasIdentity(images)) writeIdentity(images, { ...identity, changes: 0 });
  });
  syncFolder(folder);
  inTransaction(applications, () => {
    const { unfinished: _, ...finished } = readIdentity(applications);
    writeIdentity(applications, finished);
  });
  writeFormat(folder, identity.folder);
}

/** Opens or creates applications.db. */
export function openApplications(folder: string): Connection {
  const path = join(folder, fileNames.applications);
  makePrivate(path);
  return openDatabase(path, applicationSchema);
}

/**
 * Opens or creates images.db. Only the server writes its log to the database, and begins a generation right after; so a
 * lost log always takes a generation with it.
 */
export function openImages(folder: string): Connection {
  const path = join(folder, fileNames.images);
  makePrivate(path);
  const images = openDatabase(path, imageSchema);
  images.exec('PRAGMA wal_autocheckpoint = 0');
  return images;
}

/** The highest assigned number, 0 before the first. */
export function highestApplication(applications: Connection): number {
  const sequence = applications.prepare(
    "SELECT coalesce(CAST(max(seq) AS INTEGER), 0) AS number FROM sqlite_sequence WHERE name = 'applications'",
  );
  return (sequence.get() as { number: number }).number;
}
