import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cropped, mirrored, photographs } from '../../../test/pictures.ts';
import { type LocalDna, openLocalDna } from '../../dna/local.ts';
import type { QueryTerms } from '../../partition/terms.ts';
import type { Picture } from '../../pixels/picture.ts';
import { finished } from '../../steps.ts';
import { describeLocally } from '../features/describe.ts';
import { type LocalQuery, queryTermsOf, referenceTermsOf } from './terms.ts';

const EACH = 16;
const VARIANTS = { plain: 'all', mirrored: 'core', inverted: 'third of core' } as const;

const described = (picture: Picture, side: 'reference' | 'query'): LocalDna =>
  openLocalDna(describeLocally(picture, `media-${side}`, { core: 150, all: side === 'query' ? 250 : 150, finest: 0 }), [
    `media-${side}`,
  ]);
const query = (picture: Picture): LocalQuery[] => finished(queryTermsOf(described(picture, 'query'), VARIANTS, EACH));

/** The share of the features that have a term of the reference. */
function shared({ terms, features }: QueryTerms, reference: ReadonlySet<number>): number {
  let count = 0;
  for (let f = 0; f < features; f++) {
    count += Number(terms.subarray(EACH * f, EACH * (f + 1)).some((term) => reference.has(term)));
  }
  return count / features;
}

const [hats, bikes] = photographs;
const terms = referenceTermsOf(described(hats, 'reference'));

test('the terms of a reference are sorted, none twice, of 28 bits', () => {
  assert.ok(terms.terms.length > 100 && terms.terms.length <= 150);
  terms.terms.forEach((term, i) => assert.ok(term < 2 ** 28 && (i === 0 || term > terms.terms[i - 1])));
  assert.ok(Number.isInteger(terms.norm) && terms.norm >= 128 && terms.norm < 2 ** 16);
});

test('the features of the same picture have all terms of the reference', () => {
  const [plain] = query(hats);
  const own = new Set(plain.terms);
  assert.deepEqual(
    [...terms.terms].filter((term) => !own.has(term)),
    [],
  );
});

test('no feature has a term twice, and the gains are from 255 to 1, the largest first', () => {
  for (const { terms, gains, features } of query(hats)) {
    assert.equal(terms.length, EACH * features);
    assert.equal(gains.length, terms.length);
    for (let f = 0; f < features; f++) assert.equal(new Set(terms.subarray(EACH * f, EACH * (f + 1))).size, EACH);
    assert.ok(gains.every((gain, i) => gain >= 1 && (i % EACH === 0 || gain <= gains[i - 1])));
  }
});

test('a part, the mirror image and another picture share much, much and little', () => {
  const held = new Set(terms.terms);
  const [part] = query(cropped(hats, 30, 30, 300, 200));
  const [straight, turned] = query(mirrored(hats));
  const [other] = query(bikes);
  assert.ok(shared(part, held) > 4 * shared(other, held), 'a part');
  assert.ok(shared(turned, held) > 8 * shared(straight, held), 'the mirror image');
});

test('a term gains less the more often the query has its word', () => {
  const [plain] = query(hats);
  const words = new Map<number, number>();
  const numbers = new Uint32Array(plain.entries.buffer);
  for (let i = 0; i < 3 * plain.features; i++) words.set(numbers[4 * i], (words.get(numbers[4 * i]) ?? 0) + 1);
  const mean = (of: (times: number) => boolean): number => {
    const gains = [...plain.gains].filter((_, i) => of(words.get(plain.terms[i] >>> 12)!));
    return gains.reduce((sum, gain) => sum + gain, 0) / gains.length;
  };
  assert.ok(mean((times) => times === 1) > 1.9 * mean((times) => times === 2));
});
