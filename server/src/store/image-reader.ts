import { definitionOf } from '@sosia/engine';
import type { ApplicationType, NetworkIdentity, TypeDefinition } from '@sosia/engine';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import { checksumOf, imageColumns } from './image-table.ts';
import type { ImageRow } from './image-table.ts';
import { imageSurvey } from './image-survey.ts';
import type { Survey } from './image-survey.ts';
import { readIdentity } from './identity.ts';
import type { Identity } from './identity.ts';
import { Statement } from './statement.ts';
import type { Damage, StoredImage } from './store.ts';
import { isTally, tallyReader } from './tally.ts';
import type { Tally } from './tally.ts';

/** What the store holds of an application, without the records themselves. */
export interface Held {
  /** Ascending. */
  readonly numbers: Uint32Array;
  readonly tally: Tally;
  readonly identity: Identity;
}

export interface ImageReader {
  /** All applications that have or had pictures, as far as readable. */
  applications(): number[];
  /** The highest possible number of a picture, as far as readable. */
  highest(): number;
  /** The number of pictures of an application by its tally; 0 if that cannot be read. */
  count(application: number): number;
  /** Undefined if it cannot be read. */
  identity(): Identity | undefined;
  /** From one snapshot, without the table; undefined if the database is known to be damaged. */
  held(application: number): Held | undefined;
  /** Undefined for an unknown picture. */
  readonly image: (application: number, number: number) => StoredImage | Damage | undefined;
  /** As `image`, only the DNA. */
  dna(application: number, number: number): Uint8Array | Damage | undefined;
  /**
   * The pictures of an application in the order of their numbers, from one snapshot. The generator has a read
   * transaction until it is finished or returned, and a connection can have one at a time.
   * @param type  DNA that is missing or of another type is reported; without `type` the DNA is not checked
   * @param some  these pictures alone, ascending, without a look at the others
   */
  replay(
    application: number,
    type?: ApplicationType,
    network?: NetworkIdentity,
    some?: Uint32Array,
  ): Generator<StoredImage | Damage, void>;
}

export function isDamage(found: object): found is Damage {
  return 'what' in found;
}

const COMMA = 44;
const ZERO = 48;

/** Whole numbers as decimal digits with commas between them. */
function numbersIn(list: Uint8Array | null): Uint32Array {
  if (!list) return new Uint32Array();
  const numbers = new Uint32Array(list.reduce((count, byte) => (byte === COMMA ? count + 1 : count), 1));
  let [n, number] = [0, 0];
  for (let i = 0; i < list.length; i++) {
    if (list[i] !== COMMA) number = 10 * number + list[i]! - ZERO;
    else [numbers[n++], number] = [number, 0];
  }
  numbers[n] = number;
  return numbers;
}

const text = new TextDecoder('utf-8', { ignoreBOM: true });

/**
 * @param doubtful  whether the structure of the database is known to be damaged
 * @throws if there is no table of pictures
 */
export function imageReader(database: Connection, doubtful = false): ImageReader {
  const select = new Statement(database, `SELECT ${imageColumns} FROM images NOT INDEXED WHERE number = ?`).prepare();
  const listing = new Statement(
    database,
    `SELECT number, CAST(crc AS INTEGER) AS crc FROM images INDEXED BY images_of_application
     WHERE application = ? ORDER BY number`,
  );
  // as one text, since a row for each picture takes ten times as long
  const numbers = new Statement(
    database,
    `SELECT CAST(group_concat(number) AS BLOB) AS list FROM (
       SELECT number FROM images INDEXED BY images_of_application WHERE application = ? ORDER BY number)`,
  );
  const tally = tallyReader(database, 'tallies');
  const surveyed = imageSurvey(database);

  function read(application: number, number: number): StoredImage | Damage | undefined {
    const damage = { file: fileNames.images, application, number };
    try {
      const row = select.get<ImageRow>(number);
      if (row?.application !== application) return undefined;
      const { crc, dna } = row;
      const id = text.decode(row.id);
      const expected = checksumOf(row);
      const keywords = (): string[] => JSON.parse(text.decode(row.keywords)) as string[];
      if (crc === expected) return { number, id, keywords: keywords(), dna, checksum: crc };
      return { ...damage, id, what: `expected the checksum ${expected}, found ${crc}` };
    } catch (cause) {
      return { ...damage, what: (cause as Error).message };
    }
  }

  function checked(
    application: number,
    record: StoredImage,
    definition: TypeDefinition | undefined,
  ): StoredImage | Damage {
    const { number, id, dna } = record;
    try {
      if (definition?.traits.references) definition.checkDna(dna, 'reference');
      return record;
    } catch (cause) {
      return { file: fileNames.images, application, number, id, what: `its DNA: ${(cause as Error).message}` };
    }
  }

  /** From the index, if table, index and tally agree; otherwise undefined. */
  function listed(application: number): Survey | undefined {
    try {
      const rows = listing.all<Pick<ImageRow, 'number' | 'crc'>>(application);
      const agree = isTally(tally.of(application), rows);
      return agree ? { numbers: rows.map(({ number }) => number), damages: [] } : undefined;
    } catch {
      return undefined;
    }
  }

  return {
    applications: () => surveyed.applications(),
    highest: () => surveyed.highest(),
    count(application) {
      try {
        return tally.of(application).count;
      } catch {
        return 0;
      }
    },
    identity() {
      try {
        return readIdentity(database);
      } catch {
        return undefined;
      }
    },
    held(application) {
      if (doubtful) return undefined;
      database.exec('BEGIN');
      try {
        const { list } = numbers.get<{ list: Uint8Array | null }>(application)!;
        return { numbers: numbersIn(list), tally: tally.of(application), identity: readIdentity(database) };
      } catch {
        return undefined;
      } finally {
        if (database.inTransaction) database.exec('ROLLBACK');
      }
    },
    image: read,
    dna(application, number) {
      const found = read(application, number);
      return found && (isDamage(found) ? found : found.dna);
    },
    *replay(application, type, network, some) {
      const definition = type && definitionOf(type, network);
      database.exec('BEGIN');
      try {
        const { numbers, damages, ...doubt } = some
          ? { numbers: some, damages: [] }
          : (!doubtful && listed(application)) || surveyed.of(application);
        yield* damages;
        let failed = 0;
        for (const number of numbers) {
          const what = 'its row cannot be found by its number';
          const found = read(application, number) ?? { file: fileNames.images, application, number, what };
          const sound: StoredImage | Damage = isDamage(found) ? found : checked(application, found, definition);
          if (isDamage(sound)) failed++;
          yield sound;
        }
        // a failed row explains a different sum
        const { tally: fault, explained }: Pick<Survey, 'tally' | 'explained'> = doubt;
        if (fault && !(explained && failed > 0)) yield fault;
      } finally {
        // nothing was written, and COMMIT can fail again with the error of an earlier read; a disk error may have ended
        // it
        if (database.inTransaction) database.exec('ROLLBACK');
      }
    },
  };
}
