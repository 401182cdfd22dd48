import { openLook, writeLook } from '../dna/look.ts';
import { background } from '../features/background.ts';
import { colouring } from '../features/colouring.ts';
import { stretched } from '../features/grid.ts';
import { distance } from '../features/oklab.ts';
import { shape } from '../features/shape.ts';
import { LookBlock } from '../index/look-block.ts';
import type { Picture } from '../pixels/picture.ts';
import { type DescribeOptions, PlainPictureError, type QueryOptions, type Recipe, type Side } from './recipe.ts';
import type { Similarity } from './result-info.ts';
import { type Scan, ScanPartition } from './scan-partition.ts';

/** Pictures with a shorter side, in pixels, are not looked at. */
const SHORTEST = 8;
/** Colours that differ by less, in OKLab, are one. */
const PLAIN = 0.004;

/** Pictures that look alike, by shape and by colour. */
export const imageSimilarity: Recipe = {
  type: 'image-similarity',
  workingSize: 256,
  exhaustive: true,
  describe(picture: Picture, _side: Side, { ignoreBackground = false }: DescribeOptions = {}) {
    if (Math.min(picture.width, picture.height) < SHORTEST) {
      throw new PlainPictureError(
        `it is ${picture.width} x ${picture.height} pixels, expected at least ${SHORTEST} on the shorter side`,
      );
    }
    const pixels = stretched(picture);
    if (pixels.every((lab) => distance(lab, pixels[0]) < PLAIN))
      throw new PlainPictureError('it is one colour all over');
    return writeLook(shape(pixels), colouring(pixels, ignoreBackground ? background(pixels) : null));
  },
  checkDna: (dna) => void openLook(dna),
  createPartition: () => new ScanPartition(new LookScan()),
};

class LookScan implements Scan {
  readonly #block = new LookBlock();

  get bytes(): number {
    return this.#block.bytes;
  }

  put(slot: number, dna: Uint8Array): void {
    this.#block.put(slot, openLook(dna));
  }

  scores(query: Uint8Array, slots: Uint32Array, { colorWeight = 0.5 }: QueryOptions): Float64Array {
    return this.#block.scores(openLook(query), slots, colorWeight);
  }

  infoOf(query: Uint8Array, slot: number, { colorWeight = 0.5 }: QueryOptions): Similarity {
    const [shapeScore, colorScore] = [0, 1].map(
      (weight) => this.#block.scores(openLook(query), Uint32Array.of(slot), weight)[0],
    );
    return { category: 'SIMILARITY', colorScore, shapeScore, colorweight: colorWeight };
  }
}
