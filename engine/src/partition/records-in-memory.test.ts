import assert from 'node:assert/strict';
import { test } from 'node:test';
import { RecordsInMemory } from './records-in-memory.ts';

test('records are read one after the other, as far as wanted, and a removed one is not there any more', () => {
  const records = new RecordsInMemory();
  const own = Uint8Array.of(1, 2, 3);
  const places = [own, Uint8Array.of(4, 5), Uint8Array.of(6, 7, 8, 9)].map((record) => records.put(record));
  own[0] = 99;
  const read = (...parts: [place: number, length: number][]): number[] => {
    const into = new Uint8Array(parts.reduce((sum, [, length]) => sum + length, 0));
    records.read(Float64Array.from(parts, ([place]) => place), Uint32Array.from(parts, ([, length]) => length), into); // prettier-ignore
    return [...into];
  };
  assert.deepEqual(read([places[2], 2], [places[0], 3], [places[1], 0]), [6, 7, 1, 2, 3]);
  assert.equal(records.bytes, 9);
  records.remove(places[1]);
  assert.equal(records.bytes, 7);
  assert.throws(() => read([places[1], 1]), RangeError);
  assert.throws(() => read([places[0], 4]), RangeError);
  assert.throws(() => records.remove(places[1]), RangeError);
  const place = records.put(Uint8Array.of(5));
  assert.deepEqual(read([place, 1], [places[0], 1]), [5, 1]);
});
