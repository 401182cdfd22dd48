import { crc32c } from '@sosia/engine/dna/crc32c';
import type { Connection } from './database.ts';
import { type Statement, statementsOf } from './statement.ts';
import type { StoredKey } from './store.ts';

const ADMINISTRATORS = 1;
const LAST_USES = 2;

/** The keys of administrators and the last uses of all keys; changes are for the inside of a transaction. */
export class AdministrationTable {
  readonly #select: Statement;
  readonly #insert: Statement;
  readonly #onDamage: (what: string) => void;
  readonly #reported = new Set<number>();

  /** @param onDamage  called once for a row that fails its checksum; it counts as empty */
  constructor(database: Connection, onDamage: (what: string) => void) {
    const sql = statementsOf(database);
    this.#select = sql(
      'SELECT CAST(record AS BLOB) AS record, CAST(crc AS INTEGER) AS crc FROM administration WHERE number = ?',
    );
    this.#insert = sql('INSERT OR REPLACE INTO administration (number, record, crc) VALUES (?, ?, ?)');
    this.#onDamage = onDamage;
  }

  /** The stored row of the keys of administrators; undefined if there is none. Throws if it is damaged. */
  administratorsRow(): Uint8Array | undefined {
    return this.#sound(ADMINISTRATORS);
  }

  administrators(): readonly StoredKey[] {
    return this.#read<readonly StoredKey[]>(ADMINISTRATORS, []);
  }

  saveAdministrators(keys: readonly StoredKey[]): void {
    this.#write(ADMINISTRATORS, keys);
  }

  lastUses(): Readonly<Record<string, string>> {
    return this.#read(LAST_USES, {});
  }

  saveLastUses(uses: Readonly<Record<string, string>>): void {
    this.#write(LAST_USES, uses);
  }

  #sound(number: number): Uint8Array | undefined {
    const row = this.#select.get<{ record: Uint8Array; crc: number }>(number);
    if (!row) return undefined;
    const expected = checksum(number, row.record);
    if (row.crc !== expected) throw new Error(`expected the checksum ${expected}, found ${row.crc}`);
    return row.record;
  }

  #read<T>(number: number, none: T): T {
    try {
      const record = this.#sound(number);
      return record ? (JSON.parse(new TextDecoder().decode(record)) as T) : none;
    } catch (cause) {
      const what = number === ADMINISTRATORS ? 'the keys of administrators' : 'the last uses of keys';
      if (!this.#reported.has(number)) this.#onDamage(`${what}: ${(cause as Error).message}`);
      this.#reported.add(number);
      return none;
    }
  }

  #write(number: number, value: object): void {
    const record = Buffer.from(JSON.stringify(value));
    this.#insert.run(number, record, checksum(number, record));
  }
}

function checksum(number: number, record: Uint8Array): number {
  return crc32c(record, crc32c(new TextEncoder().encode(`${number},${record.length}`)));
}
