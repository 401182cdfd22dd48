import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { goldenFolder, pictureNames } from '@sosia/fixtures';
import { blocks, cropped, doubled, halved, mirrored, photographs, rotated, toned } from '../../test/pictures.ts';
import type { Picture } from '../pixels/picture.ts';
import { colorSimilarity } from './color-similarity.ts';
import { imageSimilarity } from './image-similarity.ts';
import { mediaMatching } from './media-matching.ts';
import type { TypeDefinition } from './type-definition.ts';

/** Set to 1, the files are written anew instead of compared: only for an intended change of the DNA. */
const refresh = process.env['UPDATE_GOLDEN'] === '1';

const large = doubled(doubled(photographs[3]));
const pictures: Readonly<Record<string, Picture>> = {
  ...Object.fromEntries(pictureNames.map((name, i) => [name, photographs[i]])),
  'larger than the frame': doubled(photographs[0]),
  'reduced by the decoder': { ...halved(large), originalWidth: large.width, originalHeight: large.height },
  'odd and narrow': cropped(photographs[1], 7, 11, 61, 199),
  'hardly large enough': cropped(photographs[2], 100, 60, 60, 31),
  mirrored: mirrored(photographs[4]),
  turned: rotated(photographs[5]),
  blocks: blocks(301, 201, 5),
  'fine and faint': toned(blocks(300, 201, 6, 3), 0.1, 100),
};
const sides = ['reference', 'query'] as const;

interface Family {
  readonly type: string;
  readonly definition: TypeDefinition;
  /** What the folder of its files is called, before the version. */
  readonly name: string;
  /** The file in engine/src/dna that holds its version. */
  readonly versionIn: string;
}
const families: readonly Family[] = [
  { type: 'media-matching', definition: mediaMatching, name: 'dna', versionIn: 'local.ts' },
  { type: 'image-similarity', definition: imageSimilarity, name: 'similarity', versionIn: 'block.ts' },
  { type: 'color-similarity', definition: colorSimilarity, name: 'palette', versionIn: 'block.ts' },
];

for (const { type, definition, name, versionIn } of families) {
  const described = new Map<string, Uint8Array>();
  for (const [what, picture] of Object.entries(pictures)) {
    for (const side of sides) described.set(`${what}, ${side}`, definition.describe(picture, side));
  }
  const version = [...described.values()][0][1];
  const folder = join(goldenFolder, `${name}-v${version}`);
  const advice =
    `If the DNA was meant to change, raise VERSION in engine/src/dna/${versionIn} (from the first release on); ` +
    'then write the files with: UPDATE_GOLDEN=1 npm test -- engine/types/golden';

  /** A file's content; written first where a refresh is requested. */
  const golden = (file: string, current: () => Uint8Array): Buffer => {
    const path = join(folder, file);
    if (refresh) {
      mkdirSync(folder, { recursive: true });
      writeFileSync(path, current());
    }
    assert.ok(existsSync(path), `there is no ${path}. ${advice}`);
    return readFileSync(path);
  };

  test(`${type}: pictures have the DNA they had, byte for byte, on every machine`, () => {
    const digests = Object.fromEntries(
      [...described].map(([what, dna]) => [what, createHash('sha256').update(dna).digest('hex')]),
    );
    const stored = golden('digests.json', () => Buffer.from(JSON.stringify(digests, null, 2) + '\n'));
    assert.deepEqual(digests, JSON.parse(stored.toString()), advice);
  });

  for (const side of sides) {
    test(`${type}: a ${side} DNA that was stored is still read, and is that of its picture`, () => {
      const dna = described.get(`kodim19, ${side}`)!;
      const stored = golden(`kodim19.${side}.dna`, () => dna);
      definition.checkDna(stored, side);
      assert.ok(Buffer.compare(stored, dna) === 0, advice);
    });
  }
}

test('DNA of another version is refused with both numbers', () => {
  for (const { definition } of families) {
    const dna = definition.describe(photographs[0], 'reference');
    dna[1] = 2;
    assert.throws(() => definition.checkDna(dna, 'reference'), /DNA version 2, expected 1$/);
  }
});
