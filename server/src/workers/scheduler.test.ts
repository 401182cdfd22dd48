import assert from 'node:assert/strict';
import { afterEach, beforeEach, mock, suite, test } from 'node:test';
import { setTimeout as sleep } from 'node:timers/promises';
import fc from 'fast-check';
import { Scheduler } from './scheduler.ts';

class Recorded {
  readonly tenant: number;
  running = true;
  switches = 0;
  constructor(tenant: number) {
    this.tenant = tenant;
  }
  stop(): void {
    assert.ok(this.running, 'it is stopped already');
    this.running = false;
    this.switches++;
  }
  resume(): void {
    assert.ok(!this.running, 'it is not stopped');
    this.running = true;
    this.switches++;
  }
}

test('a new job runs before one of a tenant that has used more, which resumes afterwards', async () => {
  const scheduler = new Scheduler(1);
  const [long, short] = [new Recorded(1), new Recorded(2)];
  scheduler.begin(long);
  await sleep(5);
  scheduler.begin(short);
  assert.deepEqual([long.running, short.running], [false, true]);
  scheduler.end(short);
  assert.ok(long.running);
  scheduler.end(long);
});

test('two long jobs alternate', async () => {
  const scheduler = new Scheduler(1);
  const jobs = [new Recorded(1), new Recorded(2)];
  for (const job of jobs) scheduler.begin(job);
  while (jobs.some(({ switches }) => switches < 4)) {
    await sleep(5);
    assert.equal(jobs.filter(({ running }) => running).length, 1);
  }
  for (const job of jobs) scheduler.end(job);
});

test('a tenant that has used far less has one slot fewer beside it, until its job ends', async () => {
  const scheduler = new Scheduler(2);
  const greedy = [new Recorded(1), new Recorded(1)];
  for (const job of greedy) scheduler.begin(job);
  await sleep(150);
  const modest = new Recorded(2);
  scheduler.begin(modest);
  assert.deepEqual(
    [...greedy, modest].map(({ running }) => running),
    [false, false, true],
  );
  scheduler.end(modest);
  assert.ok(greedy.every(({ running }) => running));
  for (const job of greedy) scheduler.end(job);
});

test('a job is not stopped for good by many others one after another', async () => {
  const scheduler = new Scheduler(1);
  const long = new Recorded(1);
  scheduler.begin(long);
  await sleep(20);
  for (let tenant = 2; ; tenant++) {
    const short = new Recorded(tenant);
    scheduler.begin(short);
    await sleep(10);
    const resumed = long.running;
    scheduler.end(short);
    if (resumed) break;
    assert.ok(tenant < 100, 'it is stopped whenever another runs');
  }
  scheduler.end(long);
});

test('as many jobs run as there are slots, and none is left stopped', () => {
  const step = fc.record({ tenant: fc.integer({ min: 1, max: 3 }), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 30 }), (slots, steps) => {
      const scheduler = new Scheduler(slots);
      const all: Recorded[] = [];
      const end = (job: Recorded) => {
        scheduler.end(job);
        assert.ok(job.running);
      };
      for (const { tenant, ends } of steps) {
        const [oldest] = scheduler.jobs as ReadonlySet<Recorded>;
        if (ends && oldest) end(oldest);
        else if (!ends) {
          const job = new Recorded(tenant);
          all.push(job);
          scheduler.begin(job);
        }
        const running = [...(scheduler.jobs as ReadonlySet<Recorded>)].filter((job) => job.running).length;
        assert.equal(running, Math.min(slots, scheduler.jobs.size));
      }
      for (const job of scheduler.jobs as ReadonlySet<Recorded>) end(job);
      assert.ok(all.every((job) => job.running));
    }),
  );
});

suite('by a clock of the test', () => {
  let now = 0;
  beforeEach(() => {
    now = 0;
    mock.timers.enable({ apis: ['setTimeout'] });
    mock.method(performance, 'now', () => now);
  });
  afterEach(() => {
    mock.timers.reset();
    mock.restoreAll();
  });
  const pass = (ms: number): void => {
    for (let i = 0; i < ms; i++) {
      now++;
      mock.timers.tick(1);
    }
  };

  test('a job that was stopped for more than 250 ms runs for one slice of 20 ms, and again after as long', () => {
    const scheduler = new Scheduler(1);
    const [long, other] = [new Recorded(1), new Recorded(2)];
    scheduler.begin(long);
    pass(2000);
    scheduler.begin(other);
    const runs: number[] = [];
    for (let at = 0; at < 545; at++) {
      if (long.running) runs.push(at);
      assert.notEqual(long.running, other.running);
      pass(1);
    }
    const slice = (first: number, count: number) => Array.from({ length: count }, (_, i) => first + i);
    assert.deepEqual(runs, [...slice(260, 20), ...slice(540, 5)]);
  });

  test('a tenant is ahead by at most 500 ms of work, and has one slot fewer beside it while it is ahead by more than half', () => {
    const scheduler = new Scheduler(2);
    const greedy = [new Recorded(1), new Recorded(1)];
    for (const job of greedy) scheduler.begin(job);
    pass(600);
    const first = new Recorded(2);
    scheduler.begin(first); // has used 1200 - 500 = 700
    pass(240);
    scheduler.end(first);
    pass(40);
    const second = new Recorded(2);
    scheduler.begin(second); // has used 940 of 1280
    const besides: number[] = [];
    for (let at = 0; at <= 100; at++) {
      besides.push(greedy.filter(({ running }) => running).length);
      assert.ok(second.running);
      pass(1);
    }
    assert.deepEqual(besides, [...Array<number>(100).fill(0), 1]);
  });

  test('what tenants have used is forgotten when nothing runs', () => {
    const scheduler = new Scheduler(1);
    const before = new Recorded(1);
    scheduler.begin(before);
    pass(5000);
    scheduler.end(before);
    pass(100);
    const [one, other] = [new Recorded(1), new Recorded(2)];
    scheduler.begin(one);
    pass(5);
    scheduler.begin(other);
    assert.deepEqual([one.running, other.running], [false, true]);
    pass(20);
    assert.deepEqual([one.running, other.running], [true, false]);
  });
});
