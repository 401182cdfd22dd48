import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { cpSync, existsSync, mkdtempSync, readFileSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, test } from 'node:test';
import Database from 'libsql';
import { Failure } from '../errors.ts';
import { openApplicationStore } from './application-store.ts';
import { key } from './application.test.kit.ts';
import { openToRead } from './database.ts';
import { dnaOf } from './dna.test.kit.ts';
import { readIdentity, writeIdentity } from './identity.ts';
import type { Generation } from './identity.ts';
import { openImageStore } from './image-store.ts';
import { removeLogs } from './remove-logs.ts';
import { repair } from './repair.ts';
import { verify } from './verify.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-exchange-'));
after(() => rmSync(scratch, { recursive: true }));
const at = (name: string) => join(scratch, name);
const digest = (name: string) => key(name).digest;
const dna = dnaOf('media-matching', 1);

/** Changes a folder in a process of its own, whose end removes its logs, or leaves them after a kill. */
function inProcess(folder: string, statements: string, end: 'stop' | 'kill'): void {
  const program = `
    const { openImageStore } = await import(new URL('./image-store.js', '${import.meta.url}'));
    const { openApplicationStore } = await import(new URL('./application-store.js', '${import.meta.url}'));
    const { application, key } = await import(new URL('./application.test.kit.js', '${import.meta.url}'));
    const images = await openImageStore('${folder}');
    const applications = openApplicationStore('${folder}');
    const add = (number, id) => images.append(number, { id, keywords: [], dna: new Uint8Array(${JSON.stringify([...dna])}) });
    ${statements}
    if ('${end}' === 'kill') process.kill(process.pid, 'SIGKILL');
    applications.close();
    await images.close();`;
  writeFileSync(at('program.mjs'), program);
  const { status, signal, stderr } = spawnSync(process.execPath, [at('program.mjs')], { encoding: 'utf8' });
  assert.ok(end === 'kill' ? signal === 'SIGKILL' : status === 0, stderr);
}

const logsIn = (folder: string) => readdirSync(folder).filter((name) => /-(wal|shm)$/.test(name));

before(() => {
  // two folders of the same history, so that rows and pages lie in the same places
  for (const [folder, name] of [
    [at('own'), 'own'],
    [at('foreign'), 'stranger'],
  ] as const) {
    inProcess(folder, `applications.create(application('${name}')); await add(1, '${name}');`, 'stop');
    cpSync(folder, `${folder}-before`, { recursive: true });
    // the key is revoked and another one made
    inProcess(folder, `applications.changeKeys(1, () => [key('${name} anew')]); await add(1, '${name} 2');`, 'stop');
    cpSync(folder, `${folder}-killed`, { recursive: true });
    inProcess(
      `${folder}-killed`,
      `await add(1, '${name} 3'); applications.create(application('${name} other'));`,
      'kill',
    );
  }
});

/** Keys that are accepted, after a start; a message if it is refused. */
async function keysOf(folder: string): Promise<string[] | string> {
  try {
    const images = await openImageStore(folder);
    const store = openApplicationStore(folder);
    const names = ['own', 'own anew', 'own other', 'stranger', 'stranger anew', 'stranger other'];
    const found = names.filter((name) => store.knows(digest(name)));
    store.close();
    await images.close();
    return found;
  } catch (cause) {
    assert.ok(cause instanceof Failure, String(cause));
    return cause.message;
  }
}

test('a clean stop leaves no logs', () => {
  for (const folder of ['own', 'foreign']) assert.deepEqual(logsIn(at(folder)), []);
  assert.ok(logsIn(at('own-killed')).includes('images.db-wal'));
});

test('a connection that reads images.db and is collected late, as on a busy machine, leaves no logs either', async () => {
  cpSync(at('own'), at('late'), { recursive: true });
  const reading = (): { statement: unknown } => {
    const statement = openToRead(at('late/images.db')).prepare('SELECT count(*) FROM sqlite_schema');
    statement.get();
    return { statement };
  };
  const held = reading();
  assert.ok(logsIn(at('late')).length > 0);
  const removed = removeLogs(at('late')); // has collected once on return
  held.statement = undefined;
  await removed;
  assert.deepEqual(logsIn(at('late')), []);
});

const databases = ['applications.db', 'images.db'];
const sets = [...databases.flatMap((file) => [[file], [file, `${file}-wal`], [`${file}-wal`]]), databases];
const folders = ['own', 'own-before', 'own-killed', 'foreign', 'foreign-before', 'foreign-killed'];

test('each exchange of databases and logs is refused by name and by verify, or changes nothing', async () => {
  let refused = 0;
  let harmless = 0;
  for (const base of ['own', 'own-killed']) {
    const expected = base === 'own' ? ['own anew'] : ['own anew', 'own other'];
    for (const other of folders.filter((name) => name !== base)) {
      for (const files of sets) {
        const name = `${files.join(' and ')} of ${other} in ${base}`;
        const folder = at('case');
        cpSync(at(base), folder, { recursive: true });
        for (const file of files) {
          rmSync(join(folder, file), { force: true });
          if (existsSync(join(at(other), file))) cpSync(join(at(other), file), join(folder, file));
        }
        const found = await keysOf(folder);
        if (typeof found === 'string') {
          refused++;
          assert.match(found, /(applications\.db|images\.db|format): expected/, name);
          assert.ok(verify(folder).damages.length > 0, name);
          assert.throws(() => repair(folder, at('repaired')), Failure, name);
        } else {
          harmless++;
          assert.deepEqual(found, expected, name);
        }
        rmSync(folder, { recursive: true });
      }
    }
  }
  assert.ok(refused > 40 && harmless > 5, `${refused} refused, ${harmless} harmless`);
});

test('an applications.db from within a change passes for no interruption once the change is acknowledged', async () => {
  const folder = at('own');
  const copy = at('within');
  // as between the announcement and the change
  cpSync(at('own-before'), copy, { recursive: true });
  const announced = new Database(join(copy, 'applications.db'));
  const identity = (of: string) => {
    const database = new Database(join(of, 'images.db'));
    const { record } = database.prepare('SELECT CAST(record AS TEXT) AS record FROM identity').get() as {
      record: string;
    };
    return JSON.parse(record) as { generation: Generation };
  };
  const { generation } = identity(folder);
  writeIdentity(announced, { ...readIdentity(announced), next: generation });
  announced.exec('PRAGMA wal_checkpoint(TRUNCATE)');
  const mixed = at('mixed');
  cpSync(folder, mixed, { recursive: true });
  cpSync(join(copy, 'applications.db'), join(mixed, 'applications.db'));
  assert.match(
    String(await keysOf(mixed)),
    /applications\.db: expected the row of application 1 that images\.db knows, found another/,
  );
});

test('where a damaged log has lost the change of a key, neither key is accepted, until a new one is made', async () => {
  const folder = at('lost');
  cpSync(at('own-before'), folder, { recursive: true });
  inProcess(folder, `applications.changeKeys(1, () => [key('own anew')]);`, 'kill');
  const log = join(folder, 'applications.db-wal');
  const bytes = readFileSync(log);
  writeFileSync(log, bytes.fill(0, bytes.length - 4096));
  const named = () =>
    verify(folder).damages.some(
      ({ application: number, what }) => number === 1 && /none of its keys is accepted/.test(what),
    );
  assert.ok(named());
  assert.deepEqual(repair(folder, at('lost-repaired')).applications, 1);
  assert.deepEqual(await keysOf(at('lost-repaired')), []);
  for (let start = 0; start < 2; start++) {
    assert.deepEqual(await keysOf(folder), []);
    assert.ok(named(), `after start ${start}`);
  }
  inProcess(folder, `applications.changeKeys(1, (keys) => [...keys, key('own other')]);`, 'stop');
  assert.deepEqual(await keysOf(folder), ['own other']);
  assert.deepEqual(verify(folder).damages, []);
});

test('a damaged format file is named, and the databases tell the folder', async () => {
  for (const text of [Buffer.alloc(46), Buffer.alloc(46, 'x')]) {
    const folder = at(`format-${text[0]}`);
    cpSync(at('own'), folder, { recursive: true });
    writeFileSync(join(folder, 'format'), text);
    assert.deepEqual(
      verify(folder).damages.map(({ file }) => file),
      ['format'],
    );
    assert.deepEqual(await keysOf(folder), ['own anew']);
    cpSync(join(at('foreign'), 'images.db'), join(folder, 'images.db'));
    assert.match(String(await keysOf(folder)), /format: it cannot be read/);
  }
});
