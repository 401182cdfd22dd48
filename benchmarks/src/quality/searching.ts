import type { AtOnce, BoxMatch, ImageNumber } from '@sosia/engine';
import { BATCH, rerank } from '@sosia/server/shards/rerank';
import type { ShardsFor } from '@sosia/server/shards/search';
import { shortlist } from '@sosia/server/shards/shortlist';
import type { Homography } from '@sosia/testing/pictures/homography';

/** What the search for one query gave, and what it took. */
export interface Found {
  /** The pictures verified at first. */
  readonly shortlist: readonly ImageNumber[];
  /** Best first; equal scores in the order of the numbers. */
  readonly hits: readonly Hit[];
  readonly candidatesMs: number;
  readonly verifyMs: number;
}

export interface Hit {
  readonly image: ImageNumber;
  readonly score: number;
  readonly info: ResultInfo;
}

/** The part of result_info (media matching) that is measured. */
export interface ResultInfo {
  readonly decision: 'Clone' | 'Match' | 'Similar' | 'Different';
  readonly query: { readonly resizedDimensions: readonly [number, number] };
  readonly reference: { readonly resizedDimensions: readonly [number, number] };
  readonly homography: { readonly coefficients: Homography };
}

/** The search of the service, over one partition that is asked right here. */
export async function search(partition: Pick<AtOnce, 'candidates' | 'verify'>, query: Uint8Array): Promise<Found> {
  let [candidatesMs, verifyMs] = [0, 0];
  const shard: ShardsFor<'candidates' | 'verify'>[number] = {
    async candidates(_, ...asked) {
      const start = performance.now();
      const candidates = partition.candidates(...asked);
      candidatesMs += performance.now() - start;
      return candidates;
    },
    async verify(_, ...asked) {
      const start = performance.now();
      const verified = partition.verify(...asked);
      verifyMs += performance.now() - start;
      return verified;
    },
  };

  const window = { below: 1, start: 0, count: Infinity };
  const search = { application: 0, query, only: null, compare, exists: () => true, window, options: {} };
  const { copies, others } = await shortlist([shard], search);
  const found = await rerank([shard], search, { copies, others });
  const hits = found.hits.map(({ image, score, resultInfo }) => ({
    image,
    score,
    info: resultInfo as BoxMatch,
  }));
  return { shortlist: [...copies.toSorted(compare), ...others].slice(0, BATCH), hits, candidatesMs, verifyMs };
}

function compare(a: ImageNumber, b: ImageNumber): number {
  return a - b;
}
