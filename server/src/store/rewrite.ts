import { existsSync, readdirSync } from 'node:fs';
import { dirname, join, resolve } from 'node:path';
import { administrationTable } from './administration-table.ts';
import { applicationWriter, readApplications, withoutOldKeys } from './application-table.ts';
import { inTransaction, openDatabase, openToRead } from './database.ts';
import type { Connection } from './database.ts';
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
import { profileStore } from './profile-store.ts';
import { recordReader, recordWriter } from './record-table.ts';
import { ADMINISTRATORS } from './row-digests.ts';
import type { RowDigests } from './row-digests.ts';
import { applicationSchema, imageSchema } from './schema.ts';
import { fail } from '../errors.ts';
import type { ApplicationRecord, Damage, Details, ImageRecord } from './store.ts';
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

function rewrite(from: string, to: string, outdated: RowDigests): Rewritten {
  const damages: Damage[] = outdatedRows(outdated);
  const report = (damage: Damage): void => void damages.push(damage);
  const kept = new Map<number, ApplicationRecord>();
  const deleted = new Set<number>();
  let applications = 0;
  let profiles = 0;

  withBoth(fileNames.applications, applicationSchema, (old, database) => {
    const found = readApplications(old);
    found.damages.forEach(report);
    const write = applicationWriter(database);
    inTransaction(database, () => {
      for (const application of withoutOldKeys(found, outdated)) {
        kept.set(application.number, application);
        write.put(application);
        applications++;
      }
      for (const number of found.deleted) deleted.add(number);
      // the lost row of an application becomes that of a deleted one, so that its number is not assigned again
      for (let number = 1; number <= found.highest; number++) if (!kept.has(number)) write.delete(number);
    });
    const copy = administrationTable(database, () => {});
    const administration = administrationTable(old, (what) => report({ file: fileNames.applications, what }));
    inTransaction(database, () => {
      copy.saveAdministrators(outdated.has(ADMINISTRATORS) ? [] : administration.administrators());
      copy.saveLastUses(administration.lastUses());
    });
    const copies = profileStore(database, (work) => inTransaction(database, work), report);
    for (const profile of profileStore(old, (work) => work(), report).list()) {
      copies.add(profile);
      profiles++;
    }
  });

  let images = 0;
  let thumbnails = 0;
  withBoth(fileNames.images, imageSchema, (old, database, doubtful) => {
    const reader = new ImageReader(old, doubtful);
    const insert = imageInserter(database);
    const small = thumbnailReader(old);
    const besides = recordReader(old, report);
    const withThumbnail = (application: number, image: ImageRecord) => {
      const thumbnail = small.thumbnail(application, image.number);
      const body = besides.details(application, image.number);
      const details = body && (JSON.parse(new TextDecoder().decode(body)) as Details);
      return {
        ...image,
        ...(thumbnail && !isDamage(thumbnail) && { thumbnail }),
        ...(details && { details }),
      };
    };

    let highest = 0;
    for (const application of reader.applications()) {
      if (deleted.has(application)) continue;
      const record = kept.get(application);
      if (!record) {
        report({ file: fileNames.images, application, what: 'pictures of an application that is not there' });
        continue;
      }
      const sound: number[] = [];
      const last = new Map<string, number>();
      for (const found of reader.replay(application, record.type, record.network)) {
        if (isDamage(found)) {
          report(found);
          highest = Math.max(highest, found.number ?? 0, found.numbers?.to ?? 0);
          continue;
        }
        sound.push(found.number);
        last.set(found.id, found.number);
      }
      for (let i = 0; i < sound.length; i += BATCH) {
        inTransaction(database, () => {
          for (const number of sound.slice(i, i + BATCH)) {
            highest = Math.max(highest, number);
            const image = reader.image(application, number);
            if (!image || isDamage(image))
              throw new Error(`picture ${number} has changed: does a server run on ${from}?`);
            if (last.get(image.id) !== number) {
              const what = `another picture of the application, number ${last.get(image.id)}, has the same id`;
              report({ file: fileNames.images, application, number, id: image.id, what });
              continue;
            }
            const copy = withThumbnail(application, image);
            insert(application, number, copy);
            images++;
            if ('thumbnail' in copy) thumbnails++;
          }
        });
      }
    }
    const origins = new Set([...kept.values()].map(({ number, origin = number }) => origin));
    const write = recordWriter(database);
    for (const record of besides.all()) {
      if (!origins.has(record.application)) continue;
      inTransaction(database, () => write.change(record.application, [record]));
    }
    for (const damage of small.damages(reader.highest())) if (!deleted.has(damage.application!)) report(damage);
    keepNumber(database, 'images', Math.max(highest, reader.highest()));
  });
  return { applications, images, thumbnails, profiles, damages };

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

/** Makes a table continue after a number. */
function keepNumber(database: Connection, table: string, highest: number): void {
  inTransaction(database, () => {
    const { changes } = database
      .prepare('UPDATE sqlite_sequence SET seq = max(seq, ?) WHERE name = ?')
      .run(highest, table);
    if (changes === 0) database.prepare('INSERT INTO sqlite_sequence (name, seq) VALUES (?, ?)').run(table, highest);
  });
}
