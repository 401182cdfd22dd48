import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { Slots } from './slots.ts';

test('a picture keeps its slot, and a slot is given again only once it is released', () => {
  const slots = new Slots<string>();
  assert.deepEqual([slots.put(70, 'a'), slots.put(7, 'b'), slots.put(700, 'c')], [0, 1, 2]);
  assert.deepEqual(slots.take(7), { slot: 1, value: 'b' });
  assert.equal(slots.at(1), undefined);
  assert.equal(slots.put(8, 'd'), 3);
  slots.release([1]);
  assert.equal(slots.put(9, 'e'), 1);
  assert.deepEqual([slots.count, slots.end], [4, 4]);
  assert.throws(() => slots.put(700, 'again'), /picture 700 is there already/);
});

test('it holds what a map holds, and no two pictures share a slot', () => {
  const step = fc.tuple(fc.constantFrom('put', 'take', 'release'), fc.nat(9));
  fc.assert(
    fc.property(fc.array(step, { maxLength: 60 }), (steps) => {
      const slots = new Slots<number>();
      const model = new Map<number, number>();
      const removed: number[] = [];
      steps.forEach(([kind, image], value) => {
        if (kind === 'release') {
          slots.release(removed.splice(0));
        } else if (kind === 'take') {
          const taken = slots.take(image);
          assert.equal(taken?.value, model.get(image));
          if (taken) removed.push(taken.slot);
          model.delete(image);
        } else if (!model.has(image)) {
          assert.ok(!removed.includes(slots.put(image, value)));
          model.set(image, value);
        }
      });
      assert.equal(slots.count, model.size);
      const held = Array.from({ length: slots.end }, (_, slot) => slots.at(slot)).filter(
        (entry) => entry !== undefined,
      );
      assert.deepEqual(new Map(held.map(({ image, value }) => [image, value])), model);
      for (const some of [[], [3], [9, 0, 4, 12, 7], Array.from({ length: 12 }, (_, i) => 11 - i), [2, 1e6]]) {
        const expected = some.flatMap((image) => slots.slotOf(image) ?? []).sort((a, b) => a - b);
        assert.deepEqual([...slots.slotsOf(some)], expected);
        assert.deepEqual([...slots.slotsOf(Uint32Array.from(some))], expected);
      }
      for (const { image, value } of held) assert.equal(slots.at(slots.slotOf(image)!)?.value, value);
    }),
  );
});
