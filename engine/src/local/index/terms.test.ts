import assert from 'node:assert/strict';
import { test } from 'node:test';
import { cropped, mirrored, photographs } from '../../../test/pictures.ts';
import { type LocalDna, openLocalDna } from '../../dna/local.ts';
import type { Picture } from '../../pixels/picture.ts';
import { finished } from '../../steps.ts';
import { describeLocally } from '../features/describe.ts';
import { entriesOf, type LocalQuery, referenceTermsOf, termsOf } from './terms.ts';

const TERMS_PER_FEATURE = 6;
const QUERY_VARIANTS = { plain: 'all', mirrored: 'core', inverted: 'third of core' } as const;

const described = (picture: Picture, side: 'reference' | 'query'): LocalDna =>
  openLocalDna(describeLocally(picture, `media-${side}`, { core: 150, all: side === 'query' ? 250 : 150, finest: 0 }), [
    `media-${side}`,
  ]);
const query = (picture: Picture): LocalQuery[] =>
  finished(entriesOf(described(picture, 'query'), QUERY_VARIANTS, TERMS_PER_FEATURE));
const reference = (picture: Picture, each: number): Uint32Array =>
  finished(referenceTermsOf(described(picture, 'reference'), each));

/** The share of the terms of a query that are terms of the reference. */
function shared(query: LocalQuery, reference: ReadonlySet<number>): number {
  const terms = termsOf(query);
  return terms.filter((term) => reference.has(term)).length / terms.length;
}

const [hats, bikes] = photographs;

test('terms are sorted, none twice, of 28 bits', () => {
  const all = [reference(hats, 1), reference(hats, 3), ...query(hats).map(termsOf)];
  for (const terms of all) {
    assert.ok(terms.length > 80);
    terms.forEach((term, i) => assert.ok(term < 2 ** 28 && (i === 0 || term > terms[i - 1])));
  }
  assert.ok(reference(hats, 1).length <= 150 && reference(hats, 3).length > 400 && reference(hats, 3).length <= 450);
});

test('further terms of a reference come after its own', () => {
  const more = new Set(reference(hats, 3));
  assert.ok(reference(hats, 1).every((term) => more.has(term)));
});

test('the core has all terms, and the other features, mirrored and inverted ones have a third as many', () => {
  const { core, count } = described(hats, 'query');
  assert.ok(core < count);
  for (const each of query(hats)) {
    const expected = new Set<number>();
    for (let f = 0; f < each.features; f++) {
      const most = each.variant === 'plain' && f < core ? TERMS_PER_FEATURE : TERMS_PER_FEATURE / 3;
      for (const term of each.terms.subarray(TERMS_PER_FEATURE * f, TERMS_PER_FEATURE * f + most)) expected.add(term);
    }
    assert.deepEqual(
      [...termsOf(each)],
      [...expected].sort((a, b) => a - b),
      each.variant,
    );
  }
});

test('a part, the mirror image and another picture share much, much and little', () => {
  const held = new Set(reference(hats, 3));
  const [part] = query(cropped(hats, 30, 30, 300, 200));
  const [straight, rotated] = query(mirrored(hats));
  const [other] = query(bikes);
  assert.ok(shared(part, held) > 4 * shared(other, held), 'a part');
  assert.ok(shared(rotated, held) > 8 * shared(straight, held), 'the mirror image');
});
