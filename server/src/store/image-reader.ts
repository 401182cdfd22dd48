import { definitionOf, type ApplicationType, type NetworkIdentity, type TypeDefinition } from '@sosia/engine';
import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import { checksumOf, imageColumns, type ImageRow } from './image-table.ts';
import { ImageSurvey, type Survey } from './image-survey.ts';
import { readIdentity, type Identity } from './identity.ts';
import { type Statement, statementsOf } from './statement.ts';
import type { Damage, StoredImage } from './store.ts';
import { ifReadable } from './sweep.ts';
import { isTally, tallyReader, type Tally } from './tally.ts';

/** What the store holds of an application, without the records themselves. */
export interface Held {
  /** Ascending. */
  readonly numbers: Uint32Array;
  readonly tally: Tally;
  readonly identity: Identity;
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

/** Reads the pictures of a database, which may be damaged. */
export class ImageReader {
  readonly #database: Connection;
  readonly #doubtful: boolean;
  readonly #select: Statement;
  readonly #listing: Statement;
  readonly #numbers: Statement;
  readonly #tally: ReturnType<typeof tallyReader>;
  readonly #survey: ImageSurvey;

  /**
   * @param doubtful  whether the structure of the database is known to be damaged
   * @throws if there is no table of pictures
   */
  constructor(database: Connection, doubtful = false) {
    this.#database = database;
    this.#doubtful = doubtful;
    const sql = statementsOf(database);
    this.#select = sql(`SELECT ${imageColumns} FROM images NOT INDEXED WHERE number = ?`).prepare();
    this.#listing = sql(`SELECT number, CAST(crc AS INTEGER) AS crc FROM images INDEXED BY images_of_application
       WHERE application = ? ORDER BY number`);
    // as one text, since a row for each picture takes ten times as long
    this.#numbers = sql(`SELECT CAST(group_concat(number) AS BLOB) AS list FROM (
         SELECT number FROM images INDEXED BY images_of_application WHERE application = ? ORDER BY number)`);
    this.#tally = tallyReader(database, 'tallies');
    this.#survey = new ImageSurvey(database);
  }

  /** All applications that have or had pictures, as far as readable. */
  applications(): number[] {
    return this.#survey.applications();
  }

  /** The highest possible number of a picture, as far as readable. */
  highest(): number {
    return this.#survey.highest();
  }

  /** The number of pictures of an application by its tally; 0 if that cannot be read. */
  count(application: number): number {
    return ifReadable(() => this.#tally.of(application).count) ?? 0;
  }

  /** Undefined if it cannot be read. */
  identity(): Identity | undefined {
    return ifReadable(() => readIdentity(this.#database));
  }

  /** From one snapshot, without the table; undefined if the database is known to be damaged. */
  held(application: number): Held | undefined {
    if (this.#doubtful) return undefined;
    this.#database.exec('BEGIN');
    try {
      const { list } = this.#numbers.get<{ list: Uint8Array | null }>(application)!;
      return {
        numbers: numbersIn(list),
        tally: this.#tally.of(application),
        identity: readIdentity(this.#database),
      };
    } catch {
      return undefined;
    } finally {
      this.#endRead();
    }
  }

  /** Undefined for an unknown picture. */
  image(application: number, number: number): StoredImage | Damage | undefined {
    const damage = { file: fileNames.images, application, number };
    try {
      const row = this.#select.get<ImageRow>(number);
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

  /** As `image`, only the DNA. */
  dna(application: number, number: number): Uint8Array | Damage | undefined {
    const found = this.image(application, number);
    return found && (isDamage(found) ? found : found.dna);
  }

  /**
   * The pictures of an application in the order of their numbers, from one snapshot. The generator has a read
   * transaction until it is finished or returned, and a connection can have one at a time.
   * @param type  DNA that is missing or of another type is reported; without `type` the DNA is not checked
   * @param some  these pictures alone, ascending, without a look at the others
   */
  *replay(
    application: number,
    type?: ApplicationType,
    network?: NetworkIdentity,
    some?: Uint32Array,
  ): Generator<StoredImage | Damage, void> {
    const definition = type && definitionOf(type, network);
    this.#database.exec('BEGIN');
    try {
      const survey: Omit<Survey, 'numbers'> & { readonly numbers: Iterable<number> } = some
        ? { numbers: some, damages: [] }
        : (!this.#doubtful && this.#listed(application)) || this.#survey.of(application);
      yield* survey.damages;
      let failed = 0;
      for (const number of survey.numbers) {
        const what = 'its row cannot be found by its number';
        const found = this.image(application, number) ?? { file: fileNames.images, application, number, what };
        const sound = isDamage(found) ? found : checked(application, found, definition);
        if (isDamage(sound)) failed++;
        yield sound;
      }
      // a failed row explains a different sum
      if (survey.tally && !(survey.explained && failed > 0)) yield survey.tally;
    } finally {
      this.#endRead();
    }
  }

  /** From the index, if table, index and tally agree; otherwise undefined. */
  #listed(application: number): Survey | undefined {
    return ifReadable(() => {
      const rows = this.#listing.all<Pick<ImageRow, 'number' | 'crc'>>(application);
      const agree = isTally(this.#tally.of(application), rows);
      return agree ? { numbers: rows.map(({ number }) => number), damages: [] } : undefined;
    });
  }

  /** Nothing was written, and COMMIT can fail again with the error of an earlier read; a disk error may have ended it. */
  #endRead(): void {
    if (this.#database.inTransaction) this.#database.exec('ROLLBACK');
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
