import { join } from 'node:path';
import { isProfileName, openNetwork, openProfile, ProfileError, writeNetwork, writeProfile } from '@sosia/engine';
import { crc32c } from '@sosia/engine/crc32c';
import { fail } from '../errors.ts';
import { openToRead, type Connection } from './database.ts';
import type { Damage, ProfileName, ProfileRecord, ProfileStore } from './store.ts';
import { fileNames } from './folder.ts';

export const profileSchema = `
  CREATE TABLE profiles (
    name TEXT PRIMARY KEY,
    block BLOB NOT NULL,
    report TEXT NOT NULL,
    mistakes BLOB NOT NULL,
    crc INTEGER NOT NULL
  )`;

/** Apart from the others, so that who asks for names does not read through networks. The block has a checksum of its own. */
export const networkSchema = `
  CREATE TABLE networks (
    name TEXT PRIMARY KEY,
    mark TEXT NOT NULL,
    block BLOB NOT NULL
  )`;

/** With casts, since a damaged row may hold anything: libsql ends the whole process over a text that is not UTF-8. */
const columns =
  'CAST(block AS BLOB) AS block, CAST(report AS BLOB) AS report, CAST(mistakes AS BLOB) AS mistakes, CAST(crc AS INTEGER) AS crc';

interface Row {
  readonly block: Uint8Array;
  readonly report: Uint8Array;
  readonly mistakes: Uint8Array;
  readonly crc: number;
}

/** Reads a network's block as it is stored, unchecked; undefined where there is none. */
function networkReader(database: Connection): (name: string) => Uint8Array | undefined {
  const select = database.prepare('SELECT CAST(block AS BLOB) AS block FROM networks WHERE name = ?');
  return (name) => {
    const row = select.get(name) as { block: Uint8Array } | undefined;
    return row && new Uint8Array(row.block);
  };
}

/**
 * The block of a network in a data folder, unchecked, for a process that has not opened the store.
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

/** The trained profiles of a data folder, beside its applications: they share the file and so its commits. */
export function profileStore(
  database: Connection,
  change: <T>(work: () => T) => T,
  onDamage: (damage: Damage) => void,
): ProfileStore {
  const names = database.prepare('SELECT CAST(name AS BLOB) AS name FROM profiles ORDER BY name');
  const networks = database.prepare(
    'SELECT CAST(name AS BLOB) AS name, CAST(mark AS BLOB) AS mark, length(block) AS bytes FROM networks ORDER BY name',
  );
  const block = networkReader(database);
  const insertNetwork = database.prepare('INSERT INTO networks (name, mark, block) VALUES (?, ?, ?)');
  const removeNetwork = database.prepare('DELETE FROM networks WHERE name = ?');
  const select = database.prepare(`SELECT ${columns} FROM profiles WHERE name = ?`);
  const insert = database.prepare('INSERT INTO profiles (name, block, report, mistakes, crc) VALUES (?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM profiles WHERE name = ?');

  function read(name: string): ProfileRecord | undefined {
    const row = select.get(name) as Row | undefined;
    try {
      const network = row ? undefined : block(name);
      if (network) return { profile: openNetwork(network), report: null, mistakes: new Uint8Array() };
      if (!row) return undefined;
      if (checksum(row) !== row.crc) throw new ProfileError(`expected the checksum ${checksum(row)}, found ${row.crc}`);
      return {
        profile: openProfile(Uint8Array.from(row.block)),
        report: JSON.parse(new TextDecoder().decode(row.report)),
        mistakes: Uint8Array.from(row.mistakes),
      };
    } catch (cause) {
      onDamage({ file: fileNames.applications, what: `profile ${name}: ${(cause as Error).message}` });
      return undefined;
    }
  }

  function listed(): ProfileName[] {
    const text = (bytes: Uint8Array): string => new TextDecoder().decode(bytes);
    const trained = (names.all() as { name: Uint8Array }[]).map(({ name }) => ({ name: text(name) }));
    const own = networks.all() as { name: Uint8Array; mark: Uint8Array; bytes: number }[];
    return [...trained, ...own.map(({ name, mark, bytes }) => ({ name: text(name), mark: text(mark), bytes }))];
  }

  return {
    list: () => listed().flatMap(({ name }) => read(name) ?? []),
    find: read,
    names: listed,
    add({ profile, report, mistakes }) {
      change(() => {
        if (!isProfileName(profile.name)) throw fail('BAD_PROFILE', `a name of a-z, 0-9, - and _, got ${profile.name}`);
        if (select.get(profile.name) ?? block(profile.name)) throw fail('PROFILE_EXISTS', profile.name);
        if ('model' in profile) {
          const network = writeNetwork(profile);
          const mark = `${profile.name} ${crc32c(network.subarray(0, -4))}`; // with its own checksum all would be alike
          insertNetwork.run(profile.name, mark, Buffer.from(network));
          return;
        }
        const row = {
          block: writeProfile(profile),
          report: new TextEncoder().encode(JSON.stringify(report)),
          mistakes,
        };
        const text = new TextDecoder().decode(row.report);
        insert.run(profile.name, Buffer.from(row.block), text, Buffer.from(row.mistakes), checksum(row));
      });
    },
    delete(name) {
      change(() => {
        if (remove.run(name).changes + removeNetwork.run(name).changes === 0) throw fail('UNKNOWN_PROFILE', name);
      });
    },
  };
}

function checksum({ block, report, mistakes }: Omit<Row, 'crc'>): number {
  return crc32c(Buffer.concat([block, report, mistakes]));
}
