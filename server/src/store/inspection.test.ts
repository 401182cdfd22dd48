import assert from 'node:assert/strict';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, mock, test } from 'node:test';
import { AdministrationTable } from './administration-table.ts';
import { application, key } from './application.test.kit.ts';
import { applicationWriter, rowDigests } from './application-table.ts';
import { type Connection, openDatabase } from './database.ts';
import { type Identity, writeIdentity } from './identity.ts';
import { inspectFolder, requireWhole } from './inspection.ts';
import { ADMINISTRATORS, RowDigestTable } from './row-digests.ts';
import { applicationSchema, imageSchema } from './schema.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-inspected-'));
after(() => rmSync(scratch, { recursive: true }));
let folders = 0;

const [A, B, C] = ['a', 'b', 'c'].map((digit) => digit.repeat(32)) as [string, string, string];
const generation = (count: number, nonce = 'n') => ({ count, nonce });
const identity = (of: Partial<Identity> = {}): Identity => ({
  ...{ folder: A, generation: generation(1), applications: 0, changes: 0, ...of },
});
/** A database with an identity, without one, of no bytes, or none; or what makes it. */
type File = Partial<Identity> | 'unidentified' | 'empty' | 'missing' | ((database: Connection) => void);

/** @param format  of the format file; with an identity, it is finished */
function folderOf(format: string, applications: File, images: File): string {
  const folder = join(scratch, String(++folders));
  mkdirSync(folder);
  writeFileSync(join(folder, 'format'), format);
  for (const [name, schema, file] of [
    ['applications.db', applicationSchema, applications],
    ['images.db', imageSchema, images],
  ] as const) {
    const path = join(folder, name);
    if (file === 'missing') continue;
    if (file === 'empty') {
      writeFileSync(path, '');
      continue;
    }
    const database = openDatabase(path, schema);
    if (typeof file === 'function') file(database);
    else if (file !== 'unidentified') writeIdentity(database, identity(file));
    database.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  }
  return folder;
}
const UNFINISHED = 'sosia data 1\n';
const finished = (count = 0, folder = A) => `sosia data 1 ${folder} ${count}\n`;

function faultsOf(format: string, applications: File, images: File): string[] {
  const { faults } = inspectFolder(folderOf(format, applications, images));
  return faults.map(({ file, what }) => `${file}: ${what.split('. ')[0]}`);
}
const expected = (file: string, found: string): string =>
  `${file}: expected a database of the folder ${A}, found ${found}`;

test('a finished folder has both databases, of the folder that its format file names', () => {
  assert.deepEqual(faultsOf(finished(), {}, {}), []);
  for (const [file, faults] of [
    ['missing', 'no such file'],
    ['empty', 'an empty one'],
    [
      (database: Connection) =>
        database.exec('PRAGMA user_version = 0; PRAGMA writable_schema = 1; DELETE FROM sqlite_schema'),
      'an empty one',
    ],
    [{ folder: B }, `one of the folder ${B}`],
  ] as const) {
    assert.deepEqual(faultsOf(finished(), file, {}), [expected('applications.db', faults)]);
    assert.deepEqual(faultsOf(finished(), {}, file), [expected('images.db', faults)]);
  }
  const both = [expected('applications.db', `one of the folder ${B}`), expected('images.db', `one of the folder ${C}`)];
  assert.deepEqual(faultsOf(finished(), { folder: B }, { folder: C }), both);
  const format = `format: expected the folder ${B}, as in both databases, found ${A}`;
  assert.deepEqual(faultsOf(finished(), { folder: B }, { folder: B }), [format]);
});

test('databases of one folder have one generation, or images.db the one that applications.db announces', () => {
  const earlier = (stale: string, good: string, [wanted, found]: readonly number[]) =>
    `${stale}.db: expected generation ${wanted}, as in ${good}.db, found ${found}: an earlier copy`;
  const at = (count: number, nonce?: string) => ({ generation: generation(count, nonce) });
  const announced = { ...at(1), next: generation(2, 'm') };
  const another = 'images.db: expected generation 2 of this folder, found that of another copy of it';
  for (const format of [finished(), UNFINISHED]) {
    assert.deepEqual(faultsOf(format, at(2), at(1)), [earlier('images', 'applications', [2, 1])]);
    assert.deepEqual(faultsOf(format, at(9), at(10)), [earlier('applications', 'images', [10, 9])]);
    assert.deepEqual(faultsOf(format, at(2), at(2, 'other')), [another]);
    assert.deepEqual(faultsOf(format, announced, at(1)), []);
    assert.deepEqual(faultsOf(format, announced, at(2, 'm')), []);
    assert.deepEqual(faultsOf(format, announced, at(2)), [earlier('applications', 'images', [2, 1])]);
  }
});

test('both are of the generation that the format file notes, or of a later one', () => {
  const at = (count: number) => ({ generation: generation(count) });
  const fault = (noted: number, found: number) =>
    `applications.db: expected generation ${noted} of this folder, found ${found}: an earlier copy`;
  assert.deepEqual(faultsOf(finished(3), at(3), at(3)), []);
  assert.deepEqual(faultsOf(finished(2), at(3), at(3)), []);
  assert.deepEqual(faultsOf(finished(4), at(3), at(3)), [fault(4, 3)]);
  const next = { ...at(3), next: generation(4) };
  assert.deepEqual(faultsOf(finished(4), next, at(4)), [], 'the later of both counts');
  assert.deepEqual(faultsOf(finished(5), next, at(4)), [fault(5, 4)]);
});

test('an unfinished folder may lack what was not made yet, and nothing that was in use', () => {
  const lost = (file: string, because: string) => `${file}: expected a database, found none, but ${because}`;
  const sequence = (highest: number) => (database: Connection) =>
    database.exec(`INSERT INTO sqlite_sequence VALUES ('images', ${highest})`);
  const unfinished = { unfinished: true } as const;
  for (const absent of ['missing', 'empty'] as const) {
    assert.deepEqual(faultsOf(UNFINISHED, absent, absent), []);
    assert.deepEqual(faultsOf(UNFINISHED, absent, 'unidentified'), []);
    assert.deepEqual(faultsOf(UNFINISHED, absent, sequence(0)), []);
    for (const used of [{}, sequence(1)])
      assert.deepEqual(faultsOf(UNFINISHED, absent, used), [lost('applications.db', 'images.db was in use')]);
    assert.deepEqual(faultsOf(UNFINISHED, unfinished, absent), []);
    const inUse = [lost('images.db', 'applications.db was in use with it')];
    assert.deepEqual(faultsOf(UNFINISHED, {}, absent), inUse);
  }
  assert.deepEqual(faultsOf(UNFINISHED, 'unidentified', 'unidentified'), []);
  assert.deepEqual(faultsOf(UNFINISHED, unfinished, 'unidentified'), []);
  const as = (file: string, other: string) => `${file}: expected an identity as in ${other}, found none`;
  assert.deepEqual(faultsOf(UNFINISHED, 'unidentified', {}), [as('applications.db', 'images.db')]);
  assert.deepEqual(faultsOf(UNFINISHED, {}, 'unidentified'), [as('images.db', 'applications.db')]);
  const other = [`images.db: expected the folder ${A}, found ${B}`];
  assert.deepEqual(faultsOf(UNFINISHED, {}, { folder: B }), other);
  assert.deepEqual(faultsOf(UNFINISHED, {}, {}), []);
});

test('an identity that is missing or damaged is no fault of a finished folder, which then has none', () => {
  const damaged = (database: Connection): void => {
    writeIdentity(database, identity());
    database.exec('UPDATE identity SET crc = crc + 1');
  };
  for (const file of ['applications.db', 'images.db']) {
    const having = (one: File): [File, File] => (file === 'applications.db' ? [one, {}] : [{}, one]);
    const without = inspectFolder(folderOf(finished(), ...having('unidentified')));
    assert.deepEqual([without.faults, without.damages, without.identified], [[], [], false], file);
    const found = inspectFolder(folderOf(finished(), ...having(damaged)));
    assert.deepEqual([found.faults, found.damages.length, found.identified], [[], 1, false]);
    assert.match(found.damages[0]!.what, /^its identity: expected the checksum/);
    assert.deepEqual([found.damages[0]!.file, found.outdated, found.lost], [file, new Map(), undefined]);
  }
  assert.equal(inspectFolder(folderOf(finished(), {}, {})).identified, true);
});

test('a format file that cannot be read is damage where both databases are of one folder', () => {
  const { format, damages, faults } = inspectFolder(folderOf('x', { folder: B }, { folder: B }));
  assert.deepEqual([format, faults], [{ folder: B, generation: 0 }, []]);
  assert.deepEqual(damages, [{ file: 'format', what: 'it cannot be read; both databases have its identity' }]);
  for (const [applications, images] of [
    [{ folder: A }, { folder: B }],
    ['unidentified', {}],
    [{}, 'unidentified'],
    ['unidentified', 'unidentified'],
  ] as const)
    assert.throws(() => inspectFolder(folderOf('x', applications, images)), { error: 'STORE_FORMAT' });
});

test('tables of another version, and ones that the service did not make, are faults', () => {
  const run = (sql: string) => (database: Connection) => {
    writeIdentity(database, identity());
    database.exec(sql);
  };
  const version = 'applications.db: expected the mark 1 (user_version), found 2: of another version';
  assert.deepEqual(faultsOf(finished(), run('PRAGMA user_version = 2'), {}), [version]);
  const foreign = 'applications.db: it has the table x, which this service did not make';
  assert.deepEqual(faultsOf(finished(), run('CREATE TABLE x (y)'), {}), [foreign]);
  const unmarked = faultsOf(finished(), {}, run('PRAGMA user_version = 0'));
  assert.match(unmarked.join(), /^images\.db: it has the table \w+, which this service did not make$/);
});

/** A folder with applications 1 to 3 and keys of administrators, of which images.db knows these. */
function withRows(change: (digests: Map<number, string>, table: RowDigestTable) => void, of: Partial<Identity> = {}) {
  let digests!: Map<number, string>;
  const applications = (database: Connection): void => {
    for (const number of [1, 2, 3]) applicationWriter(database).put({ number, ...application(String(number)) });
    new AdministrationTable(database, () => {}).saveAdministrators([key('root')]);
    writeIdentity(database, identity({ generation: generation(2), next: generation(3) }));
    digests = new Map(rowDigests(database).digests);
  };
  const images = (database: Connection): void => {
    change(digests, new RowDigestTable(database));
    writeIdentity(database, identity({ generation: generation(2), rows: true, ...of }));
  };
  return folderOf(finished(), applications, images);
}

test('a row that is not the one that images.db knows, or is missing, shows an earlier copy; the first one is named', () => {
  const sound = inspectFolder(withRows((digests, table) => table.replace(digests)));
  assert.deepEqual([sound.faults, sound.damages, sound.outdated], [[], [], new Map()]);
  for (const [change, words] of [
    [(rows) => rows.set(2, 'x'), 'the row of application 2 that images.db knows, found another'],
    [(rows) => rows.set(7, 'x'), 'the row of application 7 that images.db knows, found none'],
    [(rows) => rows.set(ADMINISTRATORS, 'x'), 'the keys of administrators that images.db knows, found another'],
    [(rows) => rows.set(12, 'x').set(7, 'y'), 'the row of application 7 that images.db knows, found none'],
    [(rows) => rows.set(7, 'x').set(3, 'y'), 'the row of application 3 that images.db knows, found another'],
  ] as readonly [(rows: Map<number, string>) => unknown, string][]) {
    const { faults } = inspectFolder(withRows((digests, table) => (change(digests), table.replace(digests))));
    const what = `expected ${words}: an earlier copy. Put back the file that belongs here, or restore a whole backup`;
    assert.deepEqual(faults, [{ file: 'applications.db', what }]);
  }
});

test('digests count that images.db has of all rows, of the generation of applications.db or a later one', () => {
  const foreign = (digests: Map<number, string>, table: RowDigestTable) => table.replace(digests.set(2, 'x'));
  const faults = (of: object) => inspectFolder(withRows(foreign, of)).faults.length;
  assert.equal(faults({}), 1);
  assert.equal(faults({ generation: generation(3) }), 1);
  assert.equal(faults({ rows: undefined as never }), 0);
});

test('where a row cannot be read, none is missed; a digest that fails its checksum is named', () => {
  const folder = withRows((digests, table) => table.replace(digests.set(7, 'x')));
  const applications = openDatabase(join(folder, 'applications.db'), applicationSchema);
  assert.equal(inspectFolder(folder).faults.length, 1);
  applications.exec('UPDATE applications SET crc = crc + 1 WHERE number = 3');
  const { faults, lost } = inspectFolder(folder);
  assert.deepEqual([faults, lost], [[], { other: new Map(), missing: [] }]);
  const images = openDatabase(join(folder, 'images.db'), imageSchema);
  images.exec('UPDATE row_digests SET crc = crc + 1 WHERE number = 2');
  const what = 'the digest of the row of application 2 fails its checksum';
  assert.deepEqual(inspectFolder(folder).damages, [{ file: 'images.db', what }]);
});

test('digests that cannot be read are named, and no row is missed', () => {
  const folder = withRows((digests, table) => table.replace(digests.set(7, 'x')));
  const images = openDatabase(join(folder, 'images.db'), imageSchema);
  images.exec('DROP TABLE row_digests');
  const { faults, damages } = inspectFolder(folder);
  assert.deepEqual([faults, damages.map(({ file }) => file)], [[], ['images.db']]);
  assert.match(damages[0]!.what, /^the digests of the rows of applications: no such table/);
});

test('rows that images.db has noted as not the latest are damage, and no key of them is accepted', () => {
  const { faults, damages, outdated } = inspectFolder(
    withRows((digests, table) => {
      table.replace(digests);
      const other = new Map([ADMINISTRATORS, 2].map((number) => [number, digests.get(number)!]));
      table.note({ other, missing: [] });
    }),
  );
  assert.deepEqual(faults, []);
  const file = 'applications.db';
  assert.deepEqual(new Set(damages), new Set([
    { file, what: 'the keys of administrators are not the latest; none of them is accepted' },
    { file, application: 2, what: 'its row is not the latest; none of its keys is accepted' },
  ])); // prettier-ignore
  assert.deepEqual([...outdated.keys()].sort(), [ADMINISTRATORS, 2]);
});

test('a fault that passes within 50 ms is none, and one that stays is named with the path of each file', (t) => {
  const folder = folderOf(finished(), 'missing', 'missing');
  const waits: number[] = [];
  let then = (): void => {};
  mock.method(Atomics, 'wait', (_: unknown, at: number, value: number, ms: number) => {
    assert.equal(value, Atomics.load(new Int32Array(4), at));
    waits.push(ms);
    then();
  });
  t.after(() => mock.restoreAll());
  const paths = ['applications.db', 'images.db'].map((name) => `${join(folder, name)}: expected a database`);
  assert.throws(
    () => requireWhole(folder),
    ({ error, message }: { error: string; message: string } & Error) =>
      error === 'STORE_INCONSISTENT' && paths.every((path) => message.includes(path)) && message.includes('; '),
  );
  assert.deepEqual(waits, [50]);
  then = () => {
    for (const [name, schema] of [
      ['applications.db', applicationSchema],
      ['images.db', imageSchema],
    ] as const)
      // prettier-ignore
      writeIdentity(openDatabase(join(folder, name), schema), identity());
  };
  assert.equal(requireWhole(folder).identified, true);
  assert.deepEqual(waits, [50, 50]);
});
