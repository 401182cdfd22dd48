import type { Fill, Grouping } from '../color/prevalent.ts';
import { finished } from '../steps.ts';
import type {
  Candidates,
  Cut,
  ImageNumber,
  Partition,
  QueryOptions,
  Ranking,
  Verified,
  VerifyOptions,
} from './partition.ts';
import type { Selection } from './selection.ts';

/** A partition whose calls return their result, for callers that do nothing else meanwhile. */
export class SynchronousPartition {
  readonly #partition: Partition;

  constructor(partition: Partition) {
    this.#partition = partition;
  }

  static of(definition: { createPartition(): Partition }): SynchronousPartition {
    return new SynchronousPartition(definition.createPartition());
  }

  get count(): number {
    return this.#partition.count;
  }

  get bytes(): number {
    return this.#partition.bytes;
  }

  add(image: ImageNumber, dna: Uint8Array): void {
    this.#partition.add(image, dna);
  }

  remove(image: ImageNumber): void {
    finished(this.#partition.remove(image));
  }

  candidates(query: Uint8Array, only: Selection | null, limit: number, options: QueryOptions = {}): Candidates {
    return finished(this.#partition.candidates(query, only, limit, options));
  }

  votes(query: Uint8Array, images: readonly ImageNumber[]): Float64Array | undefined {
    const steps = this.#partition.votes?.(query, images);
    return steps && finished(steps);
  }

  verify(query: Uint8Array, images: readonly ImageNumber[], options: VerifyOptions = {}): Verified {
    return finished(this.#partition.verify(query, images, options));
  }

  rank(query: Uint8Array, only: Selection | null, cut: Cut, options: QueryOptions = {}): Ranking {
    return finished(this.#partition.rank!(query, only, cut, options));
  }

  fill(only: Selection | null, colors: readonly number[]): Fill {
    return finished(this.#partition.fill!(only, colors));
  }

  holders(only: Selection | null, colors: readonly number[], grouping: Grouping): Uint32Array {
    return finished(this.#partition.holders!(only, colors, grouping));
  }
}
