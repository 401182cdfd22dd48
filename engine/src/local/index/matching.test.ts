import assert from 'node:assert/strict';
import { test } from 'node:test';
import { blankMiniature } from '../../../test/local-dna.ts';
import { Records, Scan, type Seen, wordsOf } from '../../../test/oracles/scan.ts';
import { cropped, mirrored, photographs, toned } from '../../../test/pictures.ts';
import { stream } from '../../../test/planted.ts';
import { type Feature, type LocalDna, openLocalDna, writeLocalDna } from '../../dna/local.ts';
import type { Picture } from '../../pixels/picture.ts';
import { describeLocally } from '../features/describe.ts';
import { vocabulary } from '../features/vocabulary.ts';
import { occurrences } from './bursts.ts';
import { type Correspondences, MAX_KEPT_HITS } from './correspondences.ts';

const reference = (picture: Picture): LocalDna =>
  openLocalDna(describeLocally(picture, 'media-reference', { core: 150, all: 150, finest: 0 }), ['media-reference']);
const query = (picture: Picture): LocalDna =>
  openLocalDna(describeLocally(picture, 'media-query', { core: 150, all: 250, finest: -1 }), ['media-query']);

const [hats, bikes, houses] = photographs;
const references = [
  ...photographs,
  cropped(hats, 50, 20, 200, 180),
  mirrored(bikes),
  toned(houses, 0.8, 20),
  cropped(bikes, 0, 0, 100, 100),
].map(reference);
const queries = [cropped(hats, 30, 30, 300, 200), mirrored(houses), bikes].map(query);

/** Both filled with the references, slot by slot. */
function filled(): { index: Records; scan: Scan } {
  const index = new Records();
  const scan = new Scan();
  references.forEach((dna, slot) => {
    index.add(slot, dna);
    scan.add(slot, dna);
  });
  return { index, scan };
}

const seenIn = (found: Correspondences): Seen[] =>
  Array.from({ length: found.count }, (_, i) => ({
    feature: found.feature[i],
    distance: found.distance[i],
    x: found.x[i],
    y: found.y[i],
    angle: found.angle[i],
    level: found.level[i],
  }));

function assertAgree(index: Records, scan: Scan, slots: number, allowed: number[] | null = null): void {
  for (const dna of queries) {
    const query = index.lookUp(dna);
    const expected = scan.votes(dna, allowed, slots);
    assert.deepEqual(index.votes(query, allowed, slots), expected);
  }
}

test('votes are those of an exhaustive scan, of all and of a few', () => {
  const { index, scan } = filled();
  const n = references.length;
  assertAgree(index, scan, n);
  assertAgree(index, scan, n, [0, 3, 7]);
  assertAgree(index, scan, n, []);
  assert.ok(scan.votes(queries[0], null, n).filter((votes) => votes > 0).length > 5, 'hardly any votes to compare');
});

test('correspondences are those that an exhaustive scan finds, straight and in the mirror', () => {
  const { index, scan } = filled();
  const slots = [8, 0, 2, 1];
  let compared = 0;
  for (const dna of queries) {
    const query = index.lookUp(dna);
    for (const mirror of [false, true]) {
      const found = index.correspondences(query, mirror ? 'mirrored' : 'plain', slots).map(seenIn);
      assert.deepEqual(
        found,
        slots.map((slot) => scan.correspondences(dna, mirror, slot)),
      );
      compared += found.flat().length;
    }
  }
  assert.ok(compared > 500, `only ${compared} correspondences compared`);
});

test('a mirror image searched with half or all features has the hits of its core, and more; the plain variant keeps its hits', () => {
  const { index } = filled();
  const slots = references.map((_, slot) => slot);
  let beyond = 0;
  for (const dna of queries) {
    const [plain, core] = (['plain', 'mirrored'] as const).map((variant) =>
      index.correspondences(index.lookUp(dna), variant, slots).map(seenIn),
    );
    const query = index.lookUp(dna, { plain: 'all', mirrored: 'all' });
    assert.deepEqual(index.correspondences(query, 'plain', slots).map(seenIn), plain);
    const all = index.correspondences(query, 'mirrored', slots).map(seenIn);
    assert.deepEqual(
      all.map((seen) => seen.filter(({ feature }) => feature < dna.core)),
      core,
    );
    const half = index.correspondences(index.lookUp(dna, { plain: 'all', mirrored: 'half' }), 'mirrored', slots);
    const strongest = Math.max(dna.core, dna.count / 2);
    assert.deepEqual(
      half.map(seenIn),
      all.map((seen) => seen.filter(({ feature }) => feature < strongest)),
    );
    beyond += all.flat().length - core.flat().length;
  }
  assert.ok(beyond > 20, `${beyond} beyond the core`);
});

test('a variant that was not looked up has no hits, and inverted colours are found by that variant alone', () => {
  const { index } = filled();
  const inverted = query(toned(bikes, -1, 255));
  const lookedUp = index.lookUp(inverted, { plain: 'all', inverted: 'core' });
  assert.deepEqual(index.correspondences(lookedUp, 'mirrored', [1]), []);
  const [plain, negative] = (['plain', 'inverted'] as const).map(
    (variant) => index.correspondences(lookedUp, variant, [1])[0].count,
  );
  assert.ok(negative > 50 && negative > 5 * plain, `${negative} against ${plain}`);
  const [whole, third] = (['core', 'third of core'] as const).map((portion) =>
    index.correspondences(index.lookUp(inverted, { plain: 'all', inverted: portion }), 'inverted', [1]).map(seenIn),
  );
  assert.deepEqual(
    third,
    whole.map((seen) => seen.filter(({ feature }) => feature % 3 === 0)),
  );
});

test('a picture of as many features as a DNA may hold finds every one of its own', () => {
  const dna = scattered(1, 2048);
  const index = new Records();
  index.add(0, dna);
  const query = index.lookUp(dna);
  const searched = Uint32Array.from(wordsOf(dna, false, 3).flat(), ({ word }) => word);
  const times = occurrences(searched);
  const weight = (entry: number): number => 256 * Math.round(vocabulary().idf[searched[entry]] / times[entry]);
  const own = Array.from({ length: dna.count }, (_, feature) => weight(3 * feature)).reduce((a, b) => a + b);
  assert.ok(own > 1e6 && index.votes(query, null, 1)[0] >= own);
  const kept = index.correspondences(query, 'plain', [0])[0];
  assert.ok(kept.count > 2048 && kept.count <= MAX_KEPT_HITS, `${kept.count}`);
  assert.ok(kept.distance.filter((distance) => distance === 0).length > 500);
});

/** A DNA of features that show nothing. */
function scattered(seed: number, n = 40): LocalDna {
  const random = stream(seed);
  const features = Array.from({ length: n }, (): Feature => {
    const code = Uint8Array.from({ length: 32 }, () => 256 * random());
    return { core: true, x: 400 * random(), y: 300 * random(), angle: 0, level: 0, code };
  });
  const miniature = blankMiniature({ width: 400, height: 300 });
  return openLocalDna(writeLocalDna('media-reference', 400, 300, features, miniature), ['media-reference']);
}
