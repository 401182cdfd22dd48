import assert from 'node:assert/strict';
import { test } from 'node:test';
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

test('one that comes goes before one of a tenant that has had more, which goes on afterwards', async () => {
  const slices = new Scheduler(1);
  const [long, short] = [new Recorded(1), new Recorded(2)];
  slices.begin(long);
  await sleep(5);
  slices.begin(short);
  assert.deepEqual([long.running, short.running], [false, true]);
  slices.end(short);
  assert.ok(long.running);
  slices.end(long);
});

test('two that both go on for long have turns', async () => {
  const slices = new Scheduler(1);
  const works = [new Recorded(1), new Recorded(2)];
  for (const work of works) slices.begin(work);
  while (works.some(({ switches }) => switches < 4)) {
    await sleep(5);
    assert.equal(works.filter(({ running }) => running).length, 1);
  }
  for (const work of works) slices.end(work);
});

test('a tenant that has had far less has a place fewer beside it, until its work ends', async () => {
  const slices = new Scheduler(2);
  const greedy = [new Recorded(1), new Recorded(1)];
  for (const work of greedy) slices.begin(work);
  await sleep(300);
  const modest = new Recorded(2);
  slices.begin(modest);
  assert.deepEqual(
    [...greedy, modest].map(({ running }) => running),
    [false, false, true],
  );
  slices.end(modest);
  assert.ok(greedy.every(({ running }) => running));
  for (const work of greedy) slices.end(work);
});

test('one is not stopped for good by many others that come one after the other', async () => {
  const slices = new Scheduler(1);
  const long = new Recorded(1);
  slices.begin(long);
  await sleep(20);
  for (let tenant = 2; ; tenant++) {
    const short = new Recorded(tenant);
    slices.begin(short);
    await sleep(10);
    const goesOn = long.running;
    slices.end(short);
    if (goesOn) break;
    assert.ok(tenant < 100, 'it is stopped whenever another works');
  }
  slices.end(long);
});

test('as many work as there are places, whoever comes and goes, and none is left stopped', () => {
  const step = fc.record({ tenant: fc.integer({ min: 1, max: 3 }), ends: fc.boolean() });
  fc.assert(
    fc.property(fc.integer({ min: 1, max: 3 }), fc.array(step, { maxLength: 30 }), (places, steps) => {
      const slices = new Scheduler(places);
      const all: Recorded[] = [];
      const end = (work: Recorded) => {
        slices.end(work);
        assert.ok(work.running);
      };
      for (const { tenant, ends } of steps) {
        const [oldest] = slices.works as ReadonlySet<Recorded>;
        if (ends && oldest) end(oldest);
        else if (!ends) {
          const work = new Recorded(tenant);
          all.push(work);
          slices.begin(work);
        }
        const running = [...(slices.works as ReadonlySet<Recorded>)].filter((work) => work.running).length;
        assert.equal(running, Math.min(places, slices.works.size));
      }
      for (const work of slices.works as ReadonlySet<Recorded>) end(work);
      assert.ok(all.every((work) => work.running));
    }),
  );
});
