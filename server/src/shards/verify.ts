import type { ImageNumber, Verified } from '@sosia/engine';
import { shardOf } from './placement.ts';
import type { Search, ShardsFor } from './search.ts';

/** Compares the query with pictures, each in the shard that holds it. Pictures that do not match get no verdict. */
export async function verify(
  shards: ShardsFor<'verify'>,
  { application, query, options }: Search,
  images: readonly ImageNumber[],
): Promise<Verified> {
  const parts = await Promise.all(
    shards.map(async (shard, i): Promise<Verified> => {
      const held = images.filter((image) => shardOf(image, shards.length) === i);
      return held.length > 0 ? shard.verify(application, query, held, options) : { verdicts: [], effort: 0 };
    }),
  );
  return {
    verdicts: parts.flatMap(({ verdicts }) => verdicts),
    effort: parts.reduce((sum, { effort }) => sum + effort, 0),
  };
}
