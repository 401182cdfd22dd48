import assert from 'node:assert/strict';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { SynchronousPartition, typeDefinitions } from '@sosia/engine';
import { samplesFolder } from '@sosia/fixtures';
import sharp from 'sharp';
import { attackNamed } from '@sosia/testing/pictures/attacks';
import { randomFor } from '@sosia/testing/pictures/random';
import { pictureOf, type Raster, rasterOf, sharpOf } from '@sosia/testing/pictures/raster';
import { isMatch, search } from '@sosia/testing/searching/search';
import { judge } from './outcome.ts';

const definition = typeDefinitions['media-matching'];
const names = readdirSync(samplesFolder).filter((name) => name.endsWith('.jpg'));
const samples = await Promise.all(names.map((name) => rasterOf(sharp(join(samplesFolder, name)))));
const references = samples.map((picture) => described(picture, 'reference'));
const whole = SynchronousPartition.of(definition);
references.forEach((dna, image) => whole.add(image, dna));

function described(raster: Raster, side: 'reference' | 'query'): Uint8Array {
  return definition.describe(pictureOf(raster), side);
}

const shapes = ['crop 50 %', 'half size', 'quarter size', 'rotate 15', 'rotate 90', 'mirrored', 'perspective'];
for (const name of [...shapes, 'jpeg 8', 'blur 3', 'grey, gamma 1.8', 'text overlay', 'scene 40 %']) {
  test(`${name}, saved and decoded again: the photograph is found first, and lies where it should`, async () => {
    const attack = attackNamed(name);
    for (const image of [4, 14, 22]) {
      const host = samples[(image + 1) % samples.length]!;
      const { picture, truth } = await attack.apply(samples[image]!, { random: randomFor(name, image), host });
      const edited = await rasterOf(sharp(await attack.encode(sharpOf(picture)).toBuffer()));
      const found = await search(whole, described(edited, 'query'));
      // a scene shows its host too
      const hits = found.hits.filter((hit) => !name.startsWith('scene') || samples[hit.image] !== host);
      const outcome = judge({ ...found, hits }, { image, truth, width: edited.width, height: edited.height });
      assert.ok(outcome.score !== null && outcome.score < 0.5, `${names[image]}: ${JSON.stringify(outcome)}`);
      assert.ok(outcome.cornerError! < 0.02, `${names[image]}: corners ${outcome.cornerError} of the diagonal off`);
      assert.match(outcome.decision, /Clone|Match/);
    }
  });
}

test('no photograph matches another', async () => {
  for (const [image, picture] of samples.entries()) {
    const { hits } = await search(whole, described(picture, 'query'));
    assert.equal(hits[0]?.image, image);
    assert.ok(!isMatch(hits[1]), names[image]);
  }
});
