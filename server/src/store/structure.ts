import type { Connection } from './database.ts';
import { Statement } from './statement.ts';

/** Faults that SQLite finds in the pages of a database, apart from the content of its records. */
export interface Structure {
  /** One line per fault; empty for a sound database. */
  readonly faults: readonly string[];
  /**
   * Whether changes can do no further harm: each page is known to have at most one use, so that a new page is a free
   * one, and a change that meets a damaged page fails and is rolled back.
   */
  readonly writable: boolean;
}

/** A damaged page of the upper tree may leave thousands of pages without use. */
const MAX_FAULTS = 10_000;

/**
 * Faults that leave the uses of all other pages known. Not among them: the list of free pages, pages with two uses,
 * pages beyond the end (which the file may reach later), and damage inside a page that SQLite still accepts.
 */
const contained = [
  /: never used$/,
  /btreeInitPage\(\) returns error code 11$/,
  /overflow list length is \d+ but should be \d+$/,
  /^wrong # of entries in index /,
  /^row \d+ missing from index /,
  /^NULL value in /,
  /^non-unique entry in index /,
  /^(NUMERIC|INT|TEXT|REAL|non-\w+) value in /,
];

/** Reads the links of all pages; some 5 ms per 1,000 pictures. */
export function structureOf(database: Connection): Structure {
  // as bytes, since libsql ends the process on text that is not UTF-8, and the text contains names of tables
  const check = new Statement(
    database,
    `SELECT CAST(integrity_check AS BLOB) AS line FROM pragma_integrity_check(${MAX_FAULTS})`,
  );
  try {
    const text = new TextDecoder();
    const faults = check
      .all<{ line: Uint8Array }>()
      .flatMap(({ line }) => text.decode(line).split('\n'))
      .filter((line) => line !== 'ok' && !line.startsWith('***'));
    return {
      faults,
      writable: faults.length < MAX_FAULTS && faults.every((fault) => contained.some((it) => it.test(fault))),
    };
  } catch (cause) {
    return { faults: [(cause as Error).message], writable: false };
  }
}
