import { crc32c } from '@sosia/engine/dna/crc32c';
import type { Connection } from './database.ts';
import { type Statement, statementsOf } from './statement.ts';

/** The number of the row of the keys of administrators. */
export const ADMINISTRATORS = 0;

/** Digests of the rows of applications.db by number. */
export type RowDigests = ReadonlyMap<number, string>;

/** What images.db says of one row. */
export interface KnownRow {
  /** Missing before the first change of the row is finished. */
  readonly digest?: string;
  /** After a change that has begun. An interruption leaves it here, whether the change was made or not. */
  readonly next?: string;
  /** Of an earlier row, which damage has brought back. */
  readonly outdated?: string;
}

/** Rows that differ from what images.db says of them. */
export interface Difference {
  /** Rows that images.db has noted as outdated. */
  readonly outdated: RowDigests;
  /** All other rows that are not the ones that images.db knows. */
  readonly other: RowDigests;
  /** Numbers of rows that images.db knows and that are not there. */
  readonly missing: readonly number[];
}

export class RowDigestTable {
  readonly #select: Statement;
  readonly #begun: Statement;
  readonly #put: Statement;
  readonly #clear: Statement;
  readonly #remove: Statement;

  constructor(images: Connection) {
    const sql = statementsOf(images);
    this.#select = sql(
      'SELECT number, CAST(record AS BLOB) AS record, CAST(crc AS INTEGER) AS crc FROM row_digests ORDER BY number',
    );
    this.#begun = sql(`SELECT 1 FROM row_digests WHERE instr(record, CAST('"next"' AS BLOB)) LIMIT 1`);
    this.#put = sql('INSERT OR REPLACE INTO row_digests (number, record, crc) VALUES (?, ?, ?)');
    this.#clear = sql('DELETE FROM row_digests');
    this.#remove = sql('DELETE FROM row_digests WHERE number = ?');
  }

  /** Rows that fail their checksum are left out, and said to `onDamage`. */
  read(onDamage: (what: string) => void = () => {}): Map<number, KnownRow> {
    const found = new Map<number, KnownRow>();
    const rows = this.#select.all<{ number: number; record: Uint8Array; crc: number }>();
    for (const { number, record: bytes, crc } of rows) {
      const record = new Uint8Array(bytes);
      if (crc === checksum(number, record)) found.set(number, JSON.parse(new TextDecoder().decode(record)) as KnownRow);
      else onDamage(`the digest of the row of application ${number} fails its checksum`);
    }
    return found;
  }

  /** Takes all rows as they are; those known as outdated stay so. */
  replace(rows: RowDigests): void {
    const known = this.read();
    this.#clear.run();
    for (const [number, digest] of rows) {
      const { outdated } = known.get(number) ?? {};
      this.#write(number, { digest, outdated: outdated === digest ? outdated : undefined });
    }
  }

  /** Notes the rows that a change is about to write. */
  begin(before: RowDigests, after: RowDigests): void {
    const known = this.read();
    for (const [number, next] of after) {
      const digest = before.get(number);
      if (digest === next) continue;
      const old = known.get(number);
      const isOutdated = digest !== undefined && old?.outdated === digest;
      this.#write(number, { ...(isOutdated ? old : { digest }), next });
    }
  }

  /** After damage, so that the rows that it has brought back stay known as such. */
  note({ other, missing }: Pick<Difference, 'other' | 'missing'>): void {
    const known = this.read();
    for (const [number, outdated] of other) this.#write(number, { ...known.get(number), outdated });
    for (const number of missing) this.#remove.run(number);
  }

  /** Whether a change has begun and not ended. */
  hasBegun(): boolean {
    return this.#begun.get() !== undefined;
  }

  /** After a change, beside other processes that may have begun one since. */
  finish(after: RowDigests): void {
    for (const [number, { next }] of this.read())
      if (next !== undefined && after.get(number) === next) this.#write(number, { digest: next });
  }

  /** Ends changes that were interrupted. No other process may be changing rows. */
  settle(rows: RowDigests): void {
    for (const [number, { digest, next, outdated }] of this.read()) {
      const found = rows.get(number);
      if (next === undefined || (found !== next && found !== digest)) continue;
      if (found === outdated && found !== undefined) continue;
      if (found === undefined) this.#remove.run(number);
      else this.#write(number, { digest: found });
    }
  }

  /** Fields that are undefined are not stored. */
  #write(number: number, known: { readonly [Field in keyof KnownRow]?: string | undefined }): void {
    const record = Buffer.from(JSON.stringify(known));
    this.#put.run(number, record, checksum(number, record));
  }
}

/** Compares the rows of applications.db that can be read with what images.db says of them. */
export function differenceOf(rows: RowDigests, known: ReadonlyMap<number, KnownRow>): Difference {
  const other = new Map<number, string>();
  const outdated = new Map<number, string>();
  for (const [number, digest] of rows) {
    const row = known.get(number);
    if (row?.outdated === digest) outdated.set(number, digest);
    else if (row && row.digest !== digest && row.next !== digest) other.set(number, digest);
  }
  const missing = [...known].filter(([number, { digest }]) => digest !== undefined && !rows.has(number));
  return { outdated, other, missing: missing.map(([number]) => number) };
}

function checksum(number: number, record: Uint8Array): number {
  return crc32c(record, crc32c(new TextEncoder().encode(`the row ${number},`)));
}
