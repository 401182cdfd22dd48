import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { BoxMatch } from '@sosia/engine';
import { SynchronousPartition, typeDefinitions } from '@sosia/engine';
import type { Picture } from '@sosia/engine';
import { samplesFolder } from '@sosia/fixtures';
import { decodePicture } from '@sosia/server/decode';
import sharp from 'sharp';
import { corporaFolder } from '@sosia/testing/pictures/corpus';
import { systemTest } from '@sosia/testing/harness/system-test';

const SIDE = 1024;
const ORIENTATIONS = [0, 1, 2, 3, 4, 5, 6, 7, 8];
/** The most by which pixels of the same motif may differ on average, of 255: each file has its own compression. */
const TOLERANCE = 8;

/** The same picture stored in the nine ways that EXIF knows; 0 for a file without the tag. */
interface Motif {
  readonly name: string;
  readonly files: readonly Uint8Array[];
}

/** Samples of the repository are rotated on the spot; photographs of ../shared/corpora are added where they are present. */
export default systemTest({
  name: 'orientation',
  promise:
    'A photograph comes upright and finds its motif, in whichever of the nine orientations of EXIF it is stored.',
  async run({ expect }) {
    const motifs = [...(await Promise.all(['kodim01.jpg', 'kodim04.jpg'].map(rotated))), ...collected()];
    const definition = typeDefinitions['media-matching'];
    const partition = SynchronousPartition.of(definition);
    const upright = await Promise.all(motifs.map(({ files }) => decodePicture(files[1]!, SIDE)));
    upright.forEach((picture, i) => partition.add(i, definition.describe(picture, 'reference')));

    let largestScore = 0;
    let largestDifference = 0;
    for (const [i, { name, files }] of motifs.entries()) {
      for (const [orientation, file] of files.entries()) {
        const picture = await decodePicture(file, SIDE);
        const difference = meanDifference(picture, upright[i]!);
        const { verdicts } = partition.verify(
          definition.describe(picture, 'query'),
          motifs.map((_, image) => image),
        );
        const [first] = verdicts.toSorted((a, b) => a.score - b.score);
        const { decision } = (first?.resultInfo ?? {}) as Partial<BoxMatch>;
        largestDifference = Math.max(largestDifference, difference);
        largestScore = Math.max(largestScore, first?.score ?? 1);
        const found = first?.image === i && ['Clone', 'Match'].includes(decision!);
        expect(difference <= TOLERANCE, `${name} ${orientation}: its pixels differ by ${difference}`);
        expect(found, `${name} ${orientation}: expected a Clone or Match with it, got ${decision} of ${first?.image}`);
      }
    }
    const pictures = motifs.length * ORIENTATIONS.length;
    return { motifs: motifs.length, pictures, largestScore, largestDifference: Number(largestDifference.toFixed(2)) };
  },
});

function collected(): Motif[] {
  const folder = join(corporaFolder, 'orientation');
  if (!existsSync(folder)) return [];
  return ['Landscape', 'Portrait'].map((name) => ({
    name,
    files: ORIENTATIONS.map((orientation) => readFileSync(join(folder, `${name}_${orientation}.jpg`))),
  }));
}

/**
 * Where the pixel (x, y) of a stored file comes from in the upright picture of w x h pixels (EXIF 2.32, tag 0x0112: the number
 * defines which sides of the picture are the first row and the first column).
 */
const sources: readonly ((x: number, y: number, w: number, h: number) => readonly [number, number])[] = [
  (x, y) => [x, y],
  (x, y) => [x, y],
  (x, y, w) => [w - 1 - x, y],
  (x, y, w, h) => [w - 1 - x, h - 1 - y],
  (x, y, _, h) => [x, h - 1 - y],
  (x, y) => [y, x],
  (x, y, w) => [w - 1 - y, x],
  (x, y, w, h) => [w - 1 - y, h - 1 - x],
  (x, y, _, h) => [y, h - 1 - x],
];

async function rotated(name: string): Promise<Motif> {
  const { data, info } = await sharp(join(samplesFolder, name)).raw().toBuffer({ resolveWithObject: true });
  const { width: w, height: h } = info;
  const files = sources.map((source, orientation) => {
    const [width, height] = orientation > 4 ? [h, w] : [w, h];
    const stored = new Uint8Array(3 * width * height);
    for (let y = 0; y < height; y++) {
      for (let x = 0; x < width; x++) {
        const [fromX, fromY] = source(x, y, w, h);
        stored.set(data.subarray(3 * (fromY * w + fromX), 3 * (fromY * w + fromX + 1)), 3 * (y * width + x));
      }
    }
    const picture = sharp(stored, { raw: { width, height, channels: 3 } }).jpeg({ quality: 95 });
    return orientation === 0 ? picture.toBuffer() : picture.withMetadata({ orientation }).toBuffer();
  });
  return { name, files: await Promise.all(files) };
}

/** Infinite for pictures of different sizes. */
function meanDifference(a: Picture, b: Picture): number {
  if (a.width !== b.width || a.height !== b.height) return Infinity;
  let sum = 0;
  for (let i = 0; i < a.rgb.length; i++) sum += Math.abs(a.rgb[i]! - b.rgb[i]!);
  return sum / a.rgb.length;
}
