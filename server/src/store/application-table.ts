import { createHash } from 'node:crypto';
import { crc32c } from '@sosia/engine/dna/crc32c';
import { AdministrationTable } from './administration-table.ts';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import { ADMINISTRATORS, type RowDigests } from './row-digests.ts';
import { statementsOf } from './statement.ts';
import type { ApplicationRecord, Damage } from './store.ts';
import { sweep, type Span } from './sweep.ts';

/** A higher number means damage. */
const MOST_APPLICATIONS = 1_000_000;

/** With casts, since a damaged row may contain any type: libsql ends the process on text that is not UTF-8. */
const columns = 'number, CAST(crc AS INTEGER) AS crc, CAST(record AS BLOB) AS record';

interface Row {
  readonly number: number;
  readonly crc: number;
  /** JSON of the remaining fields of an ApplicationRecord. */
  readonly record: Uint8Array | null;
}

function checksum(number: number, record: string | null): number {
  return crc32c(new TextEncoder().encode(JSON.stringify([number, record])));
}

/** These applications; those with an outdated row have no key that is accepted, since one may have been revoked. */
export function withoutOldKeys(
  { applications, digests }: Pick<ReturnType<typeof readApplications>, 'applications' | 'digests'>,
  outdated: RowDigests,
): ApplicationRecord[] {
  return applications.map((it) => (outdated.get(it.number) === digests.get(it.number) ? { ...it, keys: [] } : it));
}

/** 128 bits. */
function digestOf(row: string | Uint8Array): string {
  return createHash('sha256').update(row).digest('hex').slice(0, 32);
}

/** Of the rows that pass their checks. `whole`: these are all rows. */
export function rowDigests(applications: Connection): { digests: RowDigests; whole: boolean } {
  const { digests, damages } = readApplications(applications);
  try {
    const administrators = new AdministrationTable(applications, () => {}).administratorsRow();
    if (administrators) digests.set(ADMINISTRATORS, digestOf(administrators));
    return { digests, whole: damages.length === 0 };
  } catch {
    return { digests, whole: false };
  }
}

/** Writes rows with given numbers, inside a transaction. */
export function applicationWriter(database: Connection) {
  const write = statementsOf(database)(`INSERT INTO applications (record, crc, number) VALUES (?, ?, ?)
     ON CONFLICT (number) DO UPDATE SET record = excluded.record, crc = excluded.crc`);
  return {
    put({ number, ...rest }: ApplicationRecord): void {
      const record = JSON.stringify(rest);
      write.run(record, checksum(number, record), number);
    },
    /** The row stays, and with it the number. */
    delete(number: number): void {
      write.run(null, checksum(number, null), number);
    },
  };
}

/** All rows that pass their checks. */
export function readApplications(database: Connection): {
  applications: ApplicationRecord[];
  deleted: number[];
  /** Of each of these rows, by number. */
  digests: Map<number, string>;
  /** The highest number ever assigned, as far as readable. */
  highest: number;
  damages: Damage[];
} {
  const applications: ApplicationRecord[] = [];
  const deleted: number[] = [];
  const digests = new Map<number, string>();
  const damages: Damage[] = [];
  const file = fileNames.applications;
  const sql = statementsOf(database);
  const select = sql(
    `SELECT ${columns} FROM applications WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?`,
  ).prepare();
  const attempt = (text: string): number | undefined => {
    try {
      return sql(text).get<{ number: number }>()!.number;
    } catch {
      return undefined;
    }
  };
  const highest = attempt('SELECT coalesce(max(number), 0) AS number FROM applications');
  const assigned = attempt(
    "SELECT coalesce(CAST(max(seq) AS INTEGER), 0) AS number FROM sqlite_sequence WHERE name = 'applications'",
  );
  if (highest !== assigned) {
    const found = highest === undefined ? 'numbers that cannot be read' : `numbers up to ${highest}`;
    damages.push({ file, what: `expected ${assigned ?? 'an unknown number of'} applications, found ${found}` });
  }

  const rows: number[] = [];
  // a damaged sequence may be any number, so the rows count
  const unreadable = sweep<Row>(
    (...range) => select.all<Row>(...range),
    highest ?? assigned ?? 0,
    (row) => {
      rows.push(row.number);
      const found = readApplication(row);
      if ('what' in found) damages.push(found);
      else if ('keys' in found) applications.push(found);
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
  return { applications, deleted, digests, highest: Math.max(0, ...numbers), damages };

  function readApplication({ number, ...row }: Row): ApplicationRecord | { deleted: true } | Damage {
    const damage = { file, application: number };
    try {
      const text = new TextDecoder();
      const record = row.record && text.decode(row.record);
      const expected = checksum(number, record);
      if (row.crc !== expected) return { ...damage, what: `expected the checksum ${expected}, found ${row.crc}` };
      digests.set(number, digestOf(JSON.stringify([number, record])));
      return record ? { number, ...(JSON.parse(record) as Omit<ApplicationRecord, 'number'>) } : { deleted: true };
    } catch (cause) {
      return { ...damage, what: (cause as Error).message };
    }
  }
}
