import assert from 'node:assert/strict';
import { execFile, spawnSync } from 'node:child_process';
import { extname } from 'node:path';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { strictestRuleset } from './landlock.ts';
import { checkedConfinement, missingFrom } from './measures.ts';
import { filterFor } from './seccomp.ts';
import { isKnown, systemCalls } from './system-calls.ts';

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
    const { worked, refused } = await attack(user);
    assert.deepEqual(worked, []);
    assert.ok(refused.length > 45, `${refused.length} attempts`);
  });

  test(`an unconfined process of ${who} gets all of it`, { skip }, async () => {
    const { worked, refused } = await attack(user, '--unconfined');
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

test('the filter of both processors lets pass what decoding needs and nothing else', () => {
  for (const [processor, at, architecture] of [
    ['x64', 0, 0xc000_003e],
    ['arm64', 1, 0xc000_00b7],
  ] as const) {
    const filter = filterFor(processor, 4711);
    const ask = (number: number | null, ...values: number[]) => decided(filter, architecture, number!, values);
    const of = (name: keyof typeof systemCalls) => systemCalls[name][at];
    for (const name of ['read', 'write', 'mmap', 'futex', 'restart_syscall', 'exit_group'] as const)
      assert.equal(ask(of(name)), 'allowed', name);
    assert.equal(ask(of('clone'), 0x3d_0f00), 'allowed', 'a thread');
    assert.equal(ask(of('clone'), 17), 'EPERM', 'a process');
    assert.equal(ask(of('clone'), 0x4000 | 0x100 | 17), 'EPERM', 'vfork');
    assert.equal(ask(of('clone'), 0x1_0000 | 0x1000_0000), 'EPERM', 'a namespace');
    assert.equal(ask(of('clone3'), 0), 'ENOSYS');
    assert.equal(ask(of('tgkill'), 4711, 1, 6), 'allowed', 'abort');
    assert.equal(ask(of('tgkill'), 4712, 1, 6), 'EPERM');
    assert.equal(ask(of('fcntl'), 3, 4), 'allowed');
    assert.equal(ask(of('fcntl'), 3, 8), 'EPERM', 'F_SETOWN');
    assert.equal(ask(of('prctl'), 15), 'allowed');
    assert.equal(ask(of('prctl'), 4), 'EPERM');
    assert.equal(ask(of('seccomp')), 'EPERM');
    assert.equal(decided(filter, 0x4000_0003, of('read')!, []), 'EPERM', 'a call of another architecture');
    const passing = Array.from({ length: 600 }, (_, number) => number).filter((number) => ask(number) === 'allowed');
    assert.equal(passing.length, processor === 'x64' ? 60 : 57);
    if (processor === 'x64')
      for (const number of passing) assert.equal(ask(number + 0x4000_0000), 'EPERM', 'the x32 call of that number');
  }
});

test('a ruleset handles all that a version of Landlock can take away', () => {
  const fields = (version: number) => {
    const bytes = strictestRuleset(version);
    return Array.from({ length: bytes.length / 8 }, (_, i) => bytes.readBigUInt64LE(8 * i));
  };
  assert.deepEqual(fields(1), [0x1fffn]);
  assert.deepEqual(fields(3), [0x7fffn]);
  assert.deepEqual(fields(4), [0x7fffn, 3n]);
  assert.deepEqual(fields(6), [0xffffn, 3n, 3n]);
  assert.deepEqual(fields(20), fields(6));
});

test('a report names each measure, and missing measures are named', () => {
  const all = { limits: true, user: true, permissions: true, landlock: true, system_calls: true, parent: true };
  assert.deepEqual(missingFrom(checkedConfinement(all)), []);
  assert.deepEqual(missingFrom(checkedConfinement({ ...all, landlock: false })), ['landlock']);
  for (const report of [undefined, {}, { ...all, user: 1 }]) assert.throws(() => checkedConfinement(report), /report/);
});

/** Why the attack cannot be made as this user; false where it can. */
function skipFor(uid: number | undefined): string | false {
  if (!linux) return 'children are confined in full on Linux, x64 and arm64, only';
  if (uid === undefined) return false;
  const read = 'require("node:fs").readFileSync(process.argv[1])';
  const { status } = spawnSync(process.execPath, ['-e', read, attacker], { uid, gid: uid });
  return status !== 0 && 'an ordinary user cannot read the folder of this program';
}

async function attack(uid?: number, ...flags: string[]): Promise<{ worked: string[]; refused: string[] }> {
  const options = uid === undefined ? {} : { uid, gid: uid };
  const { stdout } = await promisify(execFile)(process.execPath, [attacker, ...flags], options);
  return JSON.parse(stdout);
}

/** What the kernel would do: the instructions of the classic packet filter that the filter uses. */
function decided(filter: Buffer, architecture: number, number: number, values: readonly number[]): string {
  const data = Buffer.alloc(64);
  data.writeUInt32LE(number >>> 0, 0);
  data.writeUInt32LE(architecture, 4);
  values.forEach((value, i) => data.writeUInt32LE(value >>> 0, 16 + 8 * i));
  let accumulator = 0;
  for (let at = 0; ; at++) {
    const [code, operand] = [filter.readUInt16LE(8 * at), filter.readUInt32LE(8 * at + 4)];
    const [ifTrue, ifFalse] = [filter[8 * at + 2]!, filter[8 * at + 3]!];
    if (code === 0x20) accumulator = data.readUInt32LE(operand);
    else if (code === 0x15) at += accumulator === operand ? ifTrue : ifFalse;
    else if (code === 0x45) at += (accumulator & operand) !== 0 ? ifTrue : ifFalse;
    else return { 0x7fff0000: 'allowed', 0x50001: 'EPERM', 0x50026: 'ENOSYS' }[operand] ?? `${operand}`;
  }
}
