import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { finished } from '../steps.ts';
import { selectionOf } from './selection.ts';
import { Slots } from './slots.ts';
import { SnapshotError } from '../memory/section.ts';

test('a picture keeps its slot, and a slot is given again only once it is released, and not while slots are held', () => {
  const slots = new Slots();
  assert.deepEqual([slots.put(70), slots.put(7), slots.put(700)], [0, 1, 2]);
  assert.equal(slots.take(7), 1);
  assert.equal(slots.imageAt(1), undefined);
  assert.equal(slots.put(8), 3);
  slots.release([1]);
  slots.hold(true);
  assert.equal(slots.put(10), 4);
  slots.hold(false);
  assert.equal(slots.put(9), 1);
  assert.deepEqual([slots.count, slots.end], [5, 5]);
  assert.throws(() => slots.put(700), /picture 700 is there already/);
  assert.throws(() => slots.put(2 ** 32), RangeError);
});

test('it holds what a map holds, no two pictures share a slot, and a copy made of its pictures is the same', () => {
  const step = fc.tuple(fc.constantFrom('put', 'take', 'release'), fc.nat(40));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 120 }), (steps) => {
      const slots = new Slots();
      const model = new Map<number, number>();
      const removed: number[] = [];
      for (const [kind, image] of steps) {
        if (kind === 'release') {
          slots.release(removed.splice(0));
        } else if (kind === 'take') {
          const taken = slots.take(image);
          assert.equal(taken, model.get(image));
          if (taken !== undefined) removed.push(taken);
          model.delete(image);
        } else if (!model.has(image)) {
          const slot = slots.put(image);
          assert.ok(!removed.includes(slot) && ![...model.values()].includes(slot));
          model.set(image, slot);
        }
      }
      const copy = new Slots();
      const empty = finished(copy.restore(slots.images()));
      assert.deepEqual(empty.length, slots.end - model.size);
      for (const each of [slots, copy]) {
        assert.equal(each.count, model.size);
        assert.deepEqual([...each.used], [...model.values()].sort((a, b) => a - b)); // prettier-ignore
        for (const [image, slot] of model) assert.deepEqual([each.slotOf(image), each.imageAt(slot)], [slot, image]);
        for (const some of [[], [3], [9, 0, 4, 12, 7], Array.from({ length: 42 }, (_, i) => 41 - i), [2, 1e6]]) {
          const expected = some.flatMap((image) => model.get(image) ?? []).sort((a, b) => a - b);
          assert.deepEqual([...each.slotsOf(selectionOf(some))], expected);
          const values = Uint16Array.from({ length: each.end }, (_, slot) => 3 + slot);
          each.keep(selectionOf(some), values);
          const kept = Array.from(values, (_, slot) => (expected.includes(slot) ? 3 + slot : 0));
          assert.deepEqual([...values], kept);
        }
      }
    }),
  );
});

test('pictures that are held twice are refused', () => {
  assert.throws(() => finished(new Slots().restore(Uint32Array.of(4, 2, 4))), SnapshotError);
});
