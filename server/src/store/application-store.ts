import { statSync } from 'node:fs';
import { join } from 'node:path';
import type { Network } from '@sosia/engine';
import { Failure, fail } from '../errors.ts';
import { applicationWriter, readApplications, rowDigests, withoutOldKeys } from './application-table.ts';
import { inTransaction, openToRead, openUnchecked, type Connection } from './database.ts';
import { fileNames, isDamaged, noteGeneration, openingFailure } from './folder.ts';
import { embeddingName } from './embedding-network.ts';
import { beginGeneration, readIdentity, renewLink } from './identity.ts';
import { highestApplication, openApplications, openFolder, openImages } from './open-folder.ts';
import { changeable } from './moved.ts';
import { networkTable, ProfileStore } from './profile-store.ts';
import { ADMINISTRATORS, type RowDigests } from './row-digests.ts';
import { Statement } from './statement.ts';
import { AdministrationTable } from './administration-table.ts';
import type { ApplicationRecord, Damage, StoredKey } from './store.ts';
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
    return new ApplicationStore(folder, found, onDamage);
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

/** What a database had at a revision. */
interface Known {
  readonly revision: number;
  readonly applications: ApplicationRecord[];
  readonly deleted: number[];
  readonly administrators: readonly StoredKey[];
  /** Of all keys. */
  readonly digests: ReadonlySet<string>;
}

/** The applications of a data folder. Read and written by the server and, beside it, by `sosia app …`. To be made by `openApplicationStore`. */
export class ApplicationStore {
  /** Changes of profiles change `revision` too. */
  readonly profiles: ProfileStore;
  readonly #folder: string;
  readonly #database: Connection;
  /** Why nothing can be changed. */
  readonly #refusal: string | undefined;
  /** Whether each change begins a generation of the folder. */
  readonly #identified: boolean;
  readonly #outdated: RowDigests;
  readonly #onDamage: (damage: Damage) => void;
  readonly #write: ReturnType<typeof applicationWriter>;
  readonly #networks: ReturnType<typeof networkTable>;
  readonly #administration: AdministrationTable;
  readonly #version: Statement;
  readonly #reported = new Set<number | string>();
  /** Changes made by this connection; SQLite's version counts those of other connections only. */
  #ownChanges = 0;
  #commits = NaN;
  #changes = NaN;
  #openedImages: Connection | undefined;
  #known: Known;

  constructor(
    folder: string,
    { identified, outdated }: ReturnType<typeof openFolder>,
    onDamage: (damage: Damage) => void,
  ) {
    const { database, refusal } = open(folder, onDamage);
    this.#folder = folder;
    this.#database = database;
    this.#refusal = refusal;
    this.#identified = identified;
    this.#outdated = outdated;
    this.#onDamage = onDamage;
    this.#write = applicationWriter(database);
    this.#networks = networkTable(database);
    this.#administration = new AdministrationTable(database, (what) =>
      onDamage({ file: fileNames.applications, what }),
    );
    this.#version = new Statement(database, 'PRAGMA data_version');
    this.profiles = new ProfileStore(database, (work) => this.#change(work), onDamage);
    this.#known = this.#read();
    if (this.#known.applications.length + this.#known.deleted.length === 0 && this.#reported.size > 0) {
      throw fail('STORE_DAMAGED', `${folder}: no application in ${fileNames.applications} can be read`);
    }
  }

  list(): ApplicationRecord[] {
    return this.#current().applications;
  }

  /**
   * Numbers of deleted applications, whose pictures may be purged. A damaged application is in no list, so that its
   * pictures stay.
   */
  deleted(): number[] {
    return this.#current().deleted;
  }

  administrators(): readonly StoredKey[] {
    return this.#current().administrators;
  }

  /** Whether any key has this digest. */
  knows(keyDigest: string): boolean {
    return this.#current().digests.has(keyDigest);
  }

  /** The last use of keys by their digests, ISO 8601; written now and then. */
  lastUses(): Readonly<Record<string, string>> {
    return this.#administration.lastUses();
  }

  /** No change of an application: `revision` stays. */
  saveLastUses(uses: Readonly<Record<string, string>>): void {
    if (this.#refusal !== undefined) return;
    inTransaction(this.#database, () => {
      this.#administration.saveLastUses(uses);
      if (this.#identified) renewLink(this.#database);
    });
  }

  /** A number that changes with any change of an application by any process; cheap enough for every request. */
  revision(): number {
    const now = this.#version.get<{ data_version: number }>()!.data_version + this.#ownChanges;
    // most commits of other connections begin a generation and change nothing else
    if (now !== this.#commits) this.#changes = this.#identified ? readIdentity(this.#database).changes : now;
    this.#commits = now;
    return this.#changes;
  }

  /** @param network  that of the application, stored once for all applications that have it */
  create(application: Omit<ApplicationRecord, 'number'>, network?: Network): ApplicationRecord {
    return this.#change(() => {
      const created = { ...application, number: this.#nextNumber() };
      this.#write.put(created);
      if (network && !this.#networks.block(network.name)) this.#networks.add(network);
      return created;
    });
  }

  update(number: number, changed: Partial<Omit<ApplicationRecord, 'number' | 'type'>>): void {
    this.#change(() => this.#write.put({ ...changeable(this.#recordOf(number), changed), ...changed }));
  }

  /**
   * Replaces the keys of an application, or of the administrators for null, in one step.
   * @param changed  receives the present keys and returns all keys from then on; its exception leaves them unchanged
   */
  changeKeys(number: number | null, changed: (keys: readonly StoredKey[]) => readonly StoredKey[]): void {
    this.#change(() => {
      if (number === null) return this.#administration.saveAdministrators(changed(this.#readAdministrators()));
      const application = changeable(this.#recordOf(number));
      this.#write.put({ ...application, keys: changed(application.keys) });
    });
  }

  /** Gives the application a new number, and with it no pictures, in one step. */
  empty(number: number): ApplicationRecord {
    return this.#change(() => {
      const application = changeable(this.#recordOf(number));
      const emptied = { ...application, number: this.#nextNumber(), origin: application.origin ?? number };
      this.#write.delete(number);
      this.#write.put(emptied);
      return emptied;
    });
  }

  /**
   * Every answer after this excludes the application and its pictures; the server frees the space later. Its network is
   * deleted with the last application that has it.
   */
  delete(number: number): void {
    this.#change(() => {
      const { applications } = readApplications(this.#database);
      const network = applications.find((it) => it.number === number)?.network;
      const isShared = applications.some((it) => it.number !== number && it.network?.digest === network?.digest);
      this.#write.delete(number);
      if (network && !isShared) this.#networks.delete(embeddingName(network));
    });
  }

  close(): void {
    if (this.#refusal === undefined) this.#database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
    this.#database.close();
  }

  #current(): Known {
    if (this.#known.revision !== this.revision()) this.#known = this.#read();
    return this.#known;
  }

  #read(): Known {
    const revision = this.revision(); // before the rows, so that a change in between triggers another read
    const { applications, deleted, damages } = this.#readRows();
    for (const damage of damages) {
      const name = damage.application ?? damage.what;
      if (!this.#reported.has(name)) this.#onDamage(damage);
      this.#reported.add(name);
    }
    const administrators = this.#readAdministrators();
    const keys = [...administrators, ...applications.flatMap((application) => application.keys)];
    return { revision, applications, deleted, administrators, digests: new Set(keys.map(({ digest }) => digest)) };
  }

  /** The rows, without the keys of outdated ones. */
  #readRows() {
    const found = readApplications(this.#database);
    return this.#outdated.size > 0 ? { ...found, applications: withoutOldKeys(found, this.#outdated) } : found;
  }

  #readAdministrators(): readonly StoredKey[] {
    const old = this.#outdated.get(ADMINISTRATORS);
    if (old !== undefined && rowDigests(this.#database).digests.get(ADMINISTRATORS) === old) return [];
    return this.#administration.administrators();
  }

  #recordOf(number: number): ApplicationRecord {
    const application = this.#readRows().applications.find((it) => it.number === number);
    if (!application) throw fail('UNKNOWN_APPLICATION', `number ${number}`);
    return application;
  }

  #nextNumber(): number {
    const known = this.#identified ? readIdentity(this.#database).applications : 0;
    return Math.max(known, highestApplication(this.#database)) + 1;
  }

  #change<T>(work: () => T): T {
    if (this.#refusal !== undefined) throw fail('STORE_READ_ONLY', this.#refusal);
    try {
      const images = this.#images();
      const begun = () => ({ result: work(), highest: highestApplication(this.#database) });
      const result = images ? beginGeneration(this.#database, images, begun)! : inTransaction(this.#database, work);
      if (images) noteGeneration(this.#folder, readIdentity(this.#database).generation.count);
      this.#ownChanges++;
      return result;
    } catch (cause) {
      if (cause instanceof Failure) throw cause;
      throw fail(isDamaged(cause) ? 'STORE_DAMAGED' : 'STORE_WRITE_FAILED', (cause as Error).message);
    }
  }

  /** Undefined if damage makes generations impossible. */
  #images(): Connection | undefined {
    if (!this.#identified) return undefined;
    try {
      return (this.#openedImages ??= openImages(this.#folder));
    } catch (cause) {
      if (!isDamaged(cause)) throw cause;
      return undefined;
    }
  }
}
