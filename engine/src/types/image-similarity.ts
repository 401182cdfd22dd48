import { openLook, writeLook } from '../dna/similarity.ts';
import { background } from '../color/background.ts';
import { colouring } from '../color/color-embedding.ts';
import { stretched } from '../color/grid.ts';
import { distance } from '../color/oklab.ts';
import { shape } from '../shape/shape-embedding.ts';
import { LookBlock } from '../shape/similarity-list.ts';
import type { Picture } from '../pixels/picture.ts';
import type { DescribeOptions, Recipe, Side } from './recipe.ts';
import { PlainPictureError } from '../errors.ts';
import type { QueryOptions } from '../partition/partition.ts';
import type { Similarity } from '../partition/result-info.ts';
import { type Scan, ScanPartition } from '../partition/scan-partition.ts';

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
