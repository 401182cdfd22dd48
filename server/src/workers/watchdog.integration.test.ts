import assert from 'node:assert/strict';
import { spawn, type ChildProcess } from 'node:child_process';
import { once } from 'node:events';
import { after, test, type TestContext } from 'node:test';
import { processorTime } from './processor-time.ts';
import { watch, type Lateness } from './watchdog.ts';

const needsLinux = { skip: process.platform !== 'linux' && 'only Linux shows the processor time of another process' };
const children: ChildProcess[] = [];
after(() => children.forEach((child) => child.kill('SIGKILL')));

test('processor time is that of the process', needsLinux, () => {
  const own = () => (process.cpuUsage().user + process.cpuUsage().system) / 1000;
  const before = own();
  while (own() < before + 200);
  const [least, now, most] = [own(), processorTime(process.pid)!, own()];
  assert.ok(now > least - 50 && now < most + 50, `${least} <= ${now} <= ${most}`);
  assert.equal(processorTime(2 ** 30), undefined, 'no process');
});

test('a process that works on and on uses up its time', needsLinux, async () => {
  assert.equal(await watched(await running('for (;;);'), 300, 60_000), 'used up');
});

test('a process that does nothing is stalled', needsLinux, async () => {
  const child = await running('');
  child.kill('SIGSTOP');
  assert.equal(await watched(child, 300, 60_000), 'stalled');
});

test('a process that gets a tenth of the processor has its time all the same', (context) => {
  const { lateness, pass } = pretended(context, 0.1, 1000, 60_000);
  pass(9_000);
  assert.deepEqual(lateness, []);
  pass(2_000);
  assert.deepEqual(lateness, ['used up']);
  pass(60_000);
  assert.equal(lateness.length, 1, 'it is reported once');
});

test('a process that lacks little of its time at a check is late soon after it has had it', (context) => {
  const { lateness, pass } = pretended(context, 0.98, 2800, 12_000);
  pass(2_950);
  assert.deepEqual(lateness, ['used up']);
});

test('one that gets next to nothing is starved when patience ends', (context) => {
  const { lateness, pass } = pretended(context, 0.02, 1000, 12_000);
  pass(11_900);
  assert.deepEqual(lateness, []);
  pass(200);
  assert.deepEqual(lateness, ['starved']);
});

test('a process that worked is stalled once it has done nothing for a second', (context) => {
  const { lateness, pass } = pretended(context, (now) => Math.floor(Math.min(now, 1500) / 10), 1000, 60_000);
  pass(2_800);
  assert.deepEqual(lateness, []);
  pass(1_000);
  assert.deepEqual(lateness, ['stalled']);
});

test('without patience the clock alone counts', (context) => {
  const { lateness, pass } = pretended(context, 0.1, 1000, 1000);
  pass(1000);
  assert.deepEqual(lateness, ['used up']);
});

test('without processor times the clock counts, and a watch that was ended is silent', (context) => {
  const blind = pretended(context, undefined, 1000, 12_000);
  blind.pass(999);
  assert.deepEqual(blind.lateness, []);
  blind.pass(1);
  assert.deepEqual(blind.lateness, ['used up']);

  const off = pretended(context, 1, 1000, 12_000);
  off.callOff();
  off.pass(20_000);
  assert.deepEqual(off.lateness, []);
});

async function running(program: string): Promise<ChildProcess> {
  const alive = `console.log('alive'); setInterval(() => {}, 60_000); ${program}`;
  const child = spawn(process.execPath, ['-e', alive], { stdio: ['ignore', 'pipe', 'inherit'] });
  children.push(child);
  await once(child.stdout, 'data');
  return child;
}

function watched({ pid }: ChildProcess, timeLimit: number, patience: number): Promise<Lateness> {
  return new Promise((late) => watch(pid!, timeLimit, patience, late));
}

/** A clock of our own, and a process that gets its share of it. */
function pretended(
  context: TestContext,
  share: number | undefined | ((now: number) => number),
  timeLimit: number,
  patience: number,
) {
  let now = 0;
  context.mock.restoreAll();
  context.mock.timers.reset();
  context.mock.timers.enable({ apis: ['setTimeout'] });
  context.mock.method(performance, 'now', () => now);
  const lateness: Lateness[] = [];
  const timeOf = () =>
    typeof share === 'function' ? share(now) : share === undefined ? undefined : Math.floor(now * share);
  const callOff = watch(0, timeLimit, patience, (how) => lateness.push(how), timeOf);
  const pass = (milliseconds: number): void => {
    for (let i = 0; i < milliseconds; i++) {
      now++;
      context.mock.timers.tick(1);
    }
  };
  return { lateness, callOff, pass };
}
