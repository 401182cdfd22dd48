import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { HashTable } from './hash-table.ts';

/** From one hash for all to one for each, with high bits and without. */
const hashes: readonly ((entry: number) => number)[] = [
  () => 7,
  (entry) => entry % 5,
  (entry) => entry << 24,
  (entry) => Math.imul(entry, 0x9e3779b1),
];

test('it finds what a set has, whatever collides', () => {
  fc.assert(
    fc.property(fc.constantFrom(...hashes), fc.array(fc.nat(40), { maxLength: 300 }), (hashOf, toggled) => {
      const table = new HashTable(hashOf);
      const model = new Set<number>();
      for (const entry of toggled) {
        if (model.delete(entry)) table.remove(entry);
        else {
          table.add(entry);
          model.add(entry);
        }
      }
      for (let entry = 0; entry <= 40; entry++) {
        assert.equal(table.find(hashOf(entry), (other) => other === entry) === entry, model.has(entry));
      }
    }),
  );
});

test('entries are found before and after the table is spread over many segments', () => {
  const hashOf = hashes[3]!;
  const table = new HashTable(hashOf);
  for (let entry = 0; entry < 20_000; entry++) table.add(entry);
  for (let entry = 0; entry < 20_000; entry += 3) table.remove(entry);
  for (let entry = 0; entry < 20_000; entry++) {
    assert.equal(
      table.find(hashOf(entry), (other) => other === entry),
      entry % 3 === 0 ? -1 : entry,
    );
  }
});
