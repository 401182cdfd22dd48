import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.ts';

test('tenants are served round robin, each in its own order', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) queue.push(item.charCodeAt(0), item);
  assert.deepEqual(all(queue), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('a new tenant goes before the tenant that was served last', () => {
  const queue = new FairQueue<string>();
  for (let i = 0; i < 100; i++) queue.push(1, `a${i}`);
  assert.equal(queue.shift(), 'a0');
  queue.push(2, 'b0');
  queue.push(2, 'b1');
  assert.deepEqual([queue.shift(), queue.shift(), queue.shift()], ['b0', 'a1', 'b1']);
});

test('the newest item of the largest tenant is evicted, never for a tenant that would have as many', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1']) queue.push(item.charCodeAt(0), item);
  assert.equal(queue.evictFor('a'.charCodeAt(0)), undefined);
  assert.equal(queue.evictFor('b'.charCodeAt(0)), 'a3');
  queue.push('b'.charCodeAt(0), 'b2');
  assert.equal(queue.evictFor('b'.charCodeAt(0)), undefined);
  assert.equal(queue.evictFor('c'.charCodeAt(0)), 'a2');
  assert.deepEqual(all(queue), ['a1', 'b1', 'b2']);
  assert.equal(new FairQueue<string>().evictFor(1), undefined);
});

const step = fc.record({
  tenant: fc.integer({ min: 0, max: 3 }),
  action: fc.constantFrom('push', 'push', 'shift', 'remove'),
});

test('no item is lost or repeated, and no tenant waits for two items of another', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const queue = new FairQueue<{ tenant: number; overtaken: Map<number, number> }>();
      const waiting = new Set<{ tenant: number; overtaken: Map<number, number> }>();
      let last: number | undefined;
      for (const { tenant, action } of steps) {
        if (action === 'push') {
          const item = { tenant, overtaken: new Map<number, number>() };
          queue.push(tenant, item);
          waiting.add(item);
        } else if (action === 'remove') {
          const [item] = waiting;
          assert.equal(item ? queue.remove(item) : false, item !== undefined);
          if (item) waiting.delete(item);
        } else {
          const item = queue.shift();
          assert.equal(item === undefined, waiting.size === 0);
          if (!item) continue;
          assert.ok(waiting.delete(item), 'it was waiting');
          const others = [...waiting].some(({ tenant }) => tenant !== item.tenant);
          assert.ok(item.tenant !== last || !others, 'served twice while others wait');
          last = item.tenant;
          const firsts = new Map([...waiting].reverse().map((each) => [each.tenant, each]));
          for (const first of firsts.values()) {
            if (first.tenant === item.tenant) continue;
            const times = (first.overtaken.get(item.tenant) ?? 0) + 1;
            first.overtaken.set(item.tenant, times);
            assert.ok(times <= 1, `${first.tenant} waits for ${times} items of ${item.tenant}`);
          }
        }
        assert.equal(queue.length, waiting.size);
      }
      assert.deepEqual(new Set(queue.drain()), waiting);
      assert.equal(queue.length, 0);
    }),
  );
});

function all(queue: FairQueue<string>): (string | undefined)[] {
  return Array.from({ length: queue.length }, () => queue.shift());
}

test('an item that is served several times stays first of its tenant until it is removed', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'b1']) queue.push(item.charCodeAt(0), item);
  assert.deepEqual([queue.next(), queue.next(), queue.next()], ['a1', 'b1', 'a1']);
  assert.ok(queue.remove('a1'));
  assert.deepEqual([queue.next(), queue.next(), queue.length], ['b1', 'a2', 2]);
  assert.deepEqual(all(queue), ['b1', 'a2']);
  assert.equal(queue.next(), undefined);
});

test('a queue that was drained has no item left', () => {
  const queue = new FairQueue<string>();
  for (const item of ['a1', 'b1']) queue.push(item.charCodeAt(0), item);
  assert.deepEqual(queue.drain(), ['a1', 'b1']);
  assert.deepEqual([queue.drain(), queue.length, queue.shift()], [[], 0, undefined]);
});

test('an item that is not queued cannot be removed', () => {
  const queue = new FairQueue<string>();
  queue.push(1, 'a1');
  assert.deepEqual([queue.remove('a2'), queue.remove('a1'), queue.remove('a1')], [false, true, false]);
  assert.equal(queue.length, 0);
});
