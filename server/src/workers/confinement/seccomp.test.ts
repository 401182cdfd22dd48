import assert from 'node:assert/strict';
import { test } from 'node:test';
import { filterFor, filterOfRings } from './seccomp.ts';
import { numberOf, type Processor, type SystemCall } from './system-calls.ts';

// Numbers as in the tables of Linux, written down once more: of the calls that pass with any arguments, and of those that depend on them.
const x64 = [
  0, 1, 3, 5, 7, 8, 9, 10, 11, 12, 13, 14, 15, 17, 19, 20, 24, 25, 28, 35, 39, 60, 63, 96, 98, 99, 100, 102, 104, 107,
  108, 110, 128, 131, 143, 145, 186, 201, 202, 204, 218, 219, 228, 229, 230, 231, 232, 233, 271, 273, 274, 281, 290,
  309, 318, 324, 329, 334, 441, 449,
];
const arm64 = [
  19, 21, 22, 57, 62, 63, 64, 65, 66, 67, 73, 80, 93, 94, 96, 98, 99, 100, 101, 113, 114, 115, 120, 121, 123, 124, 128,
  132, 134, 135, 137, 139, 153, 160, 165, 168, 169, 172, 173, 174, 175, 176, 177, 178, 179, 214, 215, 216, 222, 226,
  233, 278, 283, 288, 293, 441, 449,
];
const named: Partial<Record<SystemCall, readonly [x64: number, arm64: number]>> = {
  clone: [56, 220],
  clone3: [435, 435],
  fcntl: [72, 25],
  io_uring_setup: [425, 425],
  ioctl: [16, 29],
  landlock_create_ruleset: [444, 444],
  landlock_restrict_self: [446, 446],
  prctl: [157, 167],
  seccomp: [317, 277],
  tgkill: [234, 131],
};
const OWN = 4711;
const processors = [
  ['x64', 0, 0xc000_003e, x64],
  ['arm64', 1, 0xc000_00b7, arm64],
] as const;

for (const [processor, at, architecture, passing] of processors) {
  const filter = filterFor(processor, OWN);
  const ask = (number: number, ...values: number[]) => decided(filter, architecture, number, values);
  const of = (name: SystemCall): number => named[name]![at];
  const passes = (call: SystemCall, argument: number, values: readonly number[]) =>
    values.filter((value) => ask(of(call), ...Array(argument).fill(0), value) === 'allowed');

  test(`of ${processor}, the calls that decoding needs pass, and no others`, () => {
    for (const [call, numbers] of Object.entries(named))
      assert.equal(numberOf(call as SystemCall, processor), numbers[at], call);
    const all = Array.from({ length: 600 }, (_, number) => number);
    assert.deepEqual(
      all.filter((number) => ask(number) === 'allowed'),
      passing,
    );
    const unknown = all.filter((number) => ask(number) === 'ENOSYS');
    assert.deepEqual(unknown, [of('clone3')]);
    assert.ok(all.every((number) => ['allowed', 'EPERM', 'ENOSYS'].includes(ask(number))));
    const x32 = passing.filter((number) => ask(number + 0x4000_0000) !== 'EPERM');
    assert.deepEqual(x32, [], 'calls of another table');
    assert.equal(decided(filter, 0x4000_0003, passing[0]!, []), 'EPERM', 'a call of another architecture');
    assert.deepEqual(filter.subarray(-8), Buffer.from([6, 0, 0, 0, 1, 0, 5, 0]), 'the filter ends with a refusal');
  });

  test(`of ${processor}, a clone is a thread in the same namespaces`, () => {
    const thread = 0x1_0000;
    const bits = Array.from({ length: 32 }, (_, bit) => bit);
    const without = bits.filter((bit) => ask(of('clone'), (1 << bit) >>> 0) === 'allowed');
    assert.deepEqual(without, [16]);
    const refused = bits.filter((bit) => ask(of('clone'), (thread | (1 << bit)) >>> 0) !== 'allowed');
    assert.deepEqual(refused, [17, 25, 26, 27, 28, 29, 30], 'namespaces');
    assert.equal(ask(of('clone'), 0x3d_0f00), 'allowed', 'as the C library makes a thread');
    assert.equal(ask(of('clone'), 0, thread), 'EPERM', 'flags are the first argument');
    const own = 0x3_0000; // a thread in a namespace of its own, were it no process
    assert.equal(decided(filterFor(processor, own), architecture, of('clone'), [own]), 'EPERM');
  });

  test(`of ${processor}, calls with a choice pass with the harmless arguments alone`, () => {
    const small = Array.from({ length: 1100 }, (_, value) => value);
    assert.deepEqual(passes('tgkill', 0, [0, 1, OWN - 1, OWN, OWN + 1, 2 * OWN]), [OWN]);
    assert.deepEqual(passes('prctl', 0, small), [15]);
    assert.deepEqual(passes('fcntl', 1, small), [1, 2, 3, 4]);
    const modes = Array.from({ length: 0x6000 }, (_, value) => value);
    assert.deepEqual(passes('ioctl', 1, modes), [0x541b, 0x5421, 0x5450, 0x5451]);
  });

  test(`of ${processor}, the filter of rings refuses the call that makes one, and no other`, () => {
    const rings = filterOfRings(processor);
    const answers = Array.from({ length: 600 }, (_, number) => decided(rings, architecture, number, []));
    assert.deepEqual(
      answers.flatMap((answer, number) => (answer === 'allowed' ? [] : [[number, answer]])),
      [[425, 'ENOSYS']],
    );
    assert.equal(decided(rings, 0x4000_0003, 425, []), 'EPERM');
    assert.equal(rings.length, 7 * 8);
  });
}

test('a processor without a call has no number of it', () => {
  const absent: SystemCall[] = ['epoll_wait', 'poll', 'time'];
  for (const call of absent) assert.equal(numberOf(call, 'arm64' satisfies Processor), null);
});

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
