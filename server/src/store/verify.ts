import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { administrationTable } from './administration-table.ts';
import { readApplications } from './application-table.ts';
import { openToRead } from './database.ts';
import type { Connection } from './database.ts';
import { embeddingName } from './embedding-network.ts';
import { fileNames, openingFailure, requireFormat } from './folder.ts';
import { ImageReader, isDamage } from './image-reader.ts';
import { inspectFolder } from './inspection.ts';
import type { Inspection } from './inspection.ts';
import { profileStore } from './profile-store.ts';
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

/**
 * Reads the whole of a data folder and changes nothing; a server may be running on it.
 * @throws Failure STORE_FORMAT, or STORE_UNAVAILABLE for an unreadable folder
 */
export function verify(folder: string): Verification {
  const { faults, damages: unreadable } = inspected();
  const damages: Damage[] = [...faults, ...unreadable];
  const report = (damage: Damage) => damages.push(damage);

  const records = new Map<number, ApplicationRecord>();
  const known = new Set<number | undefined>();
  const deleted = new Set<number>();
  const applications = check(fileNames.applications, (database) => {
    const found = readApplications(database);
    for (const damage of found.damages) report(damage);
    for (const { application } of found.damages) known.add(application);
    for (const application of found.applications) {
      known.add(application.number);
      records.set(application.number, application);
    }
    for (const number of found.deleted) deleted.add(number);
    const administration = administrationTable(database, (what) => report({ file: fileNames.applications, what }));
    administration.administrators();
    administration.lastUses();
    checkProfiles(database, found.applications);
    return found.applications.length;
  });

  const images = check(fileNames.images, (database, doubtful) => {
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
  });
  return { applications, images, damages };

  function checkProfiles(database: Connection, applications: readonly ApplicationRecord[]): void {
    const names = profileStore(database, (work) => work(), report)
      .list()
      .map(({ profile }) => profile.name);
    for (const { number, network } of applications) {
      if (network && !names.includes(embeddingName(network)))
        report({ file: fileNames.applications, application: number, what: `there is no ${embeddingName(network)}` });
    }
  }

  function inspected(): Inspection {
    try {
      requireFormat(folder);
      return inspectFolder(folder);
    } catch (cause) {
      throw openingFailure(folder, cause);
    }
  }

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
