import assert from 'node:assert/strict';
import { once } from 'node:events';
import { extname } from 'node:path';
import { readFileSync } from 'node:fs';
import type { Readable, Writable } from 'node:stream';
import { after, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { Failure } from '../errors.ts';
import { assertDone, checkedAnswer, type Answer } from './answer.ts';
import { ChildPool, poolDefaults, type PoolOptions } from './child-pool.ts';
import type { ChildKind } from './confined-child.ts';
import { launch, NOBODY } from './confinement/launch.ts';
import { openLibc } from './confinement/libc.ts';
import type { Processor } from './confinement/system-calls.ts';
import { readFrames, writeFrame } from './frames.ts';

interface Done {
  readonly done: string;
  readonly pid: number;
}

const kind: ChildKind<Answer<Done>> = {
  name: 'pool child',
  script: new URL(`./pool.test.child${extname(import.meta.url)}`, import.meta.url),
  memory: 1e9,
  largestAnswer: 1000,
  check: ({ head }, task) => checkedAnswer<Done>(head, ({ done }) => done === task),
  failures: { late: 'DECODE_TIMEOUT', crashed: 'DECODER_CRASHED' },
};

const pools: ChildPool<Answer<Done>>[] = [];
after(() => Promise.all(pools.map((pool) => pool.close())));

/** A pool, what it said of replaced children, and a function that runs a task. */
function opened(options: Partial<PoolOptions> = {}, of = kind) {
  const replaced: string[] = [];
  const pool = new ChildPool(of, {
    ...poolDefaults,
    ...{ children: 1, resource: { name: 'a child', awaited: 'a free child' } },
    replaced: (reason, event) => replaced.push(`${reason} ${event}`),
    ...options,
  });
  pools.push(pool);
  /** @returns the process that did it, or the error */
  const run = (task: string, { tenant = 1, waitLimit = 60_000, timeLimit = 60_000 } = {}): Promise<number | string> => {
    const done = pool.run(tenant, waitLimit, async ({ child }) => {
      const { answer } = await child.run({ kind: task }, new Uint8Array(), timeLimit);
      assertDone(answer);
      return answer.pid;
    });
    return done.catch((cause: unknown) => (cause instanceof Failure ? cause.error : (cause as Error).message));
  };
  return { pool, run, replaced };
}

test('a child that ends, answers nonsense or is late fails its own task alone, and is replaced', async () => {
  const { pool, run, replaced } = opened();
  await pool.ready();
  const known = new Set([await run('work')]);
  for (const [task, error, limits] of [
    ['end', 'DECODER_CRASHED', {}],
    ['nonsense', 'DECODER_CRASHED', {}],
    ['never', 'DECODE_TIMEOUT', { timeLimit: 300 }],
  ] as const) {
    assert.equal(await run(task, limits), error);
    const pid = await run('work');
    assert.ok(typeof pid === 'number' && !known.has(pid), `${task}: another process`);
    known.add(pid);
  }
  assert.equal(replaced.length, 3);
  assert.ok(replaced.every((event) => /^lost pool child \d+: /.test(event)));
});

test('a child ends when its input ends, as it does with the server', async () => {
  const { process: child, ended } = launch(kind.script, kind.memory, NOBODY);
  const frames = readFrames(child!.stdio[3] as Readable, kind.largestAnswer);
  await frames.next();
  child!.stdin!.end();
  assert.match(await ended, /^it (?:was ended by SIG[A-Z]+|ended with code \d+)$/);
});

const onLinux = { skip: process.platform !== 'linux' && 'only Linux shows the memory of another process' };

test('a child says with each answer how much memory it takes', onLinux, async () => {
  const { process: child } = launch(kind.script, kind.memory, NOBODY);
  const frames = readFrames(child!.stdio[3] as Readable, kind.largestAnswer);
  await frames.next();
  writeFrame(child!.stdin as Writable, { kind: 'work' }, new Uint8Array());
  const { head } = (await frames.next()).value as { head: { rss: number } };
  const seen = 1024 * Number(/^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${child!.pid}/status`, 'utf8'))![1]);
  child!.kill('SIGKILL');
  assert.ok(head.rss > seen / 1.5 && head.rss < seen * 1.5, `${head.rss} of ${seen}`);
});

test('a child has no rights of an administrator, though the server may have them', onLinux, async () => {
  const { pool, run } = opened();
  const pid = await run('work');
  const landlock = openLibc(process.arch as Processor).landlockVersion() > 0; // not every kernel has it
  const all = { limits: true, user: true, permissions: true, landlock, system_calls: true, parent: true };
  assert.deepEqual(pool.confinement, all);

  const status = readFileSync(`/proc/${pid}/status`, 'utf8');
  const field = (name: string): string => new RegExp(`^${name}:[ \\t]*(.*)$`, 'm').exec(status)![1]!;
  assert.deepEqual([field('NoNewPrivs'), field('Seccomp')], ['1', '2']);
  if (process.getuid!() === 0) {
    const nobody = Array(4).fill('65534').join('\t');
    assert.deepEqual([field('Uid'), field('Gid'), field('Groups').trim()], [nobody, nobody, '']);
  }
  const session = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')[3];
  assert.equal(session, String(pid), 'a signal of the terminal reaches the server alone');
});

const asRoot = { skip: (process.platform !== 'linux' || process.getuid!() !== 0) && 'only root may stay root' };

test(
  'a measure that does not hold in a child does not hold in the pool, nor does any before there is a child',
  asRoot,
  async () => {
    const { pool, run } = opened({ user: 0, onDemand: true });
    assert.ok(Object.values(pool.confinement).every((holds) => !holds));
    await run('work');
    assert.deepEqual([pool.confinement.user, pool.confinement.limits], [false, true]);
  },
);

test('an idle child that ends is not given the next task', onLinux, async () => {
  const { pool, run, replaced } = opened({ children: 2 });
  await Promise.all([run('work'), run('work')]);
  while (pool.idle < 2) await pause(5);
  for (let i = 1; i <= 4; i++) {
    process.kill(pool.pids[i % 2]!, 'SIGKILL');
    while (replaced.length < i) await pause(5);
    const pids = await Promise.all([run('work'), run('work')]);
    assert.ok(
      pids.every((pid) => typeof pid === 'number'),
      String(pids),
    );
    while (pool.idle < 2) await pause(5);
    assert.equal(pool.idle, 2, 'each is idle once');
  }
});

test('a pool that closes while it replaces a child starts none', onLinux, async () => {
  let closed: Promise<void> | undefined;
  const { pool } = opened({ replaced: () => (closed = pool.close()) });
  await pool.ready();
  const [pid] = pool.pids;
  process.kill(pid!, 'SIGKILL');
  while (!closed) await pause(5);
  await closed;
  assert.deepEqual(
    pool.pids.filter((each) => each !== pid),
    [],
  );
});

test('a pool that closes while a job renews its child starts none', async () => {
  const { pool } = opened();
  await pool.ready();
  const before = pool.pids;
  let closed: Promise<void> | undefined;
  const job = pool.run(1, 60_000, (slot) => {
    const renewed = pool.renew(slot);
    closed = pool.close();
    return renewed;
  });
  await assert.rejects(job, { error: 'SHUTTING_DOWN' });
  await closed;
  assert.deepEqual(pool.pids, before);
});

test('a stopped child goes on only when it is resumed', onLinux, async () => {
  const { pool } = opened();
  await pool.ready();
  await pool.run(1, 60_000, async ({ child }) => {
    const state = (): string => /^State:\s+(\w)/m.exec(readFileSync(`/proc/${child.pid}/status`, 'utf8'))![1]!;
    child.stop();
    while (state() !== 'T') await pause(5);
    child.resume();
    while (state() === 'T') await pause(5);
  });
});

test('a child that fails as such goes on', async () => {
  const { run, replaced } = opened();
  const pid = await run('work');
  assert.equal(await run('failure'), 'BAD_DNA');
  assert.match(String(await run('fault')), /^in the child: Error: a fault of the child/);
  assert.deepEqual([await run('work'), replaced], [pid, []]);
});

test('a worn child is replaced after its answers', async () => {
  const { run, replaced } = opened({ lifetime: { answers: 2, memory: Infinity } });
  const pids = [];
  for (let i = 0; i < 4; i++) pids.push(await run('work'));
  assert.equal(pids[0], pids[1]);
  assert.equal(pids[2], pids[3]);
  assert.notEqual(pids[1], pids[2]);
  assert.match(replaced[0]!, /^worn /);
});

test('further children start when none is idle', async () => {
  const { pool, run } = opened({ children: 2 });
  await pool.ready();
  for (let i = 0; i < 3; i++) await run('work');
  assert.equal(pool.pids.length, 1);
  await Promise.all([run('work'), run('work'), run('work')]);
  assert.equal(pool.pids.length, 2);
});

test('a child on demand starts with the first task, and another one after its end', async () => {
  const { pool, run } = opened({ onDemand: true });
  assert.deepEqual(pool.pids, []);
  const pid = await run('work');
  assert.deepEqual(pool.pids, [pid]);
  assert.equal(await run('work'), pid);
  assert.equal(await run('end'), 'DECODER_CRASHED');
  const second = await run('work');
  assert.ok(typeof second === 'number');
  process.kill(second, 'SIGKILL'); // while it is idle
  while (isThere(second)) await pause(5);
  const third = await run('work');
  assert.ok(typeof third === 'number' && third !== second, String(third));
  assert.deepEqual(pool.pids, [third]);
});

function isThere(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}

test('tasks wait in a line of bounded length and time; a close ends all of them', async () => {
  const { pool, run } = opened({ waiting: 2 });
  await pool.ready();
  const working = run('never');
  const waiting = [run('work'), run('work')];
  assert.equal(await run('work'), 'OVERLOADED');
  assert.throws(() => pool.checkRoomFor(1), { error: 'OVERLOADED' });
  pool.checkRoomFor(2);
  assert.equal(await run('work', { tenant: 2, waitLimit: 50 }), 'OVERLOADED');
  assert.equal(await waiting[1], 'OVERLOADED', 'the newest of the tenant with most');
  assert.deepEqual([pool.waiting, pool.busy, pool.idle], [1, 1, 0]);
  const [pid] = pool.pids;
  await pool.close();
  assert.throws(() => process.kill(pid!, 0), { code: 'ESRCH' }, 'a close waits for the ends');
  assert.deepEqual([await working, await waiting[0], await run('work')], Array(3).fill('SHUTTING_DOWN'));
});

test(
  'a spare child takes the task of a second tenant while the other works',
  { skip: process.platform === 'win32' },
  async () => {
    const { pool, run } = opened({ spare: true, waiting: 1 });
    await pool.ready();
    void run('never');
    assert.equal(pool.pids.length, 1);
    assert.equal(typeof (await run('work', { tenant: 2 })), 'number');
    assert.equal(pool.pids.length, 2);
    while (pool.idle === 0) await pause(5);
    const waiting = run('work', { waitLimit: 1000 });
    pool.checkRoomFor(2);
    assert.equal(typeof (await run('work', { tenant: 2 })), 'number', 'though the line is full');
    while (pool.idle === 0) await pause(5);
    assert.throws(() => pool.checkRoomFor(1), { error: 'OVERLOADED' }, 'the spare child is not for its tenant');
    assert.equal(await waiting, 'OVERLOADED', 'a tenant that has a task waits');
  },
);

test('a child that does not start is started again after growing pauses, and said to the first who waits', async () => {
  const { pool, replaced } = opened({}, { ...kind, script: new URL('./no-such.child.js', import.meta.url) });
  await assert.rejects(pool.ready(), /expected the pool child to start, but /);
  await pause(1500);
  assert.ok(replaced.length >= 1 && replaced.length <= 5, `${replaced.length} times in 1.5 s`);
});

test('the end of what a child writes to its standard error is kept for the log', async () => {
  const { process: child, stderr } = launch(new URL('./no-such.child.js', import.meta.url), kind.memory, NOBODY);
  await once(child!, 'close');
  assert.match(stderr(), /MODULE_NOT_FOUND[^]*Node\.js v[.\d]+$/);
  assert.ok(stderr().length <= 1000);
});

test('a child whose answers nobody reads ends, as it does where the server has died', async () => {
  const { process: child, ended } = launch(kind.script, kind.memory, NOBODY);
  const answers = child!.stdio[3] as Readable;
  await readFrames(answers, kind.largestAnswer).next();
  answers.destroy();
  await once(answers, 'close');
  writeFrame(child!.stdin as Writable, { kind: 'work' }, new Uint8Array());
  const end = await Promise.race([ended, pause(10_000, 'it goes on')]);
  child!.kill('SIGKILL');
  assert.match(end, /^it (?:was ended by SIG[A-Z]+|ended with code \d+)$/);
});
