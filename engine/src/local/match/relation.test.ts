import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { Homography } from '../../geometry/homography.ts';
import type { Relation } from '../../partition/result-info.ts';
import { MIN_MATCH_EVIDENCE } from './decision.ts';
import type { Agreement, PairMatch } from './match-pair.ts';
import { relationOfCopy, relationOfSimilar } from './relation.ts';

const frame = { width: 400, height: 300 };
const same: Homography = [1, 0, 0, 0, 1, 0, 0, 0, 1];
const half: Homography = [0.5, 0, 0, 0, 0.5, 0, 0, 0, 1];
const aside: Homography = [1, 0, 200, 0, 1, 100, 0, 0, 1];
const [agreeing, entries, replaced] = [
  { agreeing: 1, apart: 0, inside: 1 },
  { agreeing: 0.6, apart: 0.2, inside: 0.5 },
  { agreeing: 0.55, apart: 0.42, inside: 0.1 },
];

/** With features in so many cells of the inner part. */
function match(map: Homography, evidence = MIN_MATCH_EVIDENCE, places = 0): PairMatch {
  const agreements = Array.from({ length: places }, (_, i): Agreement => {
    const reference = [120 + 80 * (i % 3), 90 + 60 * Math.floor(i / 3)] as const;
    return { feature: i, query: reference, reference, distance: 0 };
  });
  const placement = { homography: map, evidence, agreements };
  return { reference: frame, query: frame, placements: [placement] } as unknown as PairMatch;
}

const copies: [what: string, map: Homography, overlap: typeof agreeing | undefined, Relation][] = [
  ['a whole on a whole', same, agreeing, 'copy'],
  ['a whole of which nothing was compared', same, undefined, 'copy'],
  ['a whole with edits in many places', same, entries, 'copy'],
  ['a whole on a quarter', half, agreeing, 'part'],
  ['a quarter on a whole', [2, 0, 0, 0, 2, 0, 0, 0, 1], agreeing, 'part'],
  ['a part on a part', aside, agreeing, 'montage'],
  ['a whole of which one connected part is another', same, replaced, 'montage'],
];
for (const [what, map, overlap, expected] of copies)
  test(`${what}: ${expected}`, () => assert.equal(relationOfCopy(match(map), overlap), expected));

const similar: [what: string, PairMatch, overlap: typeof agreeing | undefined, Relation][] = [
  ['little evidence', match(same, MIN_MATCH_EVIDENCE - 0.1), replaced, 'related'],
  ['an overlap too small to be compared', match(same), undefined, 'related'],
  ['a frame with another content', match(same), replaced, 'same frame'],
  ['a page that differs in many places', match(same), entries, 'same form'],
  ['a connected part that differs at the rim', match(same), { ...replaced, inside: 0.6 }, 'same form'],
  ['a design at another place', match(aside), replaced, 'same design'],
  ['a thing at another place with many of its places', match(aside, 9, 4), entries, 'other view'],
  ['a thing with few of its places', match(aside, 9, 3), entries, 'same design'],
];
for (const [what, pair, overlap, expected] of similar)
  test(`${what}: ${expected}`, () => assert.equal(relationOfSimilar(pair, overlap), expected));
