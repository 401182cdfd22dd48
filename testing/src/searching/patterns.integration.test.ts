import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SynchronousPartition, typeDefinitions } from '@sosia/engine';
import { edits } from '../pictures/edits.ts';
import { patternOf } from '../pictures/patterns.ts';
import { pictureOf } from '../pictures/raster.ts';
import type { Raster } from '../pictures/raster.ts';
import { isMatch, search } from './search.ts';

const definition = typeDefinitions['media-matching'];
const dots = (number: number): Promise<Raster> => patternOf('polka dots', number);
const gingham = (number: number): Promise<Raster> => patternOf('gingham', number);
const described = (raster: Raster, side: 'reference' | 'query') => definition.describe(pictureOf(raster), side);

/** An edited picture of dots, and one of other dots that agrees with its rows, or with some of its dots by chance. */
const pairs = [
  [7, 'cropped by 10 %', 9],
  [7, 'resized to 90 %', 9],
  [13, 'turned by 3 degrees', 8],
  [15, 'cropped by 10 %', 8],
] as const;

for (const [number, edit, other] of pairs)
  test(`dots ${number}, ${edit}, do not match other dots`, async () => {
    const partition = SynchronousPartition.of(definition);
    partition.add(0, described(await dots(other), 'reference'));
    const { hits } = await search(partition, described(await edits[edit]!(await dots(number)), 'query'));
    assert.ok(!hits.some(isMatch));
  });

test('dots that are recompressed match', async () => {
  const partition = SynchronousPartition.of(definition);
  partition.add(0, described(await dots(7), 'reference'));
  const { hits } = await search(partition, described(await edits['recompressed (JPEG 70)']!(await dots(7)), 'query'));
  assert.ok(isMatch(hits[0]));
});

for (const number of [2, 8, 11])
  test(`cropped gingham ${number} is not found as the mirror image, which is nearly the same`, async () => {
    const partition = SynchronousPartition.of(definition);
    const cloth = await gingham(number);
    partition.add(0, described(cloth, 'reference'));
    const { hits } = await search(partition, described(await edits['cropped by 10 %']!(cloth), 'query'));
    const [a, b, , c, d] = hits[0]!.info.homography.coefficients;
    assert.ok(a! * d! - b! * c! > 0);
  });
