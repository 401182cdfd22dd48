import assert from 'node:assert/strict';
import { copyFileSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openImageStore } from './image-store.ts';
import type { Damage } from './store.ts';
import { verify } from './verify.ts';
import { damageOfLog, lossOfLog } from './write-ahead-log.ts';

const FRAME = 24 + 4096;
const COMMITS = 12;

test('damage in the log is distinguished from the torn end of a power cut', async (t) => {
  const scratch = mkdtempSync(join(tmpdir(), 'sosia-log-'));
  t.after(() => rmSync(scratch, { recursive: true }));

  // a folder as left by a kill: the files of an open store
  const alive = join(scratch, 'alive');
  const store = await openImageStore(alive);
  t.after(() => store.close());
  for (let i = 0; i < COMMITS; i++) await store.append(1, { id: `p${i}`, keywords: [], dna: new Uint8Array(5_000) });
  let copies = 0;
  function killed(): string {
    const folder = mkdtempSync(join(scratch, `killed-${++copies}-`));
    const files = ['format', 'applications.db', 'applications.db-wal', 'images.db', 'images.db-wal'];
    for (const file of files) copyFileSync(join(alive, file), join(folder, file));
    return folder;
  }
  const log = readFileSync(join(alive, 'images.db-wal'));
  const commitFrames: number[] = [];
  for (let at = 32; at < log.length; at += FRAME) if (log.readUInt32BE(at + 4) > 0) commitFrames.push(at);
  const [lastButOne, last] = commitFrames.slice(-2) as [number, number];
  const fourth = commitFrames[3]!;
  const damaged = (at: number): string => {
    const folder = killed();
    const flipped = Buffer.from(log);
    flipped[at]! ^= 16;
    writeFileSync(join(folder, 'images.db-wal'), flipped);
    return join(folder, 'images.db');
  };

  assert.equal(damageOfLog(join(killed(), 'images.db')), undefined);
  assert.equal(damageOfLog(join(scratch, 'none.db')), undefined);

  // anywhere except in the last commit: in a page, in a salt, in a checksum, in the header of the log
  for (const at of [fourth + 1000, fourth + 9, fourth + 17, lastButOne + 24, 17, 3, 26]) {
    assert.match(damageOfLog(damaged(at))?.what ?? '', /fails its checksum/, `byte ${at}`);
  }
  assert.match(damageOfLog(damaged(commitFrames.at(-5)! + 24))!.what, /and 5 commits/);

  // after a power cut: the end is missing or torn
  assert.equal(damageOfLog(damaged(last + 24)), undefined);
  for (const cut of [1, 500, FRAME, 3 * FRAME + 77]) {
    const folder = killed();
    truncateSync(join(folder, 'images.db-wal'), log.length - cut);
    assert.equal(damageOfLog(join(folder, 'images.db')), undefined, `cut by ${cut}`);
  }

  // both ways of opening a folder report it
  const database = damaged(fourth + 1000);
  const folder = join(database, '..');
  assert.equal(verify(folder).damages[0]!.file, 'images.db-wal');
  const damages: Damage[] = [];
  const reopened = await openImageStore(folder, (damage) => damages.push(damage));
  t.after(() => reopened.close());
  assert.deepEqual(damages, [{ file: 'images.db-wal', what: damages[0]?.what }]);
});

test('a log that lacks something durable has lost it all where it has bytes but no frame, and nothing where it is empty', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const lossOf = (bytes: number): string | undefined => {
    writeFileSync(join(folder, 'images.db-wal'), new Uint8Array(bytes));
    return lossOfLog(join(folder, 'images.db'))?.what;
  };
  assert.equal(lossOfLog(join(folder, 'images.db')), undefined);
  assert.deepEqual([0, 1].map(lossOf), [undefined, 'none of it can be read; its commits are lost']);
});
