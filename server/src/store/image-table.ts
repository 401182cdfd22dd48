import { crc32c } from '@sosia/engine/crc32c';
import { inTransaction } from './database.ts';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import type { Damage, ImageRecord } from './store.ts';

/**
 * One row a picture. `tallies` says how many an application has and the sum of their checksums mod 2³², so that
 * rows which disappear with a damaged page are missed; without it, SQLite would not say a word.
 */
export const imageSchema = `
  CREATE TABLE images (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    application INTEGER NOT NULL,
    id BLOB NOT NULL,
    keywords BLOB NOT NULL,
    crc INTEGER NOT NULL,
    dna BLOB NOT NULL
  );
  CREATE INDEX images_of_application ON images (application);
  CREATE TABLE tallies (application INTEGER PRIMARY KEY, count INTEGER NOT NULL, sum INTEGER NOT NULL)`;

/**
 * Read with casts, since a damaged row may hold anything where a text or a number was: libsql ends the whole process
 * over a text that is not UTF-8.
 */
const columns = `number, CAST(application AS INTEGER) AS application, CAST(crc AS INTEGER) AS crc,
  CAST(id AS BLOB) AS id, CAST(keywords AS BLOB) AS keywords, CAST(dna AS BLOB) AS dna`;

interface Row {
  readonly number: number;
  readonly application: number;
  readonly crc: number;
  /** UTF-8. */
  readonly id: Uint8Array;
  /** A JSON list, UTF-8. */
  readonly keywords: Uint8Array;
  readonly dna: Uint8Array;
}

const utf8 = new TextEncoder();
const text = new TextDecoder('utf-8', { ignoreBOM: true });

/** The lengths are in it, so that no byte can move from one field to the next. */
function checksum({ application, number, id, keywords, dna }: Omit<Row, 'crc'>): number {
  const head = utf8.encode([application, number, id.length, keywords.length, dna.length].join());
  return [id, keywords, dna].reduce((crc, field) => crc32c(field, crc), crc32c(head));
}

export type Change =
  | { readonly kind: 'append'; readonly application: number; readonly image: Omit<ImageRecord, 'number'> }
  | { readonly kind: 'remove'; readonly application: number; readonly number: number }
  /** Removes some of what an application has, at most PURGED rows. */
  | { readonly kind: 'purge'; readonly application: number };

const PURGED = 256;

/**
 * Commits changes together: durable on return, or an exception and none of them.
 * @returns a number for each: the picture's for an append, how many pictures went for the others
 */
export type Commit = (changes: readonly Change[]) => number[];

/** Reads the highest number given and changes nothing until it is called. */
export function imageWriter(database: Connection): Commit {
  const insert = database.prepare(
    'INSERT INTO images (number, application, id, keywords, crc, dna) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const count = database.prepare(
    `INSERT INTO tallies VALUES (?, 1, ?)
     ON CONFLICT (application) DO UPDATE SET count = count + 1, sum = (sum + excluded.sum) & 4294967295`,
  );
  const remove = database.prepare(
    'DELETE FROM images WHERE number = ? AND application = ? RETURNING CAST(crc AS INTEGER) AS crc',
  );
  const discount = database.prepare(
    'UPDATE tallies SET count = count - 1, sum = (sum - ?) & 4294967295 WHERE application = ?',
  );
  const forget = database.prepare('DELETE FROM tallies WHERE application = ?');
  const purge = database.prepare(
    `DELETE FROM images WHERE number IN (SELECT number FROM images WHERE application = ? LIMIT ${PURGED})`,
  );
  // the sequence remembers numbers whose pictures are removed
  const highest = database.prepare(
    `SELECT max(number) AS number FROM (
       SELECT CAST(seq AS INTEGER) AS number FROM sqlite_sequence WHERE name = 'images'
       UNION ALL SELECT max(number) FROM images)`,
  );
  let last = (highest.get() as { number: number | null }).number ?? 0;

  function apply(change: Change): number {
    const { application } = change;
    switch (change.kind) {
      case 'append': {
        const { id, keywords, dna } = change.image;
        const number = ++last;
        const row = { number, application, id: utf8.encode(id), keywords: utf8.encode(JSON.stringify(keywords)), dna };
        const crc = checksum(row);
        insert.run(number, application, row.id, row.keywords, crc, dna);
        count.run(application, crc);
        return number;
      }
      case 'remove': {
        const [removed] = remove.all(change.number, application) as Pick<Row, 'crc'>[];
        if (removed) discount.run(removed.crc, application);
        return removed ? 1 : 0;
      }
      case 'purge':
        forget.run(application);
        return purge.run(application).changes;
    }
  }
  return (changes) => inTransaction(database, () => changes.map(apply));
}

export interface ImageReader {
  /** All that have pictures or had some. */
  applications(): number[];
  /** Undefined where there is no such picture. */
  dna(application: number, number: number): Uint8Array | Damage | undefined;
  /**
   * The pictures of an application in the order of their numbers, from one moment: the generator holds a read
   * transaction until it is finished or returned, and a connection can carry one at a time.
   */
  replay(application: number): Generator<ImageRecord | Damage>;
}

export function isDamage(found: ImageRecord | Uint8Array | Damage): found is Damage {
  return 'what' in found;
}

export function imageReader(database: Connection): ImageReader {
  const select = database.prepare(`SELECT ${columns} FROM images WHERE number = ?`);
  const listing = (index: string) =>
    database.prepare(
      `SELECT number, CAST(crc AS INTEGER) AS crc FROM images ${index} WHERE application = ? ORDER BY number`,
    );
  const byIndex = listing('INDEXED BY images_of_application');
  const byTable = listing('NOT INDEXED');
  const applications = database.prepare(
    'SELECT application FROM tallies UNION SELECT CAST(application AS INTEGER) FROM images',
  );
  const tally = database.prepare(
    'SELECT CAST(count AS INTEGER) AS count, CAST(sum AS INTEGER) AS sum FROM tallies WHERE application = ?',
  );

  function read(application: number, number: number): ImageRecord | Damage | undefined {
    const damage = { file: fileNames.images, application, number };
    try {
      const row = select.get(number) as Row | undefined;
      if (row?.application !== application) return undefined;
      const { crc, dna } = row;
      const id = text.decode(row.id);
      const expected = checksum(row);
      if (crc === expected) return { number, id, keywords: JSON.parse(text.decode(row.keywords)), dna };
      return { ...damage, id, what: `expected the checksum ${expected}, found ${crc}` };
    } catch (cause) {
      return { ...damage, what: (cause as Error).message };
    }
  }

  /** The numbers of an application's pictures: by the index, and where the tally says that these are not all, by the table too. */
  function list(application: number): { numbers: number[]; damage?: Damage } {
    const expected = (tally.get(application) as { count: number; sum: number } | undefined) ?? { count: 0, sum: 0 };
    const found = new Map<number, number>();
    let fault = '';
    for (const statement of [byIndex, byTable]) {
      try {
        for (const { number, crc } of statement.iterate(application) as Iterable<Row>) found.set(number, crc);
      } catch (cause) {
        fault = `: ${(cause as Error).message}`;
      }
      let sum = 0;
      for (const crc of found.values()) sum = (sum + crc) >>> 0;
      if (!fault && found.size === expected.count && sum === expected.sum) return { numbers: [...found.keys()] };
    }
    const what = `expected ${expected.count} pictures by the tally, found ${found.size} or not the same${fault}`;
    const numbers = [...found.keys()].sort((a, b) => a - b);
    return { numbers, damage: { file: fileNames.images, application, what } };
  }

  return {
    applications: () => (applications.all() as Row[]).map(({ application }) => application),
    dna(application, number) {
      const found = read(application, number);
      return found && (isDamage(found) ? found : found.dna);
    },
    *replay(application) {
      database.exec('BEGIN');
      try {
        const { numbers, damage } = list(application);
        if (damage) yield damage;
        for (const number of numbers) {
          yield read(application, number) ?? { file: fileNames.images, application, number, what: 'its row is gone' };
        }
      } finally {
        if (database.inTransaction) database.exec('COMMIT'); // an error of the disk may have ended it
      }
    },
  };
}
