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
  CREATE TABLE IF NOT EXISTS images (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    application INTEGER NOT NULL,
    id TEXT NOT NULL,
    keywords TEXT NOT NULL,
    crc INTEGER NOT NULL,
    dna BLOB NOT NULL
  );
  CREATE INDEX IF NOT EXISTS images_of_application ON images (application);
  CREATE TABLE IF NOT EXISTS tallies (application INTEGER PRIMARY KEY, count INTEGER NOT NULL, sum INTEGER NOT NULL);`;

interface Row {
  readonly number: number;
  readonly application: number;
  readonly id: string;
  /** A JSON list. */
  readonly keywords: string;
  readonly crc: number;
  readonly dna: Uint8Array;
}

function checksum({ application, number, id, keywords, dna }: Omit<Row, 'crc'>): number {
  const named = new TextEncoder().encode(JSON.stringify([application, number, id, keywords]));
  return crc32c(dna, crc32c(named));
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

export function imageWriter(database: Connection): Commit {
  const insert = database.prepare(
    'INSERT INTO images (number, application, id, keywords, crc, dna) VALUES (?, ?, ?, ?, ?, ?)',
  );
  const count = database.prepare(
    `INSERT INTO tallies VALUES (?, 1, ?)
     ON CONFLICT (application) DO UPDATE SET count = count + 1, sum = (sum + excluded.sum) & 4294967295`,
  );
  const remove = database.prepare('DELETE FROM images WHERE number = ? AND application = ? RETURNING crc');
  const discount = database.prepare(
    'UPDATE tallies SET count = count - 1, sum = (sum - ?) & 4294967295 WHERE application = ?',
  );
  const forget = database.prepare('DELETE FROM tallies WHERE application = ?');
  const purge = database.prepare(
    `DELETE FROM images WHERE number IN (SELECT number FROM images WHERE application = ? LIMIT ${PURGED})`,
  );
  // AUTOINCREMENT keeps the highest number ever given, also over removals
  const highest = database.prepare("SELECT max(seq) AS number FROM sqlite_sequence WHERE name = 'images'");
  let last = (highest.get() as { number: number | null }).number ?? 0;

  function apply(change: Change): number {
    const { application } = change;
    switch (change.kind) {
      case 'append': {
        const { id, dna } = change.image;
        const row = { number: ++last, application, id, keywords: JSON.stringify(change.image.keywords), dna };
        const crc = checksum(row);
        insert.run(row.number, application, id, row.keywords, crc, dna);
        count.run(application, crc);
        return row.number;
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
  const select = database.prepare('SELECT number, application, id, keywords, crc, dna FROM images WHERE number = ?');
  const listing = (index: string) =>
    database.prepare(`SELECT number, crc FROM images ${index} WHERE application = ? ORDER BY number`);
  const byIndex = listing('INDEXED BY images_of_application');
  const byTable = listing('NOT INDEXED');
  const applications = database.prepare('SELECT application FROM tallies UNION SELECT application FROM images');
  const tally = database.prepare('SELECT count, sum FROM tallies WHERE application = ?');

  function read(application: number, number: number): ImageRecord | Damage | undefined {
    const damage = { file: fileNames.images, application, number };
    try {
      const row = select.get(number) as Row | undefined;
      if (row?.application !== application) return undefined;
      const { id, keywords, dna, crc } = row;
      const expected = checksum({ application, number, id, keywords, dna });
      if (crc === expected) return { number, id, keywords: JSON.parse(keywords), dna };
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
        database.exec('COMMIT');
      }
    },
  };
}
