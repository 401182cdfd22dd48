import { background } from '../color/background.ts';
import { colorEmbedding } from '../color/color-embedding.ts';
import { stretched } from '../color/grid.ts';
import { distance } from '../color/oklab.ts';
import { type NetworkIdentity, openNetworkDna } from '../dna/network-similarity.ts';
import { openSimilarityDna, writeSimilarityDna } from '../dna/similarity.ts';
import { PlainPictureError } from '../errors.ts';
import type { Area } from '../memory/areas.ts';
import { type Comparison, EntryList } from '../memory/entry-list.ts';
import type { QueryOptions } from '../partition/partition.ts';
import type { Similarity } from '../partition/result-info.ts';
import { type Scan, ScanPartition } from '../partition/scan-partition.ts';
import { expectSide } from '../pixels/least-side.ts';
import type { Picture } from '../pixels/picture.ts';
import { shapeEmbedding } from '../shape/shape-embedding.ts';
import { shapeAndColor } from '../shape/shape-comparison.ts';
import { vectorAndColor } from '../shape/vector-comparison.ts';
import { type DescribeOptions, type Side, type TypeDefinition, usualTraits } from './type-definition.ts';

/** Pictures with a shorter side, in pixels, are refused. */
const MIN_SIDE_PIXELS = 8;
/** Colours that differ by less, in OKLab, are one. */
const SAME_COLOUR_DISTANCE = 0.004;

/** Pictures of similar shapes and colours. */
export const imageSimilarity: TypeDefinition = {
  traits: { ...usualTraits, title: 'Image Similarity', colorWeight: true },
  workingSize: 256,
  exhaustive: true,
  describe(picture: Picture, _side: Side, { ignoreBackground = false }: DescribeOptions = {}) {
    expectSide(picture, MIN_SIDE_PIXELS);
    const pixels = stretched(picture);
    if (pixels.every((lab) => distance(lab, pixels[0]) < SAME_COLOUR_DISTANCE))
      throw new PlainPictureError('it is one colour all over');
    return writeSimilarityDna(
      shapeEmbedding(pixels),
      colorEmbedding(pixels, ignoreBackground ? background(pixels) : null),
    );
  },
  checkDna: (dna) => void openSimilarityDna(dna),
  createPartition: () => new ScanPartition(new SimilarityScan(shapeAndColor, openSimilarityDna)),
};

/** Pictures that mean alike, by the vectors of a network, and by colour. `describe` gives what `writeNetworkDna` takes. */
export function similarityByNetwork(network: NetworkIdentity): TypeDefinition {
  const open = (dna: Uint8Array): Uint8Array => openNetworkDna(dna, network);
  return {
    ...imageSimilarity,
    checkDna: (dna) => void open(dna),
    createPartition: () => new ScanPartition(new SimilarityScan(vectorAndColor(network.length), open)),
  };
}

class SimilarityScan implements Scan {
  readonly #list: EntryList;
  readonly #open: (dna: Uint8Array) => Uint8Array;

  constructor(comparison: Comparison, open: (dna: Uint8Array) => Uint8Array) {
    this.#list = new EntryList(comparison);
    this.#open = open;
  }

  get bytes(): number {
    return this.#list.bytes;
  }

  put(slot: number, dna: Uint8Array): void {
    this.#list.put(slot, this.#open(dna));
  }

  scores(query: Uint8Array, slots: Uint32Array, { colorWeight = 0.5 }: QueryOptions): Float64Array {
    return this.#list.scores(this.#open(query), slots, colorWeight);
  }

  areas(slots: number): Area[] {
    return [this.#list.area(slots)];
  }

  infoOf(query: Uint8Array, slot: number, { colorWeight = 0.5 }: QueryOptions): Similarity {
    const [shapeScore, colorScore] = [0, 1].map(
      (weight) => this.#list.scores(this.#open(query), Uint32Array.of(slot), weight)[0],
    );
    return { category: 'SIMILARITY', colorScore, shapeScore, colorweight: colorWeight };
  }
}
