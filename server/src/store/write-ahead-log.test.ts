import assert from 'node:assert/strict';
import { copyFileSync, mkdirSync, mkdtempSync, readFileSync, rmSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { test } from 'node:test';
import { openDatabase } from './database.ts';
import { openImageStore } from './image-store.ts';
import type { Damage } from './store.ts';
import { verify } from './verify.ts';
import { damageOfLog, lossOfLog, readLog } from './write-ahead-log.ts';

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

test('a log is read frame by frame up to its last commit, and frames of earlier rounds are no damage', (t) => {
  const folder = mkdtempSync(join(tmpdir(), 'sosia-log-'));
  t.after(() => rmSync(folder, { recursive: true }));
  const path = join(folder, 'a.db');
  const log = `${path}-wal`;
  const copy = join(folder, 'b.db-wal');
  const database = openDatabase(path, 'CREATE TABLE a (b)');
  database.exec('PRAGMA wal_autocheckpoint = 0; PRAGMA wal_checkpoint(TRUNCATE)');
  for (let i = 0; i < 4; i++) database.exec(`INSERT INTO a VALUES (${i})`);
  const whole = readFileSync(log);
  const shown = (bytes: Uint8Array) => {
    writeFileSync(copy, bytes);
    const { frames, ...rest } = readLog(copy);
    return { pages: frames.map(({ page }) => page), ...rest, loss: lossOfLog(join(folder, 'b.db'))?.what };
  };
  const count = (whole.length - 32) / FRAME;
  const salts = whole.readBigUInt64BE(16);
  const sound = { pages: Array<number>(count).fill(2), length: whole.length, salts, lost: 0, broken: false };
  assert.deepEqual(shown(whole), { ...sound, loss: undefined });
  assert.ok(Buffer.from(readLog(copy).frames[0]!.bytes).equals(whole.subarray(32 + 24, 32 + FRAME)));
  const none = { pages: [], salts: 0n, lost: 0, broken: false };
  for (const length of [1, 31, 55])
    assert.deepEqual(shown(whole.subarray(0, length)), {
      ...none,
      length,
      loss: 'none of it can be read; its commits are lost',
    });
  const cut = shown(whole.subarray(0, 32 + FRAME));
  assert.deepEqual([cut.pages, cut.broken], [[2], false]);
  for (const more of [1, 24, FRAME - 1]) assert.equal(shown(whole.subarray(0, 32 + FRAME + more)).broken, true);

  // the next round is shorter, so that frames of this one remain behind it
  database.exec('PRAGMA wal_checkpoint(PASSIVE)');
  database.exec('INSERT INTO a VALUES (9)');
  const next = readFileSync(log);
  assert.equal(next.length, whole.length);
  const round = shown(next);
  assert.deepEqual([round.pages, round.lost, round.broken, round.loss], [[2], 0, false, undefined]);
  assert.equal(round.salts >> 32n, (salts >> 32n) + 1n);
  const earlier = (rounds: number): boolean => {
    const changed = Buffer.from(next);
    changed.writeUInt32BE((next.readUInt32BE(16) - rounds) >>> 0, 32 + FRAME + 8);
    return !shown(changed).broken;
  };
  assert.deepEqual([1, 2, 2 ** 20 - 1].map(earlier), [true, true, true]);
  assert.deepEqual([0, -1, 2 ** 20].map(earlier), [false, false, false]);
  mkdirSync(join(folder, 'c.db-wal'));
  assert.throws(() => readLog(join(folder, 'c.db-wal')), { code: 'EISDIR' });
});
