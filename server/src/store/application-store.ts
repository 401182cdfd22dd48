import { statSync } from 'node:fs';
import { join } from 'node:path';
import { crc32c } from '@sosia/engine/crc32c';
import { Failure, fail } from '../errors.ts';
import { inTransaction, openToRead, openUnchecked } from './database.ts';
import type { Connection } from './database.ts';
import { fileNames, isDamaged, openingFailure } from './folder.ts';
import { embeddingName } from './embedding-network.ts';
import { beginGeneration, readIdentity } from './identity.ts';
import { highestApplication, openApplications, openFolder, openImages } from './open-folder.ts';
import { networkTable, profileStore } from './profile-store.ts';
import { Statement } from './statement.ts';
import { administrationTable } from './administration-table.ts';
import { keysOf, withKeys } from './stored-keys.ts';
import type { ApplicationRecord, ApplicationStore, Damage } from './store.ts';
import { structureOf } from './structure.ts';
import { sweep } from './sweep.ts';
import type { Span } from './sweep.ts';
import { damageOfLog } from './write-ahead-log.ts';

/** A higher number means damage. */
const MOST_APPLICATIONS = 1_000_000;

/** With casts, since a damaged row may contain any type: libsql ends the process on text that is not UTF-8. */
const columns =
  'number, CAST(crc AS INTEGER) AS crc, CAST(key_digest AS BLOB) AS keyDigest, CAST(record AS BLOB) AS record';

interface Row {
  readonly number: number;
  readonly crc: number;
  readonly keyDigest: Uint8Array | null;
  /** JSON of the remaining fields of an ApplicationRecord. */
  readonly record: Uint8Array | null;
}

function checksum(number: number, keyDigest: string | null, record: string | null): number {
  return crc32c(new TextEncoder().encode(JSON.stringify([number, keyDigest, record])));
}

/**
 * Opens the applications of a data folder, which is created if missing. Any number of processes may do so. A damaged
 * database is opened if any application is readable, and read-only if a change could spread the damage.
 *
 * @param onDamage  called once for each application that fails its checks
 * @throws Failure STORE_FORMAT, STORE_DAMAGED or STORE_UNAVAILABLE
 */
export function openApplicationStore(folder: string, onDamage: (damage: Damage) => void = () => {}): ApplicationStore {
  try {
    const { identified } = openFolder(folder, onDamage);
    const damage = damageOfLog(join(folder, fileNames.applications));
    if (damage) onDamage(damage);
    return applicationStore(folder, identified, onDamage);
  } catch (cause) {
    throw openingFailure(join(folder, fileNames.applications), cause);
  }
}

/** Opens the database for changes if that is safe; otherwise `refusal` states the reason. */
function open(folder: string, onDamage: (damage: Damage) => void): { database: Connection; refusal?: string } {
  const path = join(folder, fileNames.applications);
  const report = (what: string): void => onDamage({ file: fileNames.applications, what });
  const refused = (what: string): { database: Connection; refusal: string } => {
    const refusal = `${fileNames.applications} is damaged (${what}), and a change could spread it; run \`sosia repair\``;
    return { database: openToRead(path), refusal };
  };
  if ((statSync(path, { throwIfNoEntry: false })?.size ?? 0) > 0) {
    const { faults, writable } = structureOf(openUnchecked(path));
    faults.forEach(report);
    if (!writable) return refused(faults[0]!);
  }
  try {
    return { database: openApplications(folder) };
  } catch (cause) {
    if (!isDamaged(cause)) throw cause;
    report((cause as Error).message);
    return refused((cause as Error).message);
  }
}

/** @param identified  whether each change begins a generation of the folder */
function applicationStore(folder: string, identified: boolean, onDamage: (damage: Damage) => void): ApplicationStore {
  const { database, refusal } = open(folder, onDamage);
  const write = applicationWriter(database);
  const networks = networkTable(database);
  const administration = administrationTable(database, (what) => onDamage({ file: fileNames.applications, what }));
  const version = new Statement(database, 'PRAGMA data_version');
  const reported = new Set<number | string>();

  /** Changes made by this connection; SQLite's version counts those of other connections only. */
  let ownChanges = 0;
  let commits = NaN;
  let changes = NaN;
  function revision(): number {
    const now = version.get<{ data_version: number }>()!.data_version + ownChanges;
    // most commits of other connections begin a generation and change nothing else
    if (now !== commits) changes = identified ? readIdentity(database).changes : now;
    commits = now;
    return changes;
  }

  let opened: Connection | undefined;
  /** Undefined if damage makes generations impossible. */
  function images(): Connection | undefined {
    if (!identified) return undefined;
    try {
      return (opened ??= openImages(folder));
    } catch (cause) {
      if (!isDamaged(cause)) throw cause;
      return undefined;
    }
  }

  let known = read();
  if (known.applications.length + known.deleted.length === 0 && reported.size > 0) {
    throw fail('STORE_DAMAGED', `${folder}: no application in ${fileNames.applications} can be read`);
  }
  const current = () => (known.revision === revision() ? known : (known = read()));

  function read() {
    const asOf = revision(); // before the rows, so that a change in between triggers another read
    const { applications, deleted, damages } = readApplications(database);
    for (const damage of damages) {
      const name = damage.application ?? damage.what;
      if (!reported.has(name)) onDamage(damage);
      reported.add(name);
    }
    const byDigest = new Map(
      applications.flatMap((application) => keysOf(application).map(({ digest }) => [digest, application])),
    );
    return { revision: asOf, applications, deleted, byDigest, administrators: administration.administrators() };
  }

  function change<T>(work: () => T): T {
    if (refusal !== undefined) throw fail('STORE_READ_ONLY', refusal);
    try {
      const ofImages = images();
      const begun = () => ({ result: work(), highest: highestApplication(database) });
      const result = ofImages ? beginGeneration(database, ofImages, begun)! : inTransaction(database, work);
      ownChanges++;
      return result;
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      throw fail(isDamaged(cause) ? 'STORE_DAMAGED' : 'STORE_WRITE_FAILED', (cause as Error).message);
    }
  }

  function recordOf(number: number): ApplicationRecord {
    const application = readApplications(database).applications.find((it) => it.number === number);
    if (!application) throw fail('UNKNOWN_APPLICATION', `number ${number}`);
    return application;
  }

  function nextNumber(): number {
    const known = identified ? readIdentity(database).applications : 0;
    return Math.max(known, highestApplication(database)) + 1;
  }

  return {
    list: () => current().applications,
    administrators: () => current().administrators,
    knows(keyDigest) {
      const { byDigest, administrators } = current();
      return byDigest.has(keyDigest) || administrators.some(({ digest }) => digest === keyDigest);
    },
    lastUses: () => administration.lastUses(),
    saveLastUses(uses) {
      if (refusal === undefined) inTransaction(database, () => administration.saveLastUses(uses));
    },
    changeKeys(number, changed) {
      change(() => {
        if (number === null) return administration.saveAdministrators(changed(administration.administrators()));
        const application = recordOf(number);
        write.put(withKeys(application, changed(keysOf(application))));
      });
    },
    empty(number) {
      return change(() => {
        const application = recordOf(number);
        const emptied = { ...application, number: nextNumber(), origin: application.origin ?? number };
        write.delete(number);
        write.put(emptied);
        return emptied;
      });
    },
    deleted: () => current().deleted,
    profiles: profileStore(database, change, onDamage),
    revision,
    findByDigest: (keyDigest) => current().byDigest.get(keyDigest),
    create(application, network) {
      return change(() => {
        const created = { ...application, number: nextNumber() };
        write.put(created);
        if (network && !networks.block(network.name)) networks.add(network);
        return created;
      });
    },
    update(number, changed) {
      change(() => {
        write.put({ ...recordOf(number), ...changed });
      });
    },
    delete(number) {
      change(() => {
        const { applications } = readApplications(database);
        const network = applications.find((it) => it.number === number)?.network;
        const isShared = applications.some((it) => it.number !== number && it.network?.digest === network?.digest);
        write.delete(number);
        if (network && !isShared) networks.delete(embeddingName(network));
      });
    },
    close() {
      if (refusal === undefined) database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
      database.close();
    },
  };
}

/** Writes rows with given numbers, inside a transaction. */
export function applicationWriter(database: Connection) {
  const write = new Statement(
    database,
    `INSERT INTO applications (key_digest, record, crc, number) VALUES (?, ?, ?, ?)
     ON CONFLICT (number) DO UPDATE SET key_digest = excluded.key_digest, record = excluded.record, crc = excluded.crc`,
  );
  return {
    put({ number, keyDigest, ...rest }: ApplicationRecord): void {
      const record = JSON.stringify(rest);
      write.run(keyDigest, record, checksum(number, keyDigest, record), number);
    },
    /** The row stays, and with it the number. */
    delete(number: number): void {
      write.run(null, null, checksum(number, null, null), number);
    },
  };
}

/** All rows that pass their checks. */
export function readApplications(database: Connection): {
  applications: ApplicationRecord[];
  deleted: number[];
  /** The highest number ever assigned, as far as readable. */
  highest: number;
  damages: Damage[];
} {
  const applications: ApplicationRecord[] = [];
  const deleted: number[] = [];
  const damages: Damage[] = [];
  const file = fileNames.applications;
  const select = new Statement(
    database,
    `SELECT ${columns} FROM applications WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?`,
  ).prepare();
  const attempt = (sql: string): number | undefined => {
    try {
      return new Statement(database, sql).get<{ number: number | null }>()!.number ?? 0;
    } catch {
      return undefined;
    }
  };
  const highest = attempt('SELECT max(number) AS number FROM applications');
  const assigned = attempt(
    "SELECT CAST(max(seq) AS INTEGER) AS number FROM sqlite_sequence WHERE name = 'applications'",
  );
  if (highest !== assigned) {
    const found = highest === undefined ? 'numbers that cannot be read' : `numbers up to ${highest}`;
    damages.push({ file, what: `expected ${assigned ?? 'an unknown number of'} applications, found ${found}` });
  }

  const rows: number[] = [];
  // a damaged sequence may be any number, so the rows count
  const unreadable = sweep<Row>(
    (...range) => select.all<Row>(...range),
    [1, highest ?? assigned ?? 0],
    (row) => {
      rows.push(row.number);
      const found = readApplication(row);
      if ('what' in found) damages.push(found);
      else if ('keyDigest' in found) applications.push(found);
      else deleted.push(row.number);
    },
  );
  const missing = (what: string, [from, to]: Span): void => {
    damages.push({ file, ...(from === to ? { application: from } : { numbers: { from, to } }), what });
  };
  for (const span of unreadable) missing('its row cannot be read', span);
  rows.forEach((number, i) => {
    const gap = [(rows[i - 1] ?? 0) + 1, number - 1] as const;
    const known = unreadable.some(([first, last]) => first <= gap[1] && last >= gap[0]);
    if (gap[0] <= gap[1] && !known) missing('its row is missing', gap);
  });
  const numbers = [highest, assigned, rows.at(-1)].filter(
    (it) => it !== undefined && it < MOST_APPLICATIONS,
  ) as number[];
  return { applications, deleted, highest: Math.max(0, ...numbers), damages };

  function readApplication({ number, ...row }: Row): ApplicationRecord | { deleted: true } | Damage {
    const damage = { file, application: number };
    try {
      const text = new TextDecoder();
      const keyDigest = row.keyDigest && text.decode(row.keyDigest);
      const record = row.record && text.decode(row.record);
      const expected = checksum(number, keyDigest, record);
      if (row.crc !== expected) return { ...damage, what: `expected the checksum ${expected}, found ${row.crc}` };
      return keyDigest && record
        ? { number, keyDigest, ...(JSON.parse(record) as Omit<ApplicationRecord, 'number' | 'keyDigest'>) }
        : { deleted: true };
    } catch (cause) {
      return { ...damage, what: (cause as Error).message };
    }
  }
}
