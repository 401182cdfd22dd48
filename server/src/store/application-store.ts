import { join } from 'node:path';
import { crc32c } from '@sosia/engine/crc32c';
import { Failure, fail } from '../errors.ts';
import { inTransaction, openDatabase } from './database.ts';
import type { Connection } from './database.ts';
import { networkSchema, profileSchema, profileStore } from './profile-store.ts';
import { fileNames, openingFailure, prepareFolder } from './folder.ts';
import type { ApplicationRecord, ApplicationStore, Damage } from './store.ts';
import { damageOfLog } from './write-ahead-log.ts';

/** A row stays for ever, so that a missing one is seen and no number comes back; a deleted application has no digest and no record. */
const schema = `
  CREATE TABLE applications (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    key_digest TEXT,
    record TEXT,
    crc INTEGER NOT NULL
  )`;

export const applicationSchemas = [`${schema};${profileSchema}`, networkSchema];

/** With casts, since a damaged row may hold anything: libsql ends the whole process over a text that is not UTF-8. */
const columns = 'CAST(crc AS INTEGER) AS crc, CAST(key_digest AS BLOB) AS keyDigest, CAST(record AS BLOB) AS record';

interface Row {
  readonly crc: number;
  readonly keyDigest: Uint8Array | null;
  /** JSON of the rest of an ApplicationRecord. */
  readonly record: Uint8Array | null;
}

function checksum(number: number, keyDigest: string | null, record: string | null): number {
  return crc32c(new TextEncoder().encode(JSON.stringify([number, keyDigest, record])));
}

/**
 * Opens the applications of a data folder, which is made where there is none; any number of processes may.
 *
 * @param onDamage  told of each application that fails its checks, once
 * @throws Failure STORE_FORMAT, STORE_DAMAGED or STORE_UNAVAILABLE
 */
export function openApplicationStore(folder: string, onDamage: (damage: Damage) => void = () => {}): ApplicationStore {
  try {
    prepareFolder(folder);
    const damage = damageOfLog(join(folder, fileNames.applications));
    if (damage) onDamage(damage);
    return applicationStore(
      openDatabase(join(folder, fileNames.applications), `${schema};${profileSchema}`, networkSchema),
      onDamage,
    );
  } catch (cause) {
    throw openingFailure(folder, cause);
  }
}

function applicationStore(database: Connection, onDamage: (damage: Damage) => void): ApplicationStore {
  const insert = database.prepare('INSERT INTO applications (key_digest, record, crc) VALUES (?, ?, 0)');
  const write = database.prepare('UPDATE applications SET key_digest = ?, record = ?, crc = ? WHERE number = ?');
  const version = database.prepare('PRAGMA data_version');
  const reported = new Set<number | undefined>();

  /** Changes made here; SQLite's version counts those of other connections only. */
  let ownChanges = 0;
  const revision = () => (version.get() as { data_version: number }).data_version + ownChanges;

  let known = read();
  const current = () => (known.revision === revision() ? known : (known = read()));

  function read() {
    const asOf = revision(); // before the rows, so that a change in between is read again
    const { applications, deleted, damages } = readApplications(database);
    for (const damage of damages) {
      if (!reported.has(damage.application)) onDamage(damage);
      reported.add(damage.application);
    }
    const byDigest = new Map(applications.map((application) => [application.keyDigest, application]));
    return { revision: asOf, applications, deleted, byDigest };
  }

  function change<T>(work: () => T): T {
    try {
      const result = inTransaction(database, work);
      ownChanges++;
      return result;
    } catch (cause) {
      throw cause instanceof Failure ? cause : fail('STORE_WRITE_FAILED', (cause as Error).message);
    }
  }

  function put({ number, keyDigest, ...rest }: ApplicationRecord): void {
    const record = JSON.stringify(rest);
    write.run(keyDigest, record, checksum(number, keyDigest, record), number);
  }

  return {
    list: () => current().applications,
    deleted: () => current().deleted,
    profiles: profileStore(database, change, onDamage),
    revision,
    findByDigest: (keyDigest) => current().byDigest.get(keyDigest),
    create(application) {
      return change(() => {
        const number = Number(insert.run(application.keyDigest, '').lastInsertRowid);
        const created = { ...application, number };
        put(created);
        return created;
      });
    },
    update(number, changed) {
      change(() => {
        const application = readApplications(database).applications.find((it) => it.number === number);
        if (!application) throw fail('UNKNOWN_APPLICATION', `number ${number}`);
        put({ ...application, ...changed });
      });
    },
    delete(number) {
      change(() => write.run(null, null, checksum(number, null, null), number));
    },
    close() {
      database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}

/** All rows that pass their checks. */
export function readApplications(database: Connection): {
  applications: ApplicationRecord[];
  deleted: number[];
  damages: Damage[];
} {
  const applications: ApplicationRecord[] = [];
  const deleted: number[] = [];
  const damages: Damage[] = [];
  const select = database.prepare(`SELECT ${columns} FROM applications WHERE number = ?`);
  const highest = database.prepare('SELECT max(number) AS number FROM applications').get() as { number: number | null };
  const given = database.prepare(
    "SELECT CAST(max(seq) AS INTEGER) AS number FROM sqlite_sequence WHERE name = 'applications'",
  );
  const last = highest.number ?? 0;
  const expected = (given.get() as { number: number | null }).number ?? 0;
  if (last !== expected) {
    damages.push({
      file: fileNames.applications,
      what: `expected ${expected} applications, found numbers up to ${last}`,
    });
  }

  for (let number = 1; number <= last; number++) {
    const found = readApplication(number);
    if ('what' in found) damages.push(found);
    else if ('keyDigest' in found) applications.push(found);
    else deleted.push(number);
  }
  return { applications, deleted, damages };

  function readApplication(number: number): ApplicationRecord | { deleted: true } | Damage {
    const damage = { file: fileNames.applications, application: number };
    try {
      const row = select.get(number) as Row | undefined;
      if (!row) return { ...damage, what: 'its row is gone' };
      const text = new TextDecoder();
      const keyDigest = row.keyDigest && text.decode(row.keyDigest);
      const record = row.record && text.decode(row.record);
      const expected = checksum(number, keyDigest, record);
      if (row.crc !== expected) return { ...damage, what: `expected the checksum ${expected}, found ${row.crc}` };
      return keyDigest && record ? { number, keyDigest, ...JSON.parse(record) } : { deleted: true };
    } catch (cause) {
      return { ...damage, what: (cause as Error).message };
    }
  }
}
