import { crc32c } from '@sosia/engine/dna/crc32c';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import { statementsOf } from './statement.ts';
import type { Damage } from './store.ts';
import { ifReadable, sweep } from './sweep.ts';
import { isTally, tallyReader, tallyWriter } from './tally.ts';

const TALLIES = 'thumbnail_tallies';

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

/** For a call inside the transaction of the picture. */
export function thumbnailWriter(database: Connection) {
  const sql = statementsOf(database);
  const insert = sql('INSERT INTO thumbnails (number, application, crc, jpeg) VALUES (?, ?, ?, ?)').prepare();
  const remove = sql(
    'DELETE FROM thumbnails WHERE number = ? AND application = ? RETURNING CAST(crc AS INTEGER) AS crc',
  ).prepare();
  const purge = sql(`DELETE FROM thumbnails WHERE number IN (SELECT number FROM images WHERE application = ? LIMIT ?)
     RETURNING CAST(crc AS INTEGER) AS crc`).prepare();
  const purgeRest = sql('DELETE FROM thumbnails WHERE application = ?').prepare();
  const tally = tallyWriter(database, TALLIES);
  const tallies = tallyReader(database, TALLIES);
  return {
    add(application: number, number: number, jpeg: Uint8Array): void {
      const crc = checksum({ application, number, jpeg });
      insert.run(number, application, crc, jpeg);
      tally.count(application, crc);
    },
    remove(application: number, number: number): void {
      tally.discount(application, remove.all<Pick<Row, 'crc'>>(number, application));
    },
    /** Those of the first `most` pictures of an application, before these are removed. */
    purge(application: number, most: number): void {
      tally.discount(application, purge.all<Pick<Row, 'crc'>>(application, most));
    },
    /** Those that remain after the removal of the pictures: none, unless records were damaged. */
    purgeRest(application: number): void {
      if (tallies.of(application).count > 0) purgeRest.run(application); // reads all thumbnails
      tally.forget(application);
    },
  };
}

export function thumbnailReader(database: Connection) {
  const sql = statementsOf(database);
  const select = sql(`SELECT ${columns} FROM thumbnails WHERE number = ?`);
  const highest = sql('SELECT coalesce(max(number), 0) AS number FROM thumbnails');
  const numbers = sql(`SELECT number, CAST(application AS INTEGER) AS application, CAST(crc AS INTEGER) AS crc
     FROM thumbnails WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?`);
  const orphans = sql(`SELECT number, CAST(application AS INTEGER) AS application FROM thumbnails
     WHERE number NOT IN (SELECT number FROM images) ORDER BY number`);
  const tally = tallyReader(database, TALLIES);

  function faultOf(row: Row): Damage | undefined {
    const { application, number, crc } = row;
    const expected = checksum(row);
    if (crc === expected) return undefined;
    const what = `its thumbnail: expected the checksum ${expected}, found ${crc}`;
    return { file: fileNames.images, application, number, records: 0, what };
  }

  function thumbnail(application: number, number: number): Uint8Array | Damage | undefined {
    try {
      const row = select.get<Row>(number);
      return row?.application === application ? (faultOf(row) ?? row.jpeg) : undefined;
    } catch (cause) {
      const what = `its thumbnail: ${(cause as Error).message}`;
      return { file: fileNames.images, application, number, records: 0, what };
    }
  }

  return {
    /** Undefined if there is none. */
    thumbnail,
    /**
     * Reads all of them, and reports those that fail their checks, are missing, or have lost their picture.
     * @param most  the highest possible number of a picture
     */
    *damages(most: number): Generator<Damage> {
      const file = fileNames.images;
      const found = new Map<number, Row[]>();
      const last = ifReadable(() => highest.get<{ number: number }>()!.number) ?? most;
      const unreadable = sweep<Row>(
        (...range) => numbers.all<Row>(...range),
        Math.max(last, most),
        (row) => {
          const rows = found.get(row.application);
          if (rows) rows.push(row);
          else found.set(row.application, [row]);
        },
      );
      for (const [from, to] of unreadable) {
        yield { file, numbers: { from, to }, records: 0, what: 'thumbnails of these pictures cannot be read, if any' };
      }
      for (const { number, application } of [...found.values()].flat()) {
        const one = thumbnail(application, number);
        if (one && 'what' in one) yield one;
      }
      const counted = ifReadable(() => tally.applications()) ?? [];
      for (const application of new Set([...found.keys(), ...counted])) {
        const expected = ifReadable(() => tally.of(application));
        const rows = found.get(application) ?? [];
        if (expected && isTally(expected, rows)) continue;
        const what = expected
          ? `expected ${expected.count} thumbnails by the tally, found ${rows.length} or not the same`
          : 'its tally of thumbnails cannot be read';
        yield { file, application, what };
      }
      for (const { number, application } of ifReadable(() => orphans.all<Row>()) ?? []) {
        yield { file, application, number, records: 0, what: 'a thumbnail without its picture' };
      }
    },
  };
}
