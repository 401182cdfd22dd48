import type { Pictures } from './pictures.ts';

/** A shard with more segments is merged into one: each term of a query is looked up in every segment. */
const FEW_SEGMENTS = 3;
/** Bytes of a shard above which merging would take the disks too long; some 200,000 pictures. */
const MAX_SHARD_BYTES = 5e9;

/** Merges each index that has had no change between two looks. */
export class QuietMerge {
  /** By index: the checkpoints of its shards at the last look. */
  readonly #checkpoints = new Map<string, string>();

  /** @returns whether the merging was begun */
  async look(index: string, pictures: Pick<Pictures, 'shards' | 'merge'>): Promise<boolean> {
    const shards = await pictures.shards();
    const checkpoint = JSON.stringify(shards.map(({ checkpoint }) => checkpoint));
    const quiet = this.#checkpoints.get(index) === checkpoint;
    this.#checkpoints.set(index, checkpoint);
    const many = shards.some(({ segments }) => segments > FEW_SEGMENTS);
    if (!quiet || !many || shards.some(({ bytes }) => bytes > MAX_SHARD_BYTES)) return false;
    await pictures.merge();
    return true;
  }
}
