import assert from 'node:assert/strict';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import fc from 'fast-check';
import type { Connection } from './database.ts';
import { openDatabase, openToRead } from './database.ts';
import { HIGHEST_NUMBER } from './image-table.ts';
import { ImageSurvey, lostDamage } from './image-survey.ts';
import { imageSchema } from './schema.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-survey-'));
after(() => rmSync(scratch, { recursive: true }));
const of = { file: 'images.db', application: 7 };
let databases = 0;

/** Numbers of pictures in the table alone, in the index alone, and in both. */
interface Content {
  readonly table?: readonly number[];
  readonly index?: readonly number[];
  readonly both?: readonly number[];
}
/** No two lists of the first numbers have the same sum. */
const crcOf = (number: number): number => 2 ** 31 + 2 ** (number % 31);

function insert(database: Connection, application: number, numbers: readonly number[]): void {
  const sql = `INSERT INTO images (number, application, id, keywords, crc, dna) VALUES (?, ?, x'', x'', ?, x'')`;
  for (const number of numbers) database.prepare(sql).run(number, application, crcOf(number));
}

/** Makes the index of the table one that lacks the changes of `work`. */
function beside(database: Connection, work: () => void): void {
  const { sql, root } = database
    .prepare(`SELECT sql, rootpage AS root FROM sqlite_schema WHERE name = 'images_of_application'`)
    .get() as { sql: string; root: number };
  database.exec(`PRAGMA writable_schema = ON; DELETE FROM sqlite_schema WHERE name = 'images_of_application'`);
  database.exec('PRAGMA writable_schema = RESET');
  work();
  database.exec('PRAGMA writable_schema = ON');
  database
    .prepare(`INSERT INTO sqlite_schema VALUES ('index', 'images_of_application', 'images', ?, ?)`)
    .run(root, sql);
  database.exec('PRAGMA writable_schema = RESET');
}

/** A database whose tally counts these pictures of application 7. */
function databaseOf({ table = [], index = [], both = [] }: Content, tallied: readonly number[] | null) {
  const path = join(scratch, `${++databases}.db`);
  const database = openDatabase(path, imageSchema);
  insert(database, 7, [...both, ...index]);
  beside(database, () => {
    for (const number of index) database.exec(`DELETE FROM images WHERE number = ${number}`);
    insert(database, 7, table);
  });
  const sum = (tallied ?? []).reduce((total, number) => (total + crcOf(number)) >>> 0, 0);
  if (tallied) database.exec(`INSERT INTO tallies VALUES (7, ${tallied.length}, ${sum})`);
  return { database, survey: new ImageSurvey(openToRead(path)) };
}

const inIndexAlone = 'its row is not in the index, as that of a deleted picture';
const tallyOf = (expected: number, found: number) => ({
  ...of,
  what: `expected ${expected} pictures by the tally, found ${found} or not the same`,
});

test('a lost row is named by its number, several by the first and the last', () => {
  assert.deepEqual(lostDamage(7, [3]), { ...of, number: 3, what: 'its row cannot be read' });
  for (const lost of [
    [3, 5],
    [3, 4, 9],
  ])
    assert.deepEqual(lostDamage(7, lost), {
      ...of,
      numbers: { from: 3, to: lost.at(-1) },
      records: lost.length,
      what: `${lost.length} rows cannot be read`,
    });
});

test('where the tally fits the table, all of it counts, and a different index is named', () => {
  const sound = databaseOf({ both: [1, 2, 5] }, [1, 2, 5]);
  assert.deepEqual(sound.survey.of(7), { numbers: [1, 2, 5], damages: [] });
  const different = [{ ...of, what: 'its index is damaged; all is there' }];
  for (const content of [
    { both: [1, 2], table: [5] },
    { both: [1, 2, 5], index: [4] },
    { both: [1, 2], table: [5], index: [4] },
  ])
    assert.deepEqual(databaseOf(content, [1, 2, 5]).survey.of(7), { numbers: [1, 2, 5], damages: different });
});

test('where it does not, a row counts that the index has too; others are named, and lost rows in runs', () => {
  const { survey } = databaseOf({ both: [2, 6, 9], table: [4], index: [1, 7, 8, 12] }, [1, 2, 6, 7, 8, 9, 12]);
  const damages = [
    lostDamage(7, [1]),
    { ...of, number: 4, what: inIndexAlone },
    lostDamage(7, [7, 8]),
    lostDamage(7, [12]),
  ];
  const numbers = [2, 6, 9];
  assert.deepEqual(survey.of(7), { numbers, damages, explained: false, tally: tallyOf(7, 3) });
  assert.deepEqual(survey.of(7), { numbers, damages, explained: false, tally: tallyOf(7, 3) }, 'a second time');
});

test('lost rows explain the tally where they make up the number, and a sum of other rows is explained by none', () => {
  const lost = databaseOf({ both: [2], index: [1, 3] }, [1, 2, 3]).survey.of(7);
  assert.deepEqual(lost, { numbers: [2], damages: [lostDamage(7, [1]), lostDamage(7, [3])], explained: true });
  const other = databaseOf({ both: [1, 2] }, [1, 3]).survey.of(7);
  assert.deepEqual(other, { numbers: [1, 2], damages: [], explained: true, tally: tallyOf(2, 2) });
  const untold = databaseOf({ both: [1] }, null).survey.of(7);
  assert.deepEqual(untold, { numbers: [1], damages: [], explained: false, tally: tallyOf(0, 1) });
});

test('a row that the index has for another application is not named as that of a deleted picture', () => {
  const { database, survey } = databaseOf({ both: [1, 2] }, [1, 2, 3]);
  beside(database, () => database.exec('UPDATE images SET application = 8 WHERE number = 2'));
  assert.deepEqual(survey.of(8).damages, []);
  assert.deepEqual(survey.of(7).damages, [lostDamage(7, [2])]);
});

test('applications and the highest number are those of rows, tallies and the sequence, as far as they are possible', () => {
  const { database, survey } = databaseOf({ both: [3] }, [3]);
  insert(database, 2, [5]);
  database.exec('INSERT INTO tallies VALUES (9, 0, 0)');
  assert.deepEqual([survey.applications(), survey.highest()], [[2, 7, 9], 5]);
  database.exec('DELETE FROM images WHERE number = 5');
  assert.equal(survey.highest(), 5);
  for (const [sequence, highest] of [
    [HIGHEST_NUMBER, HIGHEST_NUMBER],
    [HIGHEST_NUMBER + 1, 3],
    ["'x'", 3],
  ] as const) {
    database.exec(`UPDATE sqlite_sequence SET seq = ${sequence}`);
    assert.equal(survey.highest(), highest);
  }
  database.exec('DELETE FROM images; DELETE FROM sqlite_sequence');
  assert.equal(survey.highest(), 0);
  database.exec('DROP TABLE tallies');
  assert.deepEqual(survey.applications(), []);
  insert(database, 4, [1]);
  insert(database, 2, [2]);
  assert.deepEqual(survey.applications(), [2, 4]);
});

test('a survey after a change shows the change', () => {
  const { database, survey } = databaseOf({ both: [1, 2], table: [3] }, [1, 2]);
  assert.deepEqual(survey.of(7).numbers, [1, 2]);
  database.exec('DELETE FROM images WHERE number = 2; UPDATE tallies SET count = 9');
  assert.deepEqual(survey.of(7).numbers, [1]);
  assert.deepEqual(survey.of(8).numbers, []);
});

test('pictures of an application that was deleted after a survey are not lost', () => {
  const { database, survey } = databaseOf({ both: [1, 2] }, [1, 2]);
  assert.deepEqual(survey.of(7).numbers, [1, 2]);
  database.exec('DELETE FROM images; DELETE FROM tallies');
  assert.deepEqual(survey.of(7), { numbers: [], damages: [] });
});

test('no row is returned that neither the tally nor the index confirms, and none that both have is missing', () => {
  const numbers = fc.uniqueArray(fc.integer({ min: 1, max: 12 }), { maxLength: 8 });
  fc.assert(
    fc.property(numbers, numbers, numbers, (table, index, tallied) => {
      const both = table.filter((number) => index.includes(number));
      const content = {
        both,
        table: table.filter((number) => !both.includes(number)),
        index: index.filter((number) => !both.includes(number)),
      };
      const { survey } = databaseOf(content, tallied);
      const found = survey.of(7);
      const ascending = (list: readonly number[]) => [...list].sort((a, b) => a - b);
      const fits = ascending(table).join() === ascending(tallied).join();
      assert.deepEqual(found.numbers, ascending(fits ? table : both));
      const isKnown = fits ? table.length === both.length && index.length === both.length : false;
      if (!isKnown) assert.ok(found.damages.length > 0 || found.tally, 'a difference is named');
      else assert.deepEqual([found.damages, found.tally], [[], undefined]);
    }),
    { numRuns: 60 },
  );
});

test('numbers that neither the table nor the index can say are named once after each reading', () => {
  const { database, survey } = databaseOf({ both: Array.from({ length: 900 }, (_, i) => i + 1) }, [1]);
  assert.deepEqual(survey.of(7).damages, []);
  const path = join(scratch, `${databases}.db`);
  const pageOf = (name: string, row: string): number => {
    const sql = `SELECT pageno FROM dbstat WHERE name = '${name}' AND pagetype = 'leaf' ORDER BY path LIMIT 1 OFFSET ${row}`;
    return (database.prepare(sql).get() as { pageno: number }).pageno;
  };
  let pages: number[];
  try {
    pages = [pageOf('images', '1'), pageOf('images_of_application', '1')];
  } catch {
    return; // this build of SQLite does not tell the pages
  }
  database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const content = readFileSync(path);
  for (const page of pages) content.fill(0xff, (page - 1) * 4096, page * 4096);
  const copy = join(scratch, 'unreadable.db');
  writeFileSync(copy, content);
  const damaged = new ImageSurvey(openToRead(copy));
  const what = 'pictures with these numbers cannot be read, if there were any';
  const [unknown] = damaged.of(7).damages;
  assert.equal(unknown!.what, what);
  assert.ok(unknown!.numbers!.from > 1 && unknown!.numbers!.to < 900);
  assert.deepEqual(damaged.of(7).damages.filter((each) => each.what === what), []); // prettier-ignore
});
