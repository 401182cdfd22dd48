import assert from 'node:assert/strict';
import { mkdtempSync, readdirSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, test } from 'node:test';
import Database from 'libsql';
import { Failure } from '../errors.ts';
import { openApplicationStore } from './application-store.ts';
import { openToRead } from './database.ts';
import { prepareFolder, readFormat } from './folder.ts';
import { readIdentity } from './identity.ts';
import { openImageStore } from './image-store.ts';
import { snapshot } from './snapshot.ts';
import type { ApplicationRecord } from './store.ts';
import { dnaOf } from './dna.test.kit.ts';
import { verify } from './verify.ts';

const scratch = mkdtempSync(join(tmpdir(), 'sosia-snapshot-'));
after(() => rmSync(scratch, { recursive: true }));

const application: Omit<ApplicationRecord, 'number'> = {
  keys: [],
  type: 'media-matching',
  name: 'a',
  enabled: true,
  defaults: { nbResults: 10, colorWeight: 50, retrievalThreshold: 1 },
};

test('a snapshot during writes is the state after some change between its call and its end, and can be served', async (t) => {
  const folder = join(scratch, 'data');
  const copy = join(scratch, 'deep', 'copy');
  const applications = openApplicationStore(folder);
  t.after(() => applications.close());
  applications.create(application);
  const store = await openImageStore(folder);
  t.after(() => store.close());

  // every third change removes the picture added before it; the writers overlap
  const states: string[] = [''];
  const present = new Set<number>();
  let assigned = 0;
  let settled = 0;
  async function writeSome(): Promise<void> {
    for (let i = 0; i < 10; i++) {
      const number = ++assigned;
      const adding = store.append(1, { id: `p${number}`, keywords: [], dna: dnaOf('media-matching', number) });
      present.add(number);
      states.push([...present].join());
      const position = states.length - 1;
      assert.equal(await adding, number);
      settled = Math.max(settled, position);
      if (i % 2 === 0) continue;
      const removing = store.remove(1, number);
      present.delete(number);
      states.push([...present].join());
      await removing;
    }
  }
  for (let round = 0; round < 20; round++) await Promise.all([writeSome(), writeSome(), writeSome()]);

  const before = settled;
  const copying = { ended: false };
  const snapshot = store.snapshot(copy).finally(() => (copying.ended = true));
  while (!copying.ended) await Promise.all([writeSome(), writeSome()]);
  await snapshot;
  assert.ok(settled > before, 'writes went on');

  assert.deepEqual(readdirSync(copy).sort(), ['applications.db', 'format', 'images.db']);
  assert.deepEqual(verify(copy).damages, []);
  const copied = await openImageStore(copy);
  t.after(() => copied.close());
  const numbers: number[] = [];
  for await (const batch of copied.replay(1)) numbers.push(...batch.map(({ number }) => number));
  assert.ok(states.indexOf(numbers.join()) >= before, `${numbers.length} pictures: no state since the call`);
  const next = await copied.append(1, { id: 'next', keywords: [], dna: new Uint8Array(1) });
  assert.ok(next > numbers.at(-1)!);

  const copiedApplications = openApplicationStore(copy);
  assert.deepEqual(copiedApplications.list(), applications.list());
  copiedApplications.close();
});

test('a snapshot into a folder with files is refused and leaves the folder unchanged', async (t) => {
  const store = await openImageStore(join(scratch, 'other'));
  t.after(() => store.close());
  const to = mkdtempSync(join(scratch, 'full-'));
  writeFileSync(join(to, 'letter'), 'dear');
  await assert.rejects(store.snapshot(to), (cause) => {
    assert.ok(cause instanceof Failure && cause.error === 'SNAPSHOT_FAILED');
    assert.match(cause.message, /expected an empty folder, found letter/);
    return true;
  });
  assert.deepEqual(readdirSync(to), ['letter']);
  assert.equal(store.state, 'available');
});

test('a copy is of the same folder and of a generation of its own, also where the identity of the applications is damaged', async () => {
  const folder = join(scratch, 'identified');
  const applications = openApplicationStore(folder);
  applications.create(application);
  applications.close();
  await (await openImageStore(folder)).close();
  const of = (home: string) =>
    ['applications.db', 'images.db'].map((name) => readIdentity(openToRead(join(home, name))));
  const [own] = of(folder);
  const copy = join(scratch, 'copy of identified');
  await snapshot(folder, copy);
  const [copied, images] = of(copy);
  assert.equal(copied!.generation.count, own!.generation.count + 1);
  assert.notEqual(copied!.generation.nonce, own!.generation.nonce);
  assert.deepEqual([copied!.folder, copied!.next, copied!.unfinished], [own!.folder, undefined, undefined]);
  assert.deepEqual([images!.generation, images!.rows, copied!.rows], [copied!.generation, true, undefined]);
  assert.deepEqual(verify(copy).damages, []);
  assert.deepEqual(readFormat(copy), { folder: own!.folder, generation: 0 });

  const database = new Database(join(folder, 'applications.db'));
  database.exec('UPDATE identity SET crc = crc + 1');
  database.close();
  const again = join(scratch, 'copy of damaged');
  await snapshot(folder, again);
  const [made] = of(again);
  assert.deepEqual([made!.folder, made!.applications, made!.unfinished], [own!.folder, 0, undefined]);
  assert.deepEqual(verify(again), { applications: 1, images: 0, damages: [] });
});

test('a folder that is not finished is copied as such', async () => {
  const folder = join(scratch, 'begun');
  prepareFolder(folder);
  const copy = join(scratch, 'copy of begun');
  await snapshot(folder, copy);
  assert.equal(readFormat(copy), 'unfinished');
  assert.deepEqual(readdirSync(copy), ['format']);
});
