import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished, imagesOf, selectionOf } from '@sosia/engine';
import fc from 'fast-check';
import type { Restriction } from '../references.ts';
import { Catalogue } from './catalogue.ts';
import type { Entry } from './catalogue.ts';

const term = fc.constantFrom<string>(
  '\u001fa',
  '\u001fa\u001f1',
  '\u001fa\u001f2',
  '\u001fa\u001fé',
  '\u001fb\u001f\u{e000}',
  '\u001fb\u001f😀',
);
const words = fc.uniqueArray(fc.oneof(fc.constantFrom<string>('red', 'green', 'blue', '__proto__'), term), {
  maxLength: 4,
});
const ranges = fc.array(fc.tuple(term, term), { maxLength: 2 });
const ids = fc.constantFrom<string>('a', 'B', 'é', '\u{e000}', '😀', '__proto__', 'constructor', 'ab', '', '10', '9');

test('after any additions and removals, every selection equals a plain filter over all pictures', () => {
  const change = fc.record(
    { id: ids, keywords: words, number: fc.integer({ min: 1, max: 1e6 }) },
    { noNullPrototype: true },
  );
  const all = fc.uniqueArray(change, { selector: ({ number }) => number, maxLength: 40 });
  const ask = fc.record({ keywords: words, ranges, ids: fc.option(fc.array(ids, { maxLength: 6 })) });
  fc.assert(
    fc.property(all, ask, fc.nat(20), (changes, restriction, stocked) => {
      const unrestricted = restriction.ids === null && restriction.keywords.length + restriction.ranges.length === 0;
      const catalogue = new Catalogue();
      assert.deepEqual(catalogue.select(restriction), unrestricted ? null : selectionOf([]));
      const model = new Map<string, Entry>();
      for (const entry of changes.slice(0, stocked)) {
        if (model.has(entry.id)) continue;
        catalogue.stock(entry);
        model.set(entry.id, entry);
      }
      finished(catalogue.arrange());
      for (const entry of changes.slice(stocked)) {
        const known = catalogue.withId(entry.id);
        assert.deepEqual(known, model.get(entry.id));
        if (known) {
          catalogue.remove(known);
          model.delete(entry.id);
        } else {
          catalogue.add(entry);
          model.set(entry.id, entry);
        }
        assert.deepEqual(listed(catalogue, { keywords: [], ids: null }), byBytes([...model.values()]));
        assert.deepEqual(listed(catalogue, restriction), byBytes(leftOf(model, restriction)));
        const among = numbersOf(leftOf(model, restriction));
        for (let again = 0; again < 2; again++) {
          const selection = catalogue.select(restriction);
          assert.deepEqual(selection && [...imagesOf(selection)], unrestricted ? null : among);
          assert.equal(selection?.count, unrestricted ? undefined : among.length);
        }
      }

      const left = leftOf(model, restriction);
      const numbers = numbersOf(left);
      assert.equal(catalogue.size, model.size);
      const pages = byBytes(left);
      for (const after of [undefined, 'B', 'é', '\u{e000}', 'b']) {
        const rest = pages.filter(
          ({ id }) => after === undefined || Buffer.compare(Buffer.from(id), Buffer.from(after)) > 0,
        );
        for (const start of [0, 2, 20]) {
          const page = { found: rest.length, entries: rest.slice(start, start + 2) };
          assert.deepEqual(catalogue.page(restriction, { start, count: 2 }, after), page);
        }
      }
      for (const start of [0, 1, 20]) {
        const entries = left.toSorted((a, b) => b.number - a.number).slice(start, start + 2);
        assert.deepEqual(catalogue.latest(restriction, { start, count: 2 }), { found: left.length, entries });
      }
      assert.deepEqual(
        numbers.toSorted(catalogue.compare),
        byBytes(left).map(({ number }) => number),
      );
      for (const entry of left) assert.deepEqual(catalogue.withNumber(entry.number), entry);
      for (const { number } of changes) {
        const isThere = [...model.values()].some((entry) => entry.number === number);
        assert.equal(catalogue.has(number), isThere);
        assert.equal(Math.sign(catalogue.compare(number, 2e6)), isThere ? 1 : -1);
      }
    }),
    { numRuns: 500 },
  );
});

test('a range selects the same pictures by the lists of few terms, by all lists, and by the records of few pictures', () => {
  const catalogue = new Catalogue();
  for (let number = 1; number <= 100; number++) {
    const place = String(number).padStart(3, '0');
    catalogue.add({ number, id: place, keywords: ['k', `\u001ffew\u001f${number % 2}`, `\u001fmany\u001f${place}`] });
  }
  const selected = (path: string, from: string, to: string, keywords: readonly string[] = []) =>
    listed(catalogue, { keywords, ids: null, ranges: [[`\u001f${path}\u001f${from}`, `\u001f${path}\u001f${to}`]] });
  const numbers = (entries: readonly Entry[]) => entries.map(({ number }) => number);
  assert.deepEqual(
    numbers(selected('few', '1', '2')),
    Array.from({ length: 50 }, (_, i) => 2 * i + 1),
  );
  assert.deepEqual(
    numbers(selected('many', '011', '061')),
    Array.from({ length: 50 }, (_, i) => i + 11),
  );
  assert.deepEqual(numbers(selected('many', '099', '2', ['k'])), [99, 100]);
  assert.deepEqual(numbers(selected('many', '005', '061', ['\u001fmany\u001f007'])), [7]);
  assert.deepEqual(selected('many', '2', '3'), []);
});

test('the selections that were used last are kept', () => {
  const catalogue = new Catalogue();
  for (let number = 1; number < 20; number++) catalogue.add({ number, id: `${number}`, keywords: [`${number % 10}`] });
  const selected = (keyword: number) => catalogue.select({ keywords: [`${keyword}`], ids: null });
  const first = selected(0);
  for (let keyword = 1; keyword < 8; keyword++) assert.notEqual(selected(keyword), first);
  assert.equal(selected(0), first);
  const second = selected(1);
  for (const keyword of [8, 9]) selected(keyword);
  assert.equal(selected(0), first);
  assert.equal(selected(1), second);
  for (let keyword = 2; keyword < 10; keyword++) selected(keyword);
  assert.notEqual(selected(1), second);
  assert.deepEqual(selected(1), second);
});

function listed(catalogue: Catalogue, restriction: Restriction): Entry[] {
  return catalogue.page(restriction, { start: 0, count: Infinity }).entries;
}

function leftOf(model: ReadonlyMap<string, Entry>, { keywords, ids, ranges = [] }: Restriction): Entry[] {
  const bytes = (a: string, b: string): number => Buffer.compare(Buffer.from(a), Buffer.from(b));
  return [...model.values()].filter(
    (entry) =>
      keywords.every((keyword) => entry.keywords.includes(keyword)) &&
      ranges.every(([from, to]) => entry.keywords.some((each) => bytes(each, from) >= 0 && bytes(each, to) < 0)) &&
      (ids?.includes(entry.id) ?? true),
  );
}

function numbersOf(entries: readonly Entry[]): number[] {
  return entries.map(({ number }) => number).sort((a, b) => a - b);
}

function byBytes(entries: readonly Entry[]): Entry[] {
  return entries.toSorted((a, b) => Buffer.compare(Buffer.from(a.id), Buffer.from(b.id)));
}
