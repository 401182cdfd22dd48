import assert from 'node:assert/strict';
import { spawnSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { test } from 'node:test';
import { blocks, cropped, doubled, painted, photographs, toned } from '../../../test/pictures.ts';
import { coreOf } from '../../../test/local-dna.ts';
import { type Keypoints, keypointsOf, localKinds, openLocalDna } from '../../dna/local.ts';
import { PlainPictureError } from '../../errors.ts';
import type { Picture } from '../../pixels/picture.ts';
import { describeLocally } from './describe.ts';

const REFERENCE_RICHNESS = { core: 340, all: 340, finest: 0 };
const QUERY_RICHNESS = { core: 340, all: 1200, finest: -2 };

const reference = (picture: Picture): Uint8Array => describeLocally(picture, 'media-reference', REFERENCE_RICHNESS);
const query = (picture: Picture): Uint8Array => describeLocally(picture, 'media-query', QUERY_RICHNESS);
const sha256 = (bytes: Uint8Array): string => createHash('sha256').update(bytes).digest('hex');

const pictures = [
  ...photographs,
  doubled(photographs[0]), // larger than the frame
  cropped(photographs[1], 7, 11, 61, 199), // narrow, odd
  cropped(photographs[2], 0, 0, 40, 40), // few features
  blocks(300, 201, 5),
  toned(blocks(300, 201, 6, 3), 0.1, 100), // too fine and faint for the coarse levels
];

test('the core of a query is, byte for byte, the reference of the same picture', () => {
  for (const picture of pictures) {
    const dna = openLocalDna(query(picture), localKinds);
    assert.deepEqual(coreOf(dna), reference(picture));
  }
});

test('a reference holds no more than its core, a query adds features and no finer ones to the core', () => {
  for (const picture of pictures) {
    const stored = openLocalDna(reference(picture), ['media-reference']);
    const queried = openLocalDna(query(picture), ['media-query']);
    assert.ok(stored.count <= REFERENCE_RICHNESS.core, `${stored.count} features`);
    assert.ok(queried.count <= QUERY_RICHNESS.all && queried.count >= stored.count, `${queried.count} features`);
  }
  const full = openLocalDna(query(doubled(photographs[0])), ['media-query']);
  assert.ok(full.core > 300 && full.count > 1000, `${full.core} of ${full.count} core`);
});

test('a picture is described alike again, after others of any size, in grown memory', () => {
  const first = pictures.map((picture) => [sha256(reference(picture)), sha256(query(picture))]);
  query(doubled(doubled(photographs[3]))); // memory grows
  const again = pictures.toReversed().map((picture) => {
    const queried = sha256(query(picture));
    return [sha256(reference(picture)), queried];
  });
  assert.deepEqual(again.toReversed(), first);
});

test('another process describes it alike, from its very first picture', () => {
  const here = sha256(query(photographs[5]));
  const there = `createHash('sha256').update(describeLocally(photographs[5], 'media-query', QUERY_RICHNESS)).digest('hex')`;
  assert.equal(inAnotherProcess(there), here);
});

test('describing again takes no more memory', () => {
  const growths = inAnotherProcess(`
    (() => {
      const { prototype } = WebAssembly.Memory;
      const { grow } = prototype;
      let growths = 0;
      prototype.grow = function (pages) {
        growths++;
        return grow.call(this, pages);
      };
      const describe = (times) => {
        for (let i = 0; i < times; i++) describeLocally(photographs[0], 'media-query', QUERY_RICHNESS);
        return growths;
      };
      const first = describe(1);
      return first > 0 && describe(40) - first;
    })()`);
  assert.equal(growths, '0');
});

/** What an expression gives in a process that has described nothing yet, as text. */
function inAnotherProcess(expression: string): string {
  const from = (path: string): string => JSON.stringify(new URL(path, import.meta.url));
  const program = `
    const { createHash } = await import('node:crypto');
    const { describeLocally } = await import(${from('./describe.js')});
    const { photographs } = await import(${from('../../../test/pictures.js')});
    const QUERY_RICHNESS = ${JSON.stringify(QUERY_RICHNESS)};
    process.stdout.write(String(${expression}));`;
  const { stdout, stderr } = spawnSync(process.execPath, ['--input-type=module', '-e', program], { encoding: 'utf8' });
  assert.equal(stderr, '');
  return stdout;
}

test('less contrast and more light hardly change where features are found', () => {
  const keypoints = (picture: Picture): Keypoints => keypointsOf(openLocalDna(reference(picture), ['media-reference']));
  for (const picture of photographs) {
    const before = keypoints(picture);
    const after = keypoints(toned(picture, 0.6, 60));
    const kept = Array.from(before.x).filter((x, i) =>
      after.x.some((ax, j) => {
        const off = Math.max(Math.abs(ax - x), Math.abs(after.y[j] - before.y[i]));
        return off < 1 && after.level[j] === before.level[i];
      }),
    );
    assert.ok(kept.length > 0.8 * before.x.length, `${kept.length} of ${before.x.length} places`);
  }
});

test('a picture too small or too plain to be distinguished is refused with the reason', () => {
  const plain: [Picture, RegExp][] = [
    [painted(400, 300, () => [90, 120, 30]), /0 distinct points, expected at least 12/],
    [painted(400, 300, (x) => [x / 2, x / 2, x / 2]), /distinct points/],
    [painted(400, 300, (x, y) => [120 + y / 4, 150 + y / 5, 200 + x / 10]), /distinct points/],
    [painted(400, 300, (x) => (x % 40 < 20 ? [250, 250, 250] : [10, 10, 10])), /distinct points/],
    [painted(1, 1, () => [0, 0, 0]), /it is 1 x 1 pixels, expected at least 24/],
    [cropped(photographs[0], 0, 0, 300, 23), /it is 300 x 23 pixels, expected at least 24/],
    [cropped(photographs[0], 0, 0, 23, 200), /it is 23 x 200 pixels, expected at least 24/],
  ];
  for (const [picture, reason] of plain) {
    for (const describe of [reference, query]) {
      assert.throws(
        () => describe(picture),
        (error: Error) => error instanceof PlainPictureError && reason.test(error.message),
      );
    }
  }
});

test('after a refusal the next picture is described as ever', () => {
  const before = sha256(reference(photographs[4]));
  assert.throws(() => reference(painted(400, 300, () => [90, 120, 30])), PlainPictureError);
  assert.equal(sha256(reference(photographs[4])), before);
});
