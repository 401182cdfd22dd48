import { join } from 'node:path';
import {
  isProfileName,
  openNetwork,
  openProfile,
  ProfileError,
  writeNetwork,
  writeProfile,
  type Network,
} from '@sosia/engine';
import { crc32c } from '@sosia/engine/dna/crc32c';
import { fail } from '../errors.ts';
import { openToRead, type Connection } from './database.ts';
import { type Statement, statementsOf } from './statement.ts';
import type { Damage, ProfileName, ProfileRecord } from './store.ts';
import { fileNames } from './folder.ts';
import { sweep } from './sweep.ts';

/** As many are tried if their number is unreadable. */
const MOST_PROFILES = 1000;

/** With casts, since a damaged row may contain any type: libsql ends the process on text that is not UTF-8. */
const columns =
  'CAST(block AS BLOB) AS block, CAST(report AS BLOB) AS report, CAST(mistakes AS BLOB) AS mistakes, CAST(crc AS INTEGER) AS crc';

interface Row {
  readonly block: Uint8Array;
  readonly report: Uint8Array;
  readonly mistakes: Uint8Array;
  readonly crc: number;
}

interface Named {
  readonly number: number;
  readonly name: Uint8Array;
}

/**
 * The names in a table of profiles, around unreadable rows. Later reads use the number of the row, since the index by
 * name may be damaged too.
 * @param columns  more columns, each after a comma
 */
function listOf<Row extends Named>(database: Connection, table: string, columns = ''): { rows: Row[]; whole: boolean } {
  const rows: Row[] = [];
  const range = statementsOf(database)(
    `SELECT rowid AS number, CAST(name AS BLOB) AS name ${columns} FROM ${table} NOT INDEXED WHERE rowid BETWEEN ? AND ? LIMIT ?`,
  );
  let foreign = 0; // rows of another table
  const unreadable = sweep<Row>(
    (...numbers) => range.all<Row>(...numbers),
    highestOf(database, table) ?? MOST_PROFILES,
    (row) => {
      if (!Object.values(row).includes(null)) rows.push(row);
      else foreign++;
    },
  );
  return { rows, whole: foreign + unreadable.length === 0 };
}

/** Undefined if unreadable. */
function highestOf(database: Connection, table: string): number | undefined {
  const highest = statementsOf(database)(`SELECT coalesce(max(rowid), 0) AS number FROM ${table} NOT INDEXED`);
  try {
    return highest.get<{ number: number }>()!.number;
  } catch {
    return undefined;
  }
}

function numberOf(database: Connection, table: string, name: string): number | undefined {
  return listOf(database, table).rows.find((row) => textOf(row.name) === name)?.number;
}

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes);
}

/** Reads the stored block of a network, unchecked; undefined if there is none. */
function networkReader(database: Connection): (name: string) => Uint8Array | undefined {
  const select = statementsOf(database)('SELECT CAST(block AS BLOB) AS block FROM networks WHERE rowid = ?');
  return (name) => {
    const number = numberOf(database, 'networks', name);
    const row = number === undefined ? undefined : select.get<{ block: Uint8Array }>(number);
    return row && new Uint8Array(row.block);
  };
}

/**
 * The block of a network in a data folder, unchecked, for a process without an open store.
 * @throws Failure UNKNOWN_PROFILE
 */
export function storedNetwork(folder: string, name: string): Uint8Array {
  const database = openToRead(join(folder, fileNames.applications));
  try {
    const block = networkReader(database)(name);
    if (!block) throw fail('UNKNOWN_PROFILE', name);
    return block;
  } finally {
    database.close();
  }
}

/** The networks of a data folder; changes are for the inside of a transaction. */
export function networkTable(database: Connection) {
  const sql = statementsOf(database);
  const insert = sql('INSERT INTO networks (name, mark, block) VALUES (?, ?, ?)');
  const remove = sql('DELETE FROM networks WHERE name = ?');
  return {
    block: networkReader(database),
    add(network: Network): void {
      const block = writeNetwork(network);
      const mark = `${network.name} ${crc32c(block.subarray(0, -4))}`; // with their own checksum all would be the same
      insert.run(network.name, mark, Buffer.from(block));
    },
    /** The number of networks deleted. */
    delete: (name: string): number => remove.run(name).changes,
  };
}

/** The trained profiles of a data folder, shared by its applications by name, in the database of these, so that both share commits. */
export class ProfileStore {
  readonly #database: Connection;
  readonly #change: <T>(work: () => T) => T;
  readonly #onDamage: (damage: Damage) => void;
  readonly #reported = new Set<string>();
  readonly #networks: ReturnType<typeof networkTable>;
  readonly #select: Statement;
  readonly #insert: Statement;
  readonly #remove: Statement;

  constructor(database: Connection, change: <T>(work: () => T) => T, onDamage: (damage: Damage) => void) {
    this.#database = database;
    this.#change = change;
    this.#onDamage = onDamage;
    this.#networks = networkTable(database);
    const sql = statementsOf(database);
    this.#select = sql(`SELECT ${columns} FROM profiles WHERE rowid = ?`);
    this.#insert = sql('INSERT INTO profiles (name, block, report, mistakes, crc) VALUES (?, ?, ?, ?, ?)');
    this.#remove = sql('DELETE FROM profiles WHERE name = ?');
  }

  /** As `names`. A profile that fails its checks is reported and left out. */
  list(): ProfileRecord[] {
    return this.names().flatMap(({ name }) => this.find(name) ?? []);
  }

  find(name: string): ProfileRecord | undefined {
    try {
      const row = this.#trainedOf(name);
      const network = row ? undefined : this.#networks.block(name);
      if (network) return { profile: ofName(name, openNetwork(network)), report: null, mistakes: new Uint8Array() };
      if (!row) return undefined;
      if (checksum(row) !== row.crc) throw new ProfileError(`expected the checksum ${checksum(row)}, found ${row.crc}`);
      return {
        profile: ofName(name, openProfile(Uint8Array.from(row.block))),
        report: JSON.parse(new TextDecoder().decode(row.report)) as ProfileRecord['report'],
        mistakes: Uint8Array.from(row.mistakes),
      };
    } catch (cause) {
      this.#report(`profile ${name}: ${(cause as Error).message}`);
      return undefined;
    }
  }

  /** All of them, unchecked, trained ones before networks; fast, because no network is read. */
  names(): ProfileName[] {
    const trained = listOf(this.#database, 'profiles');
    const own = listOf<Named & { mark: Uint8Array; bytes: number }>(
      this.#database,
      'networks',
      ', CAST(mark AS BLOB) AS mark, length(block) AS bytes',
    );
    if (!trained.whole || !own.whole) this.#report('some profiles cannot be read');
    return [
      ...trained.rows.map(({ name }) => ({ name: textOf(name) })).sort(byName),
      ...own.rows.map(({ name, mark, bytes }) => ({ name: textOf(name), mark: textOf(mark), bytes })).sort(byName),
    ];
  }

  /** @throws Failure PROFILE_EXISTS */
  add({ profile, report, mistakes }: ProfileRecord): void {
    this.#change(() => {
      const { name } = profile;
      if (!isProfileName(name)) throw fail('BAD_PROFILE', `a name of a-z, 0-9, - and _, got ${name}`);
      if (this.#trainedOf(name) ?? this.#networks.block(name)) throw fail('PROFILE_EXISTS', name);
      if ('model' in profile) return this.#networks.add(profile);
      const row = { block: writeProfile(profile), report: new TextEncoder().encode(JSON.stringify(report)), mistakes };
      const text = new TextDecoder().decode(row.report);
      this.#insert.run(name, Buffer.from(row.block), text, Buffer.from(row.mistakes), checksum(row));
    });
  }

  /** @throws Failure UNKNOWN_PROFILE */
  delete(name: string): void {
    this.#change(() => {
      if (this.#remove.run(name).changes + this.#networks.delete(name) === 0) throw fail('UNKNOWN_PROFILE', name);
    });
  }

  #trainedOf(name: string): Row | undefined {
    const number = numberOf(this.#database, 'profiles', name);
    return number === undefined ? undefined : this.#select.get<Row>(number);
  }

  /** Damages are reported once, not at every read. */
  #report(what: string): void {
    if (!this.#reported.has(what)) this.#onDamage({ file: fileNames.applications, what });
    this.#reported.add(what);
  }
}

export function byName(a: ProfileName, b: ProfileName): number {
  return Buffer.compare(Buffer.from(a.name), Buffer.from(b.name));
}

/** The block contains the name, so that damage of the row's own name is detected. */
function ofName<P extends { readonly name: string }>(name: string, profile: P): P {
  if (profile.name !== name) throw new ProfileError(`expected the name ${name}, found ${profile.name}`);
  return profile;
}

function checksum({ block, report, mistakes }: Omit<Row, 'crc'>): number {
  return crc32c(Buffer.concat([block, report, mistakes]));
}
