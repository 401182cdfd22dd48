import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import { HIGHEST_NUMBER, type ImageRow } from './image-table.ts';
import { type Statement, statementsOf } from './statement.ts';
import { recordsOf, type Damage } from './store.ts';
import { ifReadable, isWithin, sweep, type Span } from './sweep.ts';
import { isTally, tallyReader, type Tally } from './tally.ts';

/** The pictures of an application. */
export interface Survey {
  /** Ascending; those that may be served if their records are sound. */
  readonly numbers: readonly number[];
  /** The missing or omitted pictures. */
  readonly damages: readonly Damage[];
  /** Set if the tally of the application contradicts the pictures. */
  readonly tally?: Damage;
  /** Whether the number of pictures agrees, so that one damaged record may explain the tally. */
  readonly explained?: boolean;
}

type Row = Pick<ImageRow, 'number' | 'application' | 'crc'>;

/** The readable part of the table or of an application in the index, by numbers of pictures. */
interface Part<T> {
  readonly entries: ReadonlyMap<number, T>;
  readonly unreadable: readonly Span[];
}

/**
 * Finds the pictures of applications in a damaged database, in which table, index and tally contradict each other or
 * are partly unreadable. Each serves as evidence about the others:
 *
 * - If the tally fits the table, the index is damaged, and the whole table counts.
 * - Otherwise a row counts if the index has it too, or if its place in the index is unreadable. A row missing from the
 * index may belong to a deleted picture, and is left out.
 * - A picture in the index without a row is lost.
 */
export class ImageSurvey {
  readonly #rows: Statement;
  readonly #indexed: Statement;
  readonly #bounds: readonly Statement[];
  readonly #applications: Statement;
  readonly #version: Statement;
  readonly #tally: ReturnType<typeof tallyReader>;
  /** The version of the database that `#table` and `#indexes` show. */
  #asOf: number | undefined;
  #table: Part<Row> = { entries: new Map(), unreadable: [] };
  readonly #indexes = new Map<number, Part<true>>();
  /** Whether the unreadable numbers were reported. */
  #reported = false;

  constructor(database: Connection) {
    const sql = statementsOf(database);
    this.#rows = sql(`SELECT number, CAST(application AS INTEGER) AS application, CAST(crc AS INTEGER) AS crc
       FROM images NOT INDEXED WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?`);
    this.#indexed = sql(`SELECT number FROM images INDEXED BY images_of_application
       WHERE application = ? AND number BETWEEN ? AND ? ORDER BY number LIMIT ?`);
    this.#bounds = [
      'SELECT coalesce(max(number), 0) AS number FROM images NOT INDEXED',
      "SELECT coalesce(max(CAST(seq AS INTEGER)), 0) AS number FROM sqlite_sequence WHERE name = 'images'",
    ].map(sql);
    this.#applications = sql('SELECT application FROM tallies UNION SELECT CAST(application AS INTEGER) FROM images');
    this.#version = sql('PRAGMA data_version');
    this.#tally = tallyReader(database, 'tallies');
  }

  /** The highest possible number of a picture, as far as readable. */
  highest(): number {
    const found = this.#bounds.flatMap((bound) => ifReadable(() => bound.get<{ number: number }>()!.number) ?? []);
    return Math.max(0, ...found.filter((number) => number <= HIGHEST_NUMBER));
  }

  /** All applications that have or had pictures, as far as readable. */
  applications(): number[] {
    const sound = ifReadable(() => this.#applications.all<Pick<Row, 'application'>>().map((row) => row.application));
    if (sound) return sound;
    this.#refresh();
    return ascending(this.#known());
  }

  of(application: number): Survey {
    this.#refresh();
    const inIndex = this.#indexes.get(application) ?? this.#readIndex(application);
    const inTable = new Map([...this.#table.entries].filter(([, row]) => row.application === application));
    const expected = ifReadable(() => this.#tally.of(application));
    const damages = this.#reported ? [] : this.#unknown();
    this.#reported = true;

    if (expected && isTally(expected, [...inTable.values()])) {
      const same = inTable.size === inIndex.entries.size && [...inTable.keys()].every((it) => inIndex.entries.has(it));
      if (!same) damages.push({ file: fileNames.images, application, what: 'its index is damaged; all is there' });
      return { numbers: ascending(inTable.keys()), damages };
    }

    const numbers: number[] = [];
    let lost: number[] = [];
    for (const number of ascending(new Set([...inTable.keys(), ...inIndex.entries.keys()]))) {
      if (!inTable.has(number)) {
        lost.push(number);
        continue;
      }
      if (lost.length > 0) damages.push(lostDamage(application, lost));
      lost = [];
      if (inIndex.entries.has(number) || isWithin(inIndex.unreadable, number)) numbers.push(number);
      else if (![...this.#indexes.values()].some(({ entries: others }) => others.has(number))) {
        const what = 'its row is not in the index, as that of a deleted picture';
        damages.push({ file: fileNames.images, application, number, what });
      }
    }
    if (lost.length > 0) damages.push(lostDamage(application, lost));
    return withTally(application, expected, numbers, damages);
  }

  /** Reads table and index, and repeats that only after changes by another process. */
  #refresh(): void {
    const now = this.#version.get<{ data_version: number }>()!.data_version;
    if (now === this.#asOf) return;
    const highest = this.highest();
    this.#table = readPart(
      (...range) => this.#rows.all<Row>(...range),
      highest,
      (row) => row,
    );
    this.#indexes.clear();
    for (const application of this.#known()) this.#readIndex(application, highest);
    this.#reported = false;
    this.#asOf = now;
  }

  #readIndex(application: number, highest = this.highest()): Part<true> {
    const part = readPart(
      (...range) => this.#indexed.all<Row>(application, ...range),
      highest,
      () => true as const,
    );
    this.#indexes.set(application, part);
    return part;
  }

  #known(): Set<number> {
    const counted = ifReadable(() => this.#tally.applications()) ?? [];
    return new Set([...counted, ...[...this.#table.entries.values()].map(({ application }) => application)]);
  }

  /** Numbers that are unreadable in both table and index. */
  #unknown(): Damage[] {
    if (![...this.#indexes.values()].some(({ unreadable }) => unreadable.length > 0)) return [];
    return this.#table.unreadable.map(([from, to]) => ({
      file: fileNames.images,
      numbers: { from, to },
      what: 'pictures with these numbers cannot be read, if there were any',
    }));
  }
}

function readPart<R extends { readonly number: number }, T>(
  rows: (from: number, to: number, most: number) => readonly R[],
  highest: number,
  entryOf: (row: R) => T,
): Part<T> {
  const entries = new Map<number, T>();
  const unreadable = sweep(rows, highest, (row) => void entries.set(row.number, entryOf(row)));
  return { entries, unreadable };
}

/** These pictures of an application, and its tally if that contradicts them. */
function withTally(
  application: number,
  expected: Tally | undefined,
  numbers: readonly number[],
  damages: readonly Damage[],
): Survey {
  const known = numbers.length + damages.reduce((sum, damage) => sum + recordsOf(damage), 0);
  const explained = known === expected?.count;
  if (explained && numbers.length < known) return { numbers, damages, explained };
  const what = expected
    ? `expected ${expected.count} pictures by the tally, found ${numbers.length} or not the same`
    : 'its tally cannot be read, so that a picture that is missing would not show';
  return { numbers, damages, explained, tally: { file: fileNames.images, application, what } };
}

/** @param lost  consecutive among the pictures of the application */
export function lostDamage(application: number, lost: readonly number[]): Damage {
  const file = fileNames.images;
  if (lost.length === 1) return { file, application, number: lost[0]!, what: 'its row cannot be read' };
  const numbers = { from: lost[0]!, to: lost.at(-1)! };
  return { file, application, numbers, records: lost.length, what: `${lost.length} rows cannot be read` };
}

function ascending(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}
