import assert from 'node:assert/strict';
import { test } from 'node:test';
import { finished } from '@sosia/engine';
import fc from 'fast-check';
import { Catalogue } from './catalogue.ts';
import type { Entry, Stored } from './catalogue.ts';
import type { Section } from './sections.ts';

const all = { keywords: [], ids: null };
const page = { start: 0, count: 1e6 };

function restored(sections: readonly Section[]): Catalogue {
  const catalogue = new Catalogue();
  finished(catalogue.restore(sections));
  return catalogue;
}

function saved(catalogue: Catalogue, between: () => void = () => {}): Section[] {
  const sections: Section[] = [];
  for (const section of catalogue.save()) {
    if (section) sections.push({ name: section.name, bytes: section.bytes.slice() });
    between();
  }
  return sections;
}

function filled(count: number, keywordOf: (i: number) => string[]): Catalogue {
  const catalogue = new Catalogue();
  for (let i = 0; i < count; i++) catalogue.stock(entryOf(i, keywordOf(i)));
  finished(catalogue.arrange());
  return catalogue;
}

function entryOf(i: number, keywords: string[]): Stored {
  return { number: i + 1, id: `${(i * 7919) % 10007} é`, keywords, checksum: i * 400_000 };
}

test('a restored catalogue lists, selects and finds the same, and takes changes', () => {
  const words = fc.uniqueArray(fc.constantFrom('red', 'green', 'blue', '😀'), { maxLength: 4 });
  fc.assert(
    fc.property(fc.array(words, { maxLength: 50 }), fc.array(words, { maxLength: 9 }), (keywords, more) => {
      const catalogue = filled(keywords.length, (i) => keywords[i]!);
      for (let i = 0; i < keywords.length; i += 3) catalogue.remove(entryOf(i, keywords[i]!));
      const copy = restored(saved(catalogue));
      more.forEach((each, i) => [catalogue, copy].forEach((one) => one.add(entryOf(1000 + i, each))));
      for (const selected of [[], ['red'], ['green', '😀'], ['none']]) {
        const restriction = { keywords: selected, ids: null };
        assert.deepEqual(copy.page(restriction, page), catalogue.page(restriction, page));
        assert.deepEqual(copy.select(restriction), catalogue.select(restriction));
      }
      for (const { id, number } of catalogue.page(all, page).entries) {
        assert.deepEqual(copy.withId(id), catalogue.withId(id));
        assert.deepEqual(copy.withNumber(number), catalogue.withNumber(number));
        copy.remove(copy.withId(id)!);
      }
      assert.equal(copy.size, 0);
    }),
  );
});

test('numbers and checksums are returned beside each other', () => {
  const copy = new Catalogue();
  const { numbers, checksums } = finished(copy.restore(saved(filled(3000, () => []))));
  assert.equal(numbers.length, 3000);
  numbers.forEach((number, i) => assert.equal(checksums[i], (number - 1) * 400_000));
});

test('what changes while a catalogue is saved is in it or not; all else is, with its own keywords', () => {
  const catalogue = filled(3000, (i) => [`k${i % 7}`, `only ${i}`]);
  let next = 0;
  const touched = new Set<string>();
  const sections = saved(catalogue, () => {
    // keywords of removed pictures give their places to those of new ones
    for (let i = 0; i < 40 && next < 2500; i++, next++) {
      const old = entryOf(next, [`k${next % 7}`, `only ${next}`]);
      const fresh = entryOf(20_000 + next, ['new', `other ${next}`]);
      catalogue.remove(old);
      catalogue.add(fresh);
      touched.add(old.id).add(fresh.id);
    }
  });
  const copy = restored(sections);
  const rest = (of: Catalogue): Entry[] => of.page(all, page).entries.filter(({ id }) => !touched.has(id));
  assert.ok(touched.size > 100);
  assert.deepEqual(rest(copy), rest(catalogue));
  for (const { number, keywords } of copy.page(all, page).entries) {
    assert.deepEqual(
      keywords,
      number <= 3000 ? [`k${(number - 1) % 7}`, `only ${number - 1}`] : ['new', `other ${number - 20_001}`],
    );
  }
});

test('sections that do not fit together are refused', () => {
  const sections = saved(filled(2000, () => ['a']));
  for (let i = 0; i < sections.length; i++) {
    if (sections[i]!.bytes.length === 0) continue;
    assert.throws(() => restored(sections.filter((_, at) => at !== i)), RangeError, sections[i]!.name);
  }
});
