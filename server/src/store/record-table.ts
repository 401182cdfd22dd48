import { randomInt } from 'node:crypto';
import { crc32c } from '@sosia/engine/dna/crc32c';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import { statementsOf, type Statement, type Value } from './statement.ts';
import type { Damage, RecordChange, StoredRecord } from './store.ts';

const columns = `CAST(application AS INTEGER) AS application, CAST(kind AS BLOB) AS kind, CAST(id AS BLOB) AS id,
  CAST(version AS INTEGER) AS version, CAST(crc AS INTEGER) AS crc, CAST(body AS BLOB) AS body`;

interface Row {
  readonly application: number;
  readonly kind: Uint8Array;
  readonly id: Uint8Array;
  readonly version: number;
  readonly crc: number;
  readonly body: Uint8Array;
}

const utf8 = new TextDecoder('utf-8', { ignoreBOM: true });

/** Rows that are read at a time behind damaged ones. */
const PAGE_ROWS = 1000;

function checksum(application: number, name: string, version: number, body: Uint8Array): number {
  return crc32c(body, crc32c(new TextEncoder().encode(JSON.stringify([application, name, version, body.length]))));
}

/** Drawn, so that a record which was removed and put again has another version than before. */
const drawnVersion = (): number => randomInt(1, 2 ** 47);

/** For a call inside a transaction. */
export function recordWriter(database: Connection, firstVersion = drawnVersion) {
  const sql = statementsOf(database);
  const select = sql(
    'SELECT CAST(version AS INTEGER) AS version FROM records WHERE application = ? AND kind = ? AND id = ?',
  );
  const put = sql(`INSERT INTO records (application, kind, id, version, crc, body) VALUES (?, ?, ?, ?, ?, ?)
     ON CONFLICT (application, kind, id) DO UPDATE SET version = excluded.version, crc = excluded.crc, body = excluded.body`);
  const remove = sql('DELETE FROM records WHERE application = ? AND kind = ? AND id = ?');
  const purge = sql('DELETE FROM records WHERE application = ?');
  const addDetails = sql('INSERT INTO details (number, application, crc, body) VALUES (?, ?, ?, ?)');
  const removeDetails = sql('DELETE FROM details WHERE number = ? AND application = ?');
  const purgeDetails = sql(
    'DELETE FROM details WHERE number IN (SELECT number FROM images WHERE application = ? LIMIT ?)',
  );
  return {
    /** Whether the changes were made: all of them, or none where a version is not the expected one. */
    change(application: number, changes: readonly RecordChange[]): boolean {
      for (const { kind, id, expected } of changes) {
        if (expected === undefined) continue;
        const found = select.get<{ version: number }>(application, kind, id)?.version ?? 0;
        if (found !== expected) return false;
      }
      for (const { kind, id, body } of changes) {
        if (body === null) {
          remove.run(application, kind, id);
          continue;
        }
        const known = select.get<{ version: number }>(application, kind, id);
        const version = known ? known.version + 1 : firstVersion();
        put.run(application, kind, id, version, checksum(application, `${kind} ${id}`, version, body), body);
      }
      return true;
    },
    purge: (application: number): void => void purge.run(application),
    /** Those of the first `most` pictures of an application, before these are removed. */
    purgeDetails: (application: number, most: number): void => void purgeDetails.run(application, most),
    addDetails(application: number, number: number, body: Uint8Array): void {
      addDetails.run(number, application, checksum(application, 'details', number, body), body);
    },
    removeDetails: (application: number, number: number): void => void removeDetails.run(number, application),
  };
}

/** @param onDamage  called for a record that fails its checksum; it is left out */
export function recordReader(database: Connection, onDamage: (damage: Damage) => void = () => {}) {
  const sql = statementsOf(database);
  const select = sql(`SELECT ${columns} FROM records WHERE application = ? AND kind = ? ORDER BY id`);
  const one = sql(`SELECT ${columns} FROM records WHERE application = ? AND kind = ? AND id = ?`);
  const after = sql(
    `SELECT ${columns} FROM records WHERE application = ? AND kind = ? AND id > ? ORDER BY id LIMIT ? OFFSET ?`,
  );
  const last = sql(
    `SELECT ${columns} FROM records WHERE application = ? AND kind = ? ORDER BY id DESC LIMIT ? OFFSET ?`,
  );
  const every = sql(`SELECT ${columns} FROM records ORDER BY number`);
  const details = sql(`SELECT CAST(application AS INTEGER) AS application, CAST(crc AS INTEGER) AS crc,
       CAST(body AS BLOB) AS body FROM details WHERE number = ?`);

  function checked({ application, kind, id, version, crc, body }: Row): (StoredRecord & Named)[] {
    const record = { application, kind: utf8.decode(kind), id: utf8.decode(id), version, body: new Uint8Array(body) };
    const expected = checksum(application, `${record.kind} ${record.id}`, version, record.body);
    if (crc === expected) return [record];
    const what = `the record ${record.kind} ${record.id}: expected the checksum ${expected}, found ${crc}`;
    onDamage({ file: fileNames.images, application, records: 0, what });
    return [];
  }

  /** Empty only where no sound record is left. Offsets end the loop, whatever a damaged id is. */
  function page(of: Statement, values: readonly Value[], count: number): StoredRecord[] {
    for (let read = 0, size = count; ; read += size, size = PAGE_ROWS) {
      const rows = of.all<Row>(...values, size, read);
      const found = rows.flatMap(checked);
      if (found.length > 0 || rows.length < size) return found.slice(0, count);
    }
  }

  function attempt<T>(work: () => T[]): T[] {
    try {
      return work();
    } catch (cause) {
      onDamage({ file: fileNames.images, records: 0, what: `records: ${(cause as Error).message}` });
      return [];
    }
  }

  return {
    records: (application: number, kind: string) => attempt(() => select.all<Row>(application, kind).flatMap(checked)),
    record: (application: number, kind: string, id: string): StoredRecord | undefined =>
      attempt(() => one.all<Row>(application, kind, id).flatMap(checked))[0],
    recordsAfter: (application: number, kind: string, id: string, count: number): StoredRecord[] =>
      attempt(() => page(after, [application, kind, id], count)),
    lastRecord: (application: number, kind: string): StoredRecord | undefined =>
      attempt(() => page(last, [application, kind], 1))[0],
    all: () => attempt(() => every.all<Row>().flatMap(checked)),
    details(application: number, number: number): Uint8Array | undefined {
      const [row] = attempt(() => details.all<{ application: number; crc: number; body: Uint8Array }>(number));
      if (row?.application !== application) return undefined;
      const body = new Uint8Array(row.body);
      if (row.crc === checksum(application, 'details', number, body)) return body;
      onDamage({ file: fileNames.images, application, number, records: 0, what: 'its details fail their checksum' });
      return undefined;
    },
  };
}

export interface Named {
  readonly application: number;
  readonly kind: string;
}
