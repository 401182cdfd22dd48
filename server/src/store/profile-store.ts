import {
  isNetwork,
  isProfileName,
  openNetwork,
  openProfile,
  ProfileError,
  writeNetwork,
  writeProfile,
} from '@sosia/engine';
import { crc32c } from '@sosia/engine/crc32c';
import { fail } from '../errors.ts';
import type { Connection } from './database.ts';
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

/** With casts, since a damaged row may hold anything: libsql ends the whole process over a text that is not UTF-8. */
const columns =
  'CAST(block AS BLOB) AS block, CAST(report AS BLOB) AS report, CAST(mistakes AS BLOB) AS mistakes, CAST(crc AS INTEGER) AS crc';

interface Row {
  readonly block: Uint8Array;
  readonly report: Uint8Array;
  readonly mistakes: Uint8Array;
  readonly crc: number;
}

/** The trained profiles of a data folder, beside its applications: they share the file and so its commits. */
export function profileStore(
  database: Connection,
  change: <T>(work: () => T) => T,
  onDamage: (damage: Damage) => void,
): ProfileStore {
  // the block's own checksum tells contents apart: one over all of the row would be the same for all
  const names = database.prepare(`
    SELECT CAST(name AS BLOB) AS name, hex(substr(CAST(block AS BLOB), 1, 4)) AS start,
      hex(substr(CAST(block AS BLOB), -4)) AS checksum
    FROM profiles ORDER BY name`);
  const blockOf = database.prepare('SELECT CAST(block AS BLOB) AS block FROM profiles WHERE name = ?');
  const select = database.prepare(`SELECT ${columns} FROM profiles WHERE name = ?`);
  const insert = database.prepare('INSERT INTO profiles (name, block, report, mistakes, crc) VALUES (?, ?, ?, ?, ?)');
  const remove = database.prepare('DELETE FROM profiles WHERE name = ?');

  function read(name: string): ProfileRecord | undefined {
    const row = select.get(name) as Row | undefined;
    if (!row) return undefined;
    try {
      if (checksum(row) !== row.crc) throw new ProfileError(`expected the checksum ${checksum(row)}, found ${row.crc}`);
      const block = Uint8Array.from(row.block);
      const profile = isNetwork(block) ? openNetwork(block) : openProfile(block);
      return {
        profile,
        report: JSON.parse(new TextDecoder().decode(row.report)),
        mistakes: Uint8Array.from(row.mistakes),
      };
    } catch (cause) {
      onDamage({ file: fileNames.applications, what: `profile ${name}: ${(cause as Error).message}` });
      return undefined;
    }
  }

  function listed(): ProfileName[] {
    const rows = names.all() as { name: Uint8Array; start: string; checksum: string }[];
    return rows.map(({ name, start, checksum }) => {
      const text = new TextDecoder().decode(name);
      return { name: text, network: isNetwork(Buffer.from(start, 'hex')), mark: `${text} ${checksum}` };
    });
  }

  return {
    list: () => listed().flatMap(({ name }) => read(name) ?? []),
    find: read,
    names: listed,
    block(name) {
      const row = blockOf.get(name) as { block: Uint8Array } | undefined;
      return row && Uint8Array.from(row.block);
    },
    add({ profile, report, mistakes }) {
      change(() => {
        if (!isProfileName(profile.name)) throw fail('BAD_PROFILE', `a name of a-z, 0-9, - and _, got ${profile.name}`);
        if (select.get(profile.name)) throw fail('PROFILE_EXISTS', profile.name);
        const row = {
          block: 'model' in profile ? writeNetwork(profile) : writeProfile(profile),
          report: new TextEncoder().encode(JSON.stringify(report)),
          mistakes,
        };
        const text = new TextDecoder().decode(row.report);
        insert.run(profile.name, Buffer.from(row.block), text, Buffer.from(row.mistakes), checksum(row));
      });
    },
    delete(name) {
      change(() => {
        if (remove.run(name).changes === 0) throw fail('UNKNOWN_PROFILE', name);
      });
    },
  };
}

function checksum({ block, report, mistakes }: Omit<Row, 'crc'>): number {
  return crc32c(Buffer.concat([block, report, mistakes]));
}
