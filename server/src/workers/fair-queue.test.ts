import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { FairQueue } from './fair-queue.ts';

test('tenants take turns, each in its own order', () => {
  const line = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1', 'c1', 'c2']) line.push(item.charCodeAt(0), item);
  assert.deepEqual(all(line), ['a1', 'b1', 'c1', 'a2', 'c2', 'a3']);
});

test('one that comes late goes before whoever has just had a turn', () => {
  const line = new FairQueue<string>();
  for (let i = 0; i < 100; i++) line.push(1, `a${i}`);
  assert.equal(line.shift(), 'a0');
  line.push(2, 'b0');
  line.push(2, 'b1');
  assert.deepEqual([line.shift(), line.shift(), line.shift()], ['b0', 'a1', 'b1']);
});

test('room is made by the newest of the one with the most, never for one that would have as much', () => {
  const line = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'a3', 'b1']) line.push(item.charCodeAt(0), item);
  assert.equal(line.makeRoomFor('a'.charCodeAt(0)), undefined);
  assert.equal(line.makeRoomFor('b'.charCodeAt(0)), 'a3');
  line.push('b'.charCodeAt(0), 'b2');
  assert.equal(line.makeRoomFor('b'.charCodeAt(0)), undefined);
  assert.equal(line.makeRoomFor('c'.charCodeAt(0)), 'a2');
  assert.deepEqual(all(line), ['a1', 'b1', 'b2']);
  assert.equal(new FairQueue<string>().makeRoomFor(1), undefined);
});

const step = fc.record({
  tenant: fc.integer({ min: 0, max: 3 }),
  action: fc.constantFrom('push', 'push', 'shift', 'remove'),
});

test('nothing is lost, nothing comes twice, and nobody waits for two items of another', () => {
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const line = new FairQueue<{ tenant: number; overtaken: Map<number, number> }>();
      const waiting = new Set<{ tenant: number; overtaken: Map<number, number> }>();
      let last: number | undefined;
      for (const { tenant, action } of steps) {
        if (action === 'push') {
          const item = { tenant, overtaken: new Map<number, number>() };
          line.push(tenant, item);
          waiting.add(item);
        } else if (action === 'remove') {
          const [item] = waiting;
          assert.equal(item ? line.remove(item) : false, item !== undefined);
          if (item) waiting.delete(item);
        } else {
          const item = line.shift();
          assert.equal(item === undefined, waiting.size === 0);
          if (!item) continue;
          assert.ok(waiting.delete(item), 'it was waiting');
          const others = [...waiting].some(({ tenant }) => tenant !== item.tenant);
          assert.ok(item.tenant !== last || !others, 'two turns on end while others wait');
          last = item.tenant;
          const firsts = new Map([...waiting].reverse().map((each) => [each.tenant, each]));
          for (const first of firsts.values()) {
            if (first.tenant === item.tenant) continue;
            const times = (first.overtaken.get(item.tenant) ?? 0) + 1;
            first.overtaken.set(item.tenant, times);
            assert.ok(times <= 1, `${first.tenant} waits for ${times} items of ${item.tenant}`);
          }
        }
        assert.equal(line.length, waiting.size);
      }
      assert.deepEqual(new Set(line.drain()), waiting);
      assert.equal(line.length, 0);
    }),
  );
});

function all(line: FairQueue<string>): (string | undefined)[] {
  return Array.from({ length: line.length }, () => line.shift());
}

test('an item that needs several turns stays first of its tenant until it is removed', () => {
  const line = new FairQueue<string>();
  for (const item of ['a1', 'a2', 'b1']) line.push(item.charCodeAt(0), item);
  assert.deepEqual([line.turn(), line.turn(), line.turn()], ['a1', 'b1', 'a1']);
  assert.ok(line.remove('a1'));
  assert.deepEqual([line.turn(), line.turn(), line.length], ['b1', 'a2', 2]);
  assert.deepEqual(all(line), ['b1', 'a2']);
  assert.equal(line.turn(), undefined);
});
