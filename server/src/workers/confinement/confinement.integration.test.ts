import assert from 'node:assert/strict';
import { execFile, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { extname } from 'node:path';
import { test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { processorTime } from '../processor-time.ts';
import { isKnown } from './system-calls.ts';

const linux = process.platform === 'linux' && isKnown(process.arch);
const root = process.getuid?.() === 0;
const ORDINARY_USER = 12_345;
const attacker = fileURLToPath(new URL(`./attack.test.main${extname(import.meta.url)}`, import.meta.url));

/** With a user that is not root, where this one is. */
const users = root ? [undefined, ORDINARY_USER] : [undefined];
for (const user of users) {
  const who = root && user === undefined ? 'root' : 'an ordinary user';
  const skip = skipFor(user);

  test(`of the server of ${who}, a child that was taken over gets nothing`, { skip }, async () => {
    const { owner, worked, refused } = await attack(user);
    assert.deepEqual(worked, []);
    assert.ok(refused.length > 45, `${refused.length} attempts`);
    assert.equal(owner, 0, 'no process of the same user traces it');
  });

  test(`an unconfined process of ${who} gets all of it`, { skip }, async () => {
    const { user: own, owner, worked, refused } = await attack(user, '--unconfined');
    assert.equal(owner, own);
    // machines that are locked down themselves refuse some of these to everybody
    const uncertain = [
      'make a namespace',
      'make an io_uring',
      'connect by IPv6',
      'listen by IPv6',
      'trace another process',
      'use a key of the kernel',
    ];
    assert.deepEqual(
      refused.filter((attempt) => !uncertain.includes(attempt)),
      [],
    );
    assert.ok(worked.length > 40, `${worked.length} attempts worked`);
  });
}

test('a child that works on and on ends with the server that is killed', { skip: skipFor(undefined) }, async () => {
  const url = (path: string) => JSON.stringify(new URL(path, import.meta.url).href);
  const program = `
    const { launch, NOBODY } = await import(${url('./launch.js')});
    const { writeFrame } = await import(${url('../frames.js')});
    const { process: child } = launch(new URL(${url('../pool.test.child.js')}), 1e9, NOBODY);
    child.stdio[3].once('data', () => {
      writeFrame(child.stdin, { kind: 'work on' }, new Uint8Array());
      child.stdin.write('', () => console.log(child.pid));
    });`;
  const server = spawn(process.execPath, ['--input-type=module', '-e', program], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  const pid = Number((await once(server.stdout, 'data'))[0]);
  const before = processorTime(pid)!;
  while (processorTime(pid)! < before + 200) await pause(20); // it reads nothing any more
  assert.ok(processorTime(pid));
  server.kill('SIGKILL');
  for (let i = 0; processorTime(pid) !== undefined; i++) {
    if (i === 500) process.kill(pid, 'SIGKILL');
    assert.ok(i < 500, 'it lives on after ten seconds');
    await pause(20);
  }
});

/** Why the attack cannot be made as this user; false where it can. */
function skipFor(uid: number | undefined): string | false {
  if (!linux) return 'children are confined in full on Linux, x64 and arm64, only';
  if (uid === undefined) return false;
  const read = 'require("node:fs").readFileSync(process.argv[1])';
  const { status } = spawnSync(process.execPath, ['-e', read, attacker], { uid, gid: uid });
  return status !== 0 && 'an ordinary user cannot read the folder of this program';
}

interface Attack {
  readonly user: number;
  /** Of the files of the child in /proc: root where the child can be neither traced nor written to a memory image. */
  readonly owner: number;
  readonly worked: string[];
  readonly refused: string[];
}

async function attack(uid?: number, ...flags: string[]): Promise<Attack> {
  const options = uid === undefined ? {} : { uid, gid: uid };
  const { stdout } = await promisify(execFile)(process.execPath, [attacker, ...flags], options);
  return JSON.parse(stdout);
}
