import { crc32c } from '@sosia/engine/crc32c';
import { inTransaction } from './database.ts';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import type { Damage, ImageRecord, NewImage } from './store.ts';
import { tallyReader, tallySchema, tallyWriter } from './tally.ts';
import { thumbnailSchema, thumbnailWriter } from './thumbnail-table.ts';

/** One row a picture. */
const imageSchema = `
  CREATE TABLE images (
    number INTEGER PRIMARY KEY AUTOINCREMENT,
    application INTEGER NOT NULL,
    id BLOB NOT NULL,
    keywords BLOB NOT NULL,
    crc INTEGER NOT NULL,
    dna BLOB NOT NULL
  );
  CREATE INDEX images_of_application ON images (application);
  ${tallySchema('tallies')}`;

/** In the order in which versions of the service have brought them. */
export const imageSchemas = [imageSchema, thumbnailSchema] as const;

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
  | { readonly kind: 'append'; readonly application: number; readonly image: NewImage }
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
  const remove = database.prepare(
    'DELETE FROM images WHERE number = ? AND application = ? RETURNING CAST(crc AS INTEGER) AS crc',
  );
  const purge = database.prepare(
    `DELETE FROM images WHERE number IN (SELECT number FROM images WHERE application = ? LIMIT ${PURGED})`,
  );
  const tally = tallyWriter(database, 'tallies');
  const thumbnails = thumbnailWriter(database);
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
        const { id, keywords, dna, thumbnail } = change.image;
        const number = ++last;
        const row = { number, application, id: utf8.encode(id), keywords: utf8.encode(JSON.stringify(keywords)), dna };
        const crc = checksum(row);
        insert.run(number, application, row.id, row.keywords, crc, dna);
        tally.count(application, crc);
        if (thumbnail) thumbnails.add(application, number, thumbnail);
        return number;
      }
      case 'remove': {
        const [removed] = remove.all(change.number, application) as Pick<Row, 'crc'>[];
        if (removed) tally.discount(application, removed.crc);
        thumbnails.remove(application, change.number);
        return removed ? 1 : 0;
      }
      case 'purge': {
        tally.forget(application);
        thumbnails.purge(application, PURGED);
        const { changes } = purge.run(application);
        if (changes === 0) thumbnails.purgeRest(application);
        return changes;
      }
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
  const tally = tallyReader(database, 'tallies');

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
    const expected = tally.of(application);
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
