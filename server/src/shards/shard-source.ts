import type {
  Candidates as PartitionCandidates,
  Cut,
  ImageNumber,
  Ranking,
  Verified,
  VerifyOptions,
} from '@sosia/engine';
import { inOrderOfVotes, mostVoted } from '../search/candidate-source.ts';
import type { Candidates, CandidateSource, Comparable, ShortlistDepth, Voted } from '../search/candidate-source.ts';
import type { RankingSource } from '../search/exhaustive.ts';
import { shardOf } from './placement.ts';
import type { Search, ShardsFor } from './search.ts';

/**
 * Pictures by chance have a score of 4,000 at the 500th place among 65,000, and an edited copy of the whole has 16,800 at least. See
 * docs/experiments/2026-11-22-finer-terms.md.
 */
export const SHARD_DEPTH: ShortlistDepth = {
  listed: 2000,
  counted: 500,
  manyTerms: 16_384,
  countedAfterNothing: 0,
};

type Listed = Candidates & { readonly others: readonly Voted[] };

/** The pictures of an application in the shards, each compared in the shard that holds it. */
abstract class ShardPictures<M extends 'verify' | 'rank' | 'candidates' | 'votes'> implements Comparable {
  protected readonly shards: ShardsFor<M | 'verify'>;
  protected readonly search: Search;
  readonly compare: Search['compare'];
  readonly exists: Search['exists'];

  constructor(shards: ShardsFor<M | 'verify'>, search: Search) {
    this.shards = shards;
    this.search = search;
    this.compare = search.compare;
    this.exists = search.exists;
  }

  async verify(images: readonly ImageNumber[], options: VerifyOptions): Promise<Verified> {
    const { application, query, options: own } = this.search;
    const parts = await Promise.all(
      this.shards.map(async (shard, i): Promise<Verified> => {
        const held = this.heldBy(i, images);
        if (held.length === 0) return { verdicts: [], effort: 0 };
        return shard.verify(application, query, held, { ...own, ...options });
      }),
    );
    return {
      verdicts: parts.flatMap(({ verdicts }) => verdicts),
      effort: parts.reduce((sum, { effort }) => sum + effort, 0),
      explanations: parts.flatMap(({ explanations = [] }) => explanations),
    };
  }

  protected heldBy(shard: number, images: readonly ImageNumber[]): ImageNumber[] {
    return images.filter((image) => shardOf(image, this.shards.length) === shard);
  }
}

/** For exhaustive types. */
export class ShardRanking extends ShardPictures<'rank'> implements RankingSource {
  rank(cut: Cut): Promise<readonly Ranking[]> {
    const { application, query, only, options } = this.search;
    return Promise.all(this.shards.map((shard) => shard.rank(application, query, only, cut, options)));
  }
}

/** Merges the candidates of all shards before each cut, so that the number of shards does not matter. */
export class ShardSource extends ShardPictures<'candidates' | 'votes'> implements CandidateSource {
  readonly depth = SHARD_DEPTH;
  #listed: Promise<Listed> | undefined;

  candidates(): Promise<Candidates> {
    return (this.#listed ??= this.#list());
  }

  async byTerms(count: number): Promise<readonly ImageNumber[]> {
    const { others } = await this.candidates();
    return inOrderOfVotes(mostVoted(others, count, this), this).map(({ image }) => image);
  }

  async votes(candidates: readonly Voted[]): Promise<readonly Voted[]> {
    const { application, query } = this.search;
    const byImage = new Map(candidates.map((each) => [each.image, each]));
    const parts = await Promise.all(
      this.shards.map(async (shard, i) => {
        const images = this.heldBy(i, [...byImage.keys()]);
        if (images.length === 0) return [];
        const votes = await shard.votes(application, query, images);
        return images.map((image, j) => (votes ? { image, votes: votes[j]! } : byImage.get(image)!));
      }),
    );
    return parts.flat();
  }

  async #list(): Promise<Listed> {
    const { application, query, only, pictures, options } = this.search;
    const complete = pictures <= this.depth.listed;
    const limit = complete ? Infinity : this.depth.listed;
    const lists = await Promise.all(
      this.shards.map((shard) => shard.candidates(application, query, only, limit, options)),
    );
    const merged = lists.flatMap(voted);
    return {
      copies: lists.flatMap(({ copies }) => [...copies]),
      others: complete ? merged : mostVoted(merged, this.depth.listed, this),
      complete,
    };
  }
}

function voted({ images, votes }: PartitionCandidates): Voted[] {
  return Array.from(images, (image, i) => ({ image, votes: votes[i]! }));
}
