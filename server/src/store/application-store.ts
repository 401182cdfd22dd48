import { statSync } from 'node:fs';
import { join } from 'node:path';
import { Failure, fail } from '../errors.ts';
import { applicationWriter, readApplications, rowDigests, withoutOldKeys } from './application-table.ts';
import { inTransaction, openToRead, openUnchecked } from './database.ts';
import type { Connection } from './database.ts';
import { fileNames, isDamaged, openingFailure } from './folder.ts';
import { embeddingName } from './embedding-network.ts';
import { beginGeneration, readIdentity, renewLink } from './identity.ts';
import { highestApplication, openApplications, openFolder, openImages } from './open-folder.ts';
import { networkTable, profileStore } from './profile-store.ts';
import { ADMINISTRATORS } from './row-digests.ts';
import { Statement } from './statement.ts';
import { administrationTable } from './administration-table.ts';
import type { ApplicationRecord, ApplicationStore, Damage, StoredKey } from './store.ts';
import { structureOf } from './structure.ts';
import { damageOfLog } from './write-ahead-log.ts';

/**
 * Opens the applications of a data folder, which is created if missing. Any number of processes may do so. A damaged
 * database is opened if any application is readable, and read-only if a change could spread the damage.
 *
 * @param onDamage  called once for each application that fails its checks
 * @throws Failure STORE_FORMAT, STORE_DAMAGED or STORE_UNAVAILABLE
 */
export function openApplicationStore(folder: string, onDamage: (damage: Damage) => void = () => {}): ApplicationStore {
  try {
    const found = openFolder(folder, onDamage);
    const damage = damageOfLog(join(folder, fileNames.applications));
    if (damage) onDamage(damage);
    return applicationStore(folder, found, onDamage);
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
function applicationStore(
  folder: string,
  { identified, outdated }: ReturnType<typeof openFolder>,
  onDamage: (damage: Damage) => void,
): ApplicationStore {
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

  /** The rows, without the keys of outdated ones. */
  function readRows() {
    const found = readApplications(database);
    return outdated.size > 0 ? { ...found, applications: withoutOldKeys(found, outdated) } : found;
  }

  function administrators(): readonly StoredKey[] {
    const old = outdated.get(ADMINISTRATORS);
    if (old !== undefined && rowDigests(database).digests.get(ADMINISTRATORS) === old) return [];
    return administration.administrators();
  }

  let known = read();
  if (known.applications.length + known.deleted.length === 0 && reported.size > 0) {
    throw fail('STORE_DAMAGED', `${folder}: no application in ${fileNames.applications} can be read`);
  }
  const current = () => (known.revision === revision() ? known : (known = read()));

  function read() {
    const asOf = revision(); // before the rows, so that a change in between triggers another read
    const { applications, deleted, damages } = readRows();
    for (const damage of damages) {
      const name = damage.application ?? damage.what;
      if (!reported.has(name)) onDamage(damage);
      reported.add(name);
    }
    const byDigest = new Map(
      applications.flatMap((application) => application.keys.map(({ digest }) => [digest, application])),
    );
    return { revision: asOf, applications, deleted, byDigest, administrators: administrators() };
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
    const application = readRows().applications.find((it) => it.number === number);
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
      if (refusal !== undefined) return;
      inTransaction(database, () => {
        administration.saveLastUses(uses);
        if (identified) renewLink(database);
      });
    },
    changeKeys(number, changed) {
      change(() => {
        if (number === null) return administration.saveAdministrators(changed(administrators()));
        const application = recordOf(number);
        write.put({ ...application, keys: changed(application.keys) });
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
