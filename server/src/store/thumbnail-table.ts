import { crc32c } from '@sosia/engine/crc32c';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import type { Damage } from './store.ts';
import { tallyReader, tallySchema, tallyWriter } from './tally.ts';

const TALLIES = 'thumbnail_tallies';

/** A row has the number of its picture; a picture may have none. Apart from `images`, so that a replay does not read it. */
export const thumbnailSchema = `
  CREATE TABLE thumbnails (
    number INTEGER PRIMARY KEY,
    application INTEGER NOT NULL,
    crc INTEGER NOT NULL,
    jpeg BLOB NOT NULL
  );
  ${tallySchema(TALLIES)}`;

const columns = `number, CAST(application AS INTEGER) AS application, CAST(crc AS INTEGER) AS crc,
  CAST(jpeg AS BLOB) AS jpeg`;

interface Row {
  readonly number: number;
  readonly application: number;
  readonly crc: number;
  readonly jpeg: Uint8Array;
}

function checksum({ application, number, jpeg }: Omit<Row, 'crc'>): number {
  return crc32c(jpeg, crc32c(new TextEncoder().encode([application, number, jpeg.length].join())));
}

/** To be called inside the transaction of the picture. */
export function thumbnailWriter(database: Connection) {
  const insert = database.prepare('INSERT INTO thumbnails (number, application, crc, jpeg) VALUES (?, ?, ?, ?)');
  const remove = database.prepare(
    'DELETE FROM thumbnails WHERE number = ? AND application = ? RETURNING CAST(crc AS INTEGER) AS crc',
  );
  const purge = database.prepare(
    'DELETE FROM thumbnails WHERE number IN (SELECT number FROM images WHERE application = ? LIMIT ?)',
  );
  const purgeRest = database.prepare('DELETE FROM thumbnails WHERE application = ?');
  const tally = tallyWriter(database, TALLIES);
  return {
    add(application: number, number: number, jpeg: Uint8Array): void {
      const crc = checksum({ application, number, jpeg });
      insert.run(number, application, crc, jpeg);
      tally.count(application, crc);
    },
    remove(application: number, number: number): void {
      const [removed] = remove.all(number, application) as Pick<Row, 'crc'>[];
      if (removed) tally.discount(application, removed.crc);
    },
    /** Those of the first `most` pictures an application has, before these are removed. */
    purge(application: number, most: number): void {
      tally.forget(application);
      purge.run(application, most);
    },
    /** Those that are left when the pictures are gone. */
    purgeRest(application: number): void {
      purgeRest.run(application);
    },
  };
}

export function thumbnailReader(database: Connection) {
  const select = database.prepare(`SELECT ${columns} FROM thumbnails WHERE number = ?`);
  const numbers = database.prepare('SELECT number FROM thumbnails ORDER BY number');
  const orphans = database.prepare(
    `SELECT number, CAST(application AS INTEGER) AS application FROM thumbnails
     WHERE number NOT IN (SELECT number FROM images) ORDER BY number`,
  );
  const tally = tallyReader(database, TALLIES);

  function faultOf(row: Row): Damage | undefined {
    const { application, number, crc } = row;
    const expected = checksum(row);
    if (crc === expected) return undefined;
    const what = `its thumbnail: expected the checksum ${expected}, found ${crc}`;
    return { file: fileNames.images, application, number, what };
  }

  return {
    /** Undefined where there is none. */
    thumbnail(application: number, number: number): Uint8Array | Damage | undefined {
      const row = select.get(number) as Row | undefined;
      return row?.application === application ? (faultOf(row) ?? row.jpeg) : undefined;
    },
    /** Reads them all: what fails its checks, what is missing, and what has lost its picture. */
    *damages(): Generator<Damage> {
      const found = new Map<number, { count: number; sum: number }>();
      for (const { number } of numbers.iterate() as Iterable<Row>) {
        const row = select.get(number) as Row; // iterating gives blobs in another form
        const fault = faultOf(row);
        if (fault) yield fault;
        const { count, sum } = found.get(row.application) ?? { count: 0, sum: 0 };
        found.set(row.application, { count: count + 1, sum: (sum + row.crc) >>> 0 });
      }
      for (const application of new Set([...found.keys(), ...tally.applications()])) {
        const expected = tally.of(application);
        const { count, sum } = found.get(application) ?? { count: 0, sum: 0 };
        if (count === expected.count && sum === expected.sum) continue;
        const what = `expected ${expected.count} thumbnails by the tally, found ${count} or not the same`;
        yield { file: fileNames.images, application, what };
      }
      for (const { number, application } of orphans.all() as Row[]) {
        yield { file: fileNames.images, application, number, what: 'a thumbnail without its picture' };
      }
    },
  };
}
