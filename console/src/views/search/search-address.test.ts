import assert from 'node:assert/strict';
import { test } from 'node:test';
import fc from 'fast-check';
import { addressOf, stateOf } from './search-address.ts';
import type { SearchState } from './search-address.ts';

const defaults = { most: 10, weight: 50 };
const stateIn = (address: string): SearchState => stateOf(new URLSearchParams(address.split('?')[1] ?? ''), defaults);

test('every search is in its address', () => {
  const text = fc
    .string({ unit: 'grapheme', minLength: 1, maxLength: 12 })
    .filter((each) => !/[\ud800-\udfff]/u.test(each));
  const rgb = fc.integer({ min: 0, max: 0xffffff }).map((value) => value.toString(16).padStart(6, '0'));
  const colors = fc.array(fc.record({ rgb, share: fc.integer({ min: 1, max: 100 }) }), { minLength: 1, maxLength: 8 });
  const common = {
    keywords: fc.array(text, { maxLength: 3 }),
    where: fc.array(text, { maxLength: 3 }),
    most: fc.constantFrom(10, 50, 1000),
    weight: fc.integer({ min: 0, max: 100 }),
    ignored: fc.boolean(),
    fold: fc.boolean(),
    here: fc.boolean(),
    open: fc.oneof(fc.constant(''), text),
  };
  const none = { picture: fc.constant(''), id: fc.constant(''), colors: fc.constant([]) };
  const state = fc.oneof(
    fc.record({ ...common, ...none, way: fc.constant('picture' as const), picture: text }),
    fc.record({ ...common, ...none, way: fc.constant('id' as const), id: text }),
    fc.record({ ...common, ...none, way: fc.constant('keywords' as const) }),
    fc.record({ ...common, ...none, way: fc.constant('colours' as const), colors }),
  );
  fc.assert(
    fc.property(state, (each) => {
      const plain = JSON.parse(JSON.stringify(each)) as SearchState; // without the empty prototypes of fast-check
      assert.deepEqual(stateIn(addressOf(plain, defaults)), plain);
    }),
  );
});

test('links of other views name an id or colours alone', () => {
  assert.equal(stateIn('#search?id=a%2Fb.jpg').way, 'id');
  assert.deepEqual(stateIn('#search?colors=aa2211').colors, [{ rgb: 'aa2211', share: 100 }]);
  assert.equal(stateIn('#search').way, 'picture');
});
