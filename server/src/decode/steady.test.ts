import assert from 'node:assert/strict';
import { test } from 'node:test';
import { SynchronousPartition, typeDefinitions } from '@sosia/engine';
import fc from 'fast-check';
import sharp from 'sharp';
import { photograph } from '../service.test.kit.ts';
import { decodePicture } from './decode.ts';

/** What a change that people do not see may cost. Copies reach 0.045 by image-similarity; another photograph begins at 0.4. */
const MAX_SCORES = { 'image-similarity': 0.06, 'color-similarity': 0.4 } as const;

for (const [type, reach] of Object.entries(MAX_SCORES)) {
  const definition = typeDefinitions[type as keyof typeof MAX_SCORES];
  const describe = async (file: Buffer): Promise<Uint8Array> =>
    definition.describe(await decodePicture(file, definition.workingSize), 'reference');

  test(`${type}: a photograph resized and compressed again is described nearly as before and is found`, async () => {
    const originals = await Promise.all(Array.from({ length: 24 }, (_, i) => photograph(i + 1)));
    const partition = SynchronousPartition.of(definition);
    for (const [i, original] of originals.entries()) partition.add(i, await describe(original));
    const change = fc.record({
      number: fc.nat(23),
      width: fc.integer({ min: 256, max: 768 }),
      quality: fc.integer({ min: 60, max: 100 }),
    });
    await fc.assert(
      fc.asyncProperty(change, async ({ number, width, quality }) => {
        const changed = await describe(await sharp(originals[number]).resize(width).jpeg({ quality }).toBuffer());
        const { images } = partition.rank(changed, null, { below: 1, most: 3 }, {});
        const [verdict] = partition.verify(changed, [number], {}).verdicts;
        assert.ok(images.includes(number) && verdict!.score < reach, `${images}: ${verdict?.score}`);
      }),
      { numRuns: 30 },
    );
  });
}
