import type { Connection } from './database.ts';
import { fileNames } from './folder.ts';
import { HIGHEST_NUMBER } from './image-table.ts';
import type { ImageRow } from './image-table.ts';
import { Statement } from './statement.ts';
import { recordsOf } from './store.ts';
import type { Damage } from './store.ts';
import { isWithin, sweep } from './sweep.ts';
import type { Span } from './sweep.ts';
import { isTally, tallyReader } from './tally.ts';

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

type Entry = Pick<ImageRow, 'number' | 'application' | 'crc'>;

/** The readable part of the table or of the index. */
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
export function imageSurvey(database: Connection) {
  const rows = new Statement(
    database,
    `SELECT number, CAST(application AS INTEGER) AS application, CAST(crc AS INTEGER) AS crc
     FROM images NOT INDEXED WHERE number BETWEEN ? AND ? ORDER BY number LIMIT ?`,
  );
  const entries = new Statement(
    database,
    `SELECT number FROM images INDEXED BY images_of_application
     WHERE application = ? AND number BETWEEN ? AND ? ORDER BY number LIMIT ?`,
  );
  const bounds = [
    'SELECT max(number) AS number FROM images NOT INDEXED',
    "SELECT max(CAST(seq AS INTEGER)) AS number FROM sqlite_sequence WHERE name = 'images'",
  ].map((sql) => new Statement(database, sql));
  const applications = new Statement(
    database,
    'SELECT application FROM tallies UNION SELECT CAST(application AS INTEGER) FROM images',
  );
  const version = new Statement(database, 'PRAGMA data_version');
  const tally = tallyReader(database, 'tallies');

  function highest(): number {
    const found = bounds.map((bound) => attempt(() => bound.get<{ number: number | null }>()?.number) ?? 0);
    return Math.max(0, ...found.filter((number) => number <= HIGHEST_NUMBER));
  }

  let asOf: number | undefined;
  let table: Part<Entry>;
  let indexes: Map<number, Part<true>>;
  let reported: boolean;

  /** Reads table and index, and repeats that only after changes by another process. */
  function refresh(): void {
    const now = version.get<{ data_version: number }>()!.data_version;
    if (now === asOf) return;
    const found = new Map<number, Entry>();
    const range: Span = [1, highest()];
    const unreadable = sweep(
      (...range) => rows.all<Entry>(...range),
      range,
      (row) => void found.set(row.number, row),
    );
    table = { entries: found, unreadable };
    indexes = new Map();
    for (const application of all()) readIndex(application, range);
    reported = false;
    asOf = now;
  }

  function readIndex(application: number, range: Span): Part<true> {
    const found = new Map<number, true>();
    const unreadable = sweep(
      (...range) => entries.all<{ number: number }>(application, ...range),
      range,
      ({ number }) => void found.set(number, true),
    );
    const part = { entries: found, unreadable };
    indexes.set(application, part);
    return part;
  }

  function all(): Set<number> {
    const counted = attempt(() => tally.applications()) ?? [];
    return new Set([...counted, ...[...table.entries.values()].map(({ application }) => application)]);
  }

  /** Numbers that are unreadable in both table and index. */
  function unknown(): Damage[] {
    if (![...indexes.values()].some(({ unreadable }) => unreadable.length > 0)) return [];
    return table.unreadable.map(([from, to]) => ({
      file: fileNames.images,
      numbers: { from, to },
      what: 'pictures with these numbers cannot be read, if there were any',
    }));
  }

  return {
    highest,

    /** All applications that have or had pictures, as far as readable. */
    applications(): number[] {
      const sound = attempt(() => applications.all<{ application: number }>().map(({ application }) => application));
      if (sound) return sound;
      refresh();
      return ascending(all());
    },

    of(application: number): Survey {
      refresh();
      const inIndex = indexes.get(application) ?? readIndex(application, [1, highest()]);
      const inTable = new Map([...table.entries].filter(([, row]) => row.application === application));
      const expected = attempt(() => tally.of(application));
      const damages = reported ? [] : unknown();
      reported = true;

      if (expected && isTally(expected, [...inTable.values()])) {
        const same =
          inTable.size === inIndex.entries.size && [...inTable.keys()].every((it) => inIndex.entries.has(it));
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
        else if (![...indexes.values()].some(({ entries: others }) => others.has(number))) {
          const what = 'its row is not in the index, as that of a deleted picture';
          damages.push({ file: fileNames.images, application, number, what });
        }
      }
      if (lost.length > 0) damages.push(lostDamage(application, lost));

      const known = numbers.length + damages.reduce((sum, damage) => sum + recordsOf(damage), 0);
      const explained = known === expected?.count;
      const rest = { numbers, damages, explained };
      if (explained && numbers.length < known) return rest;
      const what = expected
        ? `expected ${expected.count} pictures by the tally, found ${numbers.length} or not the same`
        : 'its tally cannot be read, so that a picture that is missing would not show';
      return { ...rest, tally: { file: fileNames.images, application, what } };
    },
  };
}

/** @param lost  consecutive among the pictures of the application */
function lostDamage(application: number, lost: readonly number[]): Damage {
  const file = fileNames.images;
  if (lost.length === 1) return { file, application, number: lost[0]!, what: 'its row cannot be read' };
  const numbers = { from: lost[0]!, to: lost.at(-1)! };
  return { file, application, numbers, records: lost.length, what: `${lost.length} rows cannot be read` };
}

function ascending(numbers: Iterable<number>): number[] {
  return [...numbers].sort((a, b) => a - b);
}

function attempt<T>(work: () => T): T | undefined {
  try {
    return work();
  } catch {
    return undefined;
  }
}
