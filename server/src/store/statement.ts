import type { Connection } from './database.ts';

export type Value = number | string | Uint8Array | null;

/**
 * A statement that can be used again after an error. libsql does not reset a failed statement, so that each later
 * call fails as well, even on sound rows; this class prepares it again.
 */
export class Statement {
  readonly #database: Connection;
  readonly #sql: string;
  #prepared: ReturnType<Connection['prepare']> | undefined;

  /** does not throw if the statement contradicts the tables: the first call does, or `prepare` */
  constructor(database: Connection, sql: string) {
    this.#database = database;
    this.#sql = sql;
  }

  /** @throws if the statement contradicts the tables */
  prepare(): this {
    this.#prepared ??= this.#database.prepare(this.#sql);
    return this;
  }

  /** The first row; undefined if there is none. */
  get<Row>(...values: readonly Value[]): Row | undefined {
    return this.#use((statement) => statement.get([...values]) as Row | undefined);
  }

  all<Row>(...values: readonly Value[]): Row[] {
    return this.#use((statement) => statement.all([...values]) as Row[]);
  }

  run(...values: readonly Value[]): { readonly changes: number; readonly lastInsertRowid: number | bigint } {
    return this.#use((statement) => statement.run([...values]));
  }

  #use<T>(call: (statement: ReturnType<Connection['prepare']>) => T): T {
    try {
      return call((this.#prepared ??= this.#database.prepare(this.#sql)));
    } catch (cause) {
      this.#prepared = undefined;
      throw cause;
    }
  }
}

/** A statement of `database` for each text. */
export function statementsOf(database: Connection): (sql: string) => Statement {
  return (sql) => new Statement(database, sql);
}
