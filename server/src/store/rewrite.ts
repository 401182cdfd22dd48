import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { AdministrationTable } from './administration-table.ts';
import { applicationWriter, readApplications, withoutOldKeys } from './application-table.ts';
import { inTransaction, openDatabase, openToRead, type Connection } from './database.ts';
import {
  fileNames,
  makeFolder,
  makePrivate,
  openingFailure,
  requireFormat,
  syncFile,
  syncFolder,
  writeFormat,
} from './folder.ts';
import { ImageReader, isDamage } from './image-reader.ts';
import { imageInserter } from './image-table.ts';
import { outdatedRows, requireWhole } from './inspection.ts';
import { ProfileStore } from './profile-store.ts';
import { recordReader, recordWriter } from './record-table.ts';
import { ADMINISTRATORS, type RowDigests } from './row-digests.ts';
import { applicationSchema, imageSchema } from './schema.ts';
import { fail } from '../errors.ts';
import type { ApplicationRecord, Damage, Details } from './store.ts';
import { structureOf } from './structure.ts';
import { thumbnailReader } from './thumbnail-table.ts';
import { damageOfLog } from './write-ahead-log.ts';

/** The content of a rewritten folder, and its losses. */
export interface Rewritten {
  readonly applications: number;
  readonly images: number;
  readonly thumbnails: number;
  readonly profiles: number;
  /** Damages of the source folder; no damaged record is in the new one. */
  readonly damages: readonly Damage[];
}

/** Pictures in one transaction. */
const BATCH = 256;

/**
 * Makes a sound data folder out of one that may be damaged, record by record. Records that pass their checks are
 * written to new databases with their numbers. Tables and statements of the old databases are not copied. No number is
 * assigned twice. The source folder is not changed, and no server should run on it.
 *
 * @param to  empty or missing
 * @throws Failure STORE_FORMAT, STORE_INCONSISTENT, STORE_DAMAGED for an unreadable file, STORE_UNAVAILABLE
 */
export function rewriteFolder(from: string, to: string): Rewritten {
  try {
    requireFormat(from);
    const { outdated } = requireWhole(from);
    makeFolder(to);
    const [stranger] = readdirSync(to);
    if (stranger) throw fail('STORE_UNAVAILABLE', `expected an empty folder, found ${stranger} in ${to}`);
    const rewritten = rewrite(from, to, outdated);
    for (const name of [fileNames.images, fileNames.applications]) syncFile(join(to, name));
    syncFolder(to); // the names too, before the file that marks the folder as complete
    writeFormat(to);
    syncFolder(dirname(resolve(to)));
    return rewritten;
  } catch (cause) {
    throw openingFailure(from, cause);
  }
}

type Report = (damage: Damage) => void;

interface Applications {
  readonly kept: ReadonlyMap<number, ApplicationRecord>;
  readonly deleted: ReadonlySet<number>;
}

function rewrite(from: string, to: string, outdated: RowDigests): Rewritten {
  const damages: Damage[] = outdatedRows(outdated);
  const report: Report = (damage) => void damages.push(damage);
  let applications: Applications = { kept: new Map(), deleted: new Set() };
  let profiles = 0;
  let copied = { images: 0, thumbnails: 0 };
  withBoth(fileNames.applications, applicationSchema, (old, database) => {
    applications = copyApplications(old, database, outdated, report);
    profiles = copyProfiles(old, database, report);
  });
  withBoth(fileNames.images, imageSchema, (old, database, doubtful) => {
    copied = copyImages(old, database, doubtful, applications, report);
  });
  return { applications: applications.kept.size, profiles, ...copied, damages };

  /** Opens a file of the old folder and creates that of the new one; a missing file leaves the new one empty. */
  function withBoth(
    name: string,
    schema: string,
    work: (old: Connection, database: Connection, doubtful: boolean) => void,
  ): void {
    const path = join(from, name);
    makePrivate(join(to, name));
    const database = openDatabase(join(to, name), schema);
    if (existsSync(path)) {
      const log = damageOfLog(path);
      if (log) report(log);
      const old = openToRead(path);
      const { faults } = structureOf(old);
      for (const what of faults) report({ file: name, what });
      work(old, database, faults.length > 0);
    }
    database.exec('PRAGMA wal_checkpoint(TRUNCATE); PRAGMA journal_mode = DELETE');
  }
}

function copyApplications(old: Connection, database: Connection, outdated: RowDigests, report: Report): Applications {
  const found = readApplications(old);
  found.damages.forEach(report);
  const kept = new Map(withoutOldKeys(found, outdated).map((application) => [application.number, application]));
  const write = applicationWriter(database);
  const copy = new AdministrationTable(database, () => {});
  const administration = new AdministrationTable(old, (what) => report({ file: fileNames.applications, what }));
  inTransaction(database, () => {
    for (const application of kept.values()) write.put(application);
    // the lost row of an application becomes that of a deleted one, so that its number is not assigned again
    for (let number = 1; number <= found.highest; number++) if (!kept.has(number)) write.delete(number);
    copy.saveAdministrators(outdated.has(ADMINISTRATORS) ? [] : administration.administrators());
    copy.saveLastUses(administration.lastUses());
  });
  return { kept, deleted: new Set(found.deleted) };
}

/** @returns how many */
function copyProfiles(old: Connection, database: Connection, report: Report): number {
  const copies = new ProfileStore(database, (work) => inTransaction(database, work), report);
  const profiles = new ProfileStore(old, (work) => work(), report).list();
  for (const profile of profiles) copies.add(profile);
  return profiles.length;
}

/** Copies the pictures of the kept applications, and the records about them. */
function copyImages(
  old: Connection,
  database: Connection,
  doubtful: boolean,
  { kept, deleted }: Applications,
  report: Report,
): { images: number; thumbnails: number } {
  const reader = new ImageReader(old, doubtful);
  const small = thumbnailReader(old);
  const besides = recordReader(old, report);
  const insert = imageInserter(database);
  const copied = { images: 0, thumbnails: 0 };
  const copy = (application: number, number: number): void => {
    const image = reader.image(application, number);
    if (!image || isDamage(image)) throw new Error(`picture ${number} has changed: does a server run on the folder?`);
    const thumbnail = small.thumbnail(application, number);
    const isSound = thumbnail !== undefined && !isDamage(thumbnail);
    const body = besides.details(application, number);
    const details = body && (JSON.parse(new TextDecoder().decode(body)) as Details);
    insert(application, number, { ...image, thumbnail: isSound ? thumbnail : undefined, details });
    copied.images++;
    if (isSound) copied.thumbnails++;
  };

  let highest = reader.highest();
  for (const application of reader.applications()) {
    if (deleted.has(application)) continue;
    const record = kept.get(application);
    if (!record) {
      report({ file: fileNames.images, application, what: 'pictures of an application that is not there' });
      continue;
    }
    const { numbers, end } = soundPictures(reader, record, report);
    highest = Math.max(highest, end);
    for (let i = 0; i < numbers.length; i += BATCH) {
      inTransaction(database, () => numbers.slice(i, i + BATCH).forEach((number) => copy(application, number)));
    }
  }
  const origins = new Set([...kept.values()].map(({ number, origin = number }) => origin));
  const write = recordWriter(database);
  for (const record of besides.all()) {
    if (!origins.has(record.application)) continue;
    inTransaction(database, () => write.change(record.application, [record]));
  }
  for (const damage of small.damages(reader.highest())) if (!deleted.has(damage.application!)) report(damage);
  keepNumber(database, 'images', highest);
  return copied;
}

/** Of pictures with one id, only the last. `end`: the highest number of all, damaged ones included. */
function soundPictures(
  reader: ImageReader,
  { number: application, type, network }: ApplicationRecord,
  report: Report,
): { numbers: readonly number[]; end: number } {
  const sound: { readonly number: number; readonly id: string }[] = [];
  const last = new Map<string, number>();
  let end = 0;
  for (const found of reader.replay(application, type, network)) {
    end = Math.max(end, (isDamage(found) && found.numbers?.to) || found.number || end);
    if (isDamage(found)) {
      report(found);
      continue;
    }
    sound.push({ number: found.number, id: found.id });
    last.set(found.id, found.number);
  }
  const isLast = ({ number, id }: (typeof sound)[number]): boolean => last.get(id) === number;
  for (const { number, id } of sound.filter((it) => !isLast(it))) {
    const what = `another picture of the application, number ${last.get(id)}, has the same id`;
    report({ file: fileNames.images, application, number, id, what });
  }
  return { numbers: sound.filter(isLast).map(({ number }) => number), end };
}

/** Makes a table continue after a number. */
function keepNumber(database: Connection, table: string, highest: number): void {
  inTransaction(database, () => {
    const { changes } = database
      .prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
      .run(highest, table);
    if (changes === 0) database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, highest);
  });
}
