import type { Connection } from './database.ts';
import { statementsOf } from './statement.ts';

/**
 * Records the number of rows of an application in a table and the sum of their checksums mod 2³². It reveals rows that
 * disappear with a damaged page, which SQLite alone would not report.
 */
export interface Tally {
  readonly count: number;
  readonly sum: number;
}

export function isTally({ count, sum }: Tally, rows: readonly { readonly crc: number }[]): boolean {
  return rows.length === count && rows.reduce((total, { crc }) => (total + crc) >>> 0, 0) === sum;
}

export function tallyWriter(database: Connection, table: string) {
  const sql = statementsOf(database);
  const count = sql(`INSERT INTO ${table} VALUES (?, 1, ?)
     ON CONFLICT (application) DO UPDATE SET count = count + 1, sum = (sum + excluded.sum) & 4294967295`).prepare();
  const discount = sql(
    `UPDATE ${table} SET count = count - ?, sum = (sum - ?) & 4294967295 WHERE application = ?`,
  ).prepare();
  const forget = sql(`DELETE FROM ${table} WHERE application = ?`).prepare();
  return {
    count: (application: number, crc: number): void => void count.run(application, crc),
    discount(application: number, rows: readonly { readonly crc: number }[]): void {
      const sum = rows.reduce((total, { crc }) => total + crc, 0);
      if (rows.length > 0) discount.run(rows.length, sum, application);
    },
    forget: (application: number): void => void forget.run(application),
  };
}

export function tallyReader(database: Connection, table: string) {
  const sql = statementsOf(database);
  const one = sql(
    `SELECT CAST(count AS INTEGER) AS count, CAST(sum AS INTEGER) AS sum FROM ${table} WHERE application = ?`,
  );
  const all = sql(`SELECT application FROM ${table}`);
  return {
    of: (application: number): Tally => one.get<Tally>(application) ?? { count: 0, sum: 0 },
    applications: () => all.all<{ application: number }>().map(({ application }) => application),
  };
}
