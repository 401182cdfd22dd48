import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { AdministrationTable } from './administration-table.ts';
import { readApplications } from './application-table.ts';
import { openToRead, type Connection } from './database.ts';
import { embeddingName } from './embedding-network.ts';
import { fileNames, openingFailure, requireFormat } from './folder.ts';
import { ImageReader, isDamage } from './image-reader.ts';
import { inspectFolder, type Inspection } from './inspection.ts';
import { ProfileStore } from './profile-store.ts';
import { recordReader } from './record-table.ts';
import { verifySaved } from './saved-index/verify-saved.ts';
import type { ApplicationRecord, Damage } from './store.ts';
import { structureOf } from './structure.ts';
import { thumbnailReader } from './thumbnail-table.ts';
import { damageOfLog } from './write-ahead-log.ts';

export interface Verification {
  /** Numbers of sound records. */
  readonly applications: number;
  readonly images: number;
  /** Empty for a sound folder. */
  readonly damages: readonly Damage[];
}

type Report = (damage: Damage) => void;

/** What applications.db says of the applications of pictures. */
interface Applications {
  readonly records: Map<number, ApplicationRecord>;
  /** Damaged ones too. */
  readonly known: Set<number | undefined>;
  readonly deleted: Set<number>;
}

/**
 * Reads the whole of a data folder and changes nothing; a server may be running on it.
 * @throws Failure STORE_FORMAT, or STORE_UNAVAILABLE for an unreadable folder
 */
export function verify(folder: string): Verification {
  const { faults, damages: unreadable } = inspected(folder);
  const damages: Damage[] = [...faults, ...unreadable];
  const report: Report = (damage) => void damages.push(damage);
  const found: Applications = { records: new Map(), known: new Set(), deleted: new Set() };
  const applications = check(fileNames.applications, (database) => checkApplications(database, found, report));
  const images = check(fileNames.images, (database, doubtful) =>
    checkImages(folder, database, doubtful, found, report),
  );
  return { applications, images, damages };

  /** SQLite's own check, then ours; a database that was never created contains nothing. */
  function check(file: string, read: (database: Connection, doubtful: boolean) => number): number {
    if (!existsSync(join(folder, file)) || faults.some((fault) => fault.file === file)) return 0;
    const damage = damageOfLog(join(folder, file));
    if (damage) report(damage);
    try {
      const database = openToRead(join(folder, file));
      const { faults } = structureOf(database);
      for (const what of faults) report({ file, what });
      return read(database, faults.length > 0);
    } catch (cause) {
      report({ file, what: (cause as Error).message });
      return 0;
    }
  }
}

function inspected(folder: string): Inspection {
  try {
    requireFormat(folder);
    return inspectFolder(folder);
  } catch (cause) {
    throw openingFailure(folder, cause);
  }
}

/** @returns the number of sound ones */
function checkApplications(database: Connection, { records, known, deleted }: Applications, report: Report): number {
  const found = readApplications(database);
  found.damages.forEach(report);
  for (const { application } of found.damages) known.add(application);
  for (const application of found.applications) {
    known.add(application.number);
    records.set(application.number, application);
  }
  for (const number of found.deleted) deleted.add(number);
  const administration = new AdministrationTable(database, (what) => report({ file: fileNames.applications, what }));
  administration.administrators();
  administration.lastUses();
  const profiles = new ProfileStore(database, (work) => work(), report).list();
  for (const { number, network } of found.applications) {
    if (network && !profiles.some(({ profile }) => profile.name === embeddingName(network)))
      report({ file: fileNames.applications, application: number, what: `there is no ${embeddingName(network)}` });
  }
  return found.applications.length;
}

/** @returns the number of sound ones */
function checkImages(
  folder: string,
  database: Connection,
  doubtful: boolean,
  { records, known, deleted }: Applications,
  report: Report,
): number {
  const reader = new ImageReader(database, doubtful);
  let sound = 0;
  for (const application of reader.applications()) {
    if (deleted.has(application)) continue; // some may remain until the server has purged them
    if (!known.has(application)) {
      report({ file: fileNames.images, application, what: 'pictures of an application that is not there' });
    }
    const { type, network } = records.get(application) ?? {};
    const checksums = new Map<number, number>();
    for (const found of reader.replay(application, type, network)) {
      if (isDamage(found)) report(found);
      else checksums.set(found.number, found.checksum);
    }
    sound += checksums.size;
    const recordOf = (number: number): { checksum: number } | undefined => {
      const checksum = checksums.get(number);
      return checksum === undefined ? undefined : { checksum };
    };
    for (const { file, what } of verifySaved(folder, application, recordOf)) report({ file, application, what });
  }
  recordReader(database, report).all();
  for (const damage of thumbnailReader(database).damages(reader.highest())) {
    if (!deleted.has(damage.application!)) report(damage);
  }
  return sound;
}
