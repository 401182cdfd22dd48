import type { ApplicationType, Explanation } from '@sosia/engine';
import { matchOf } from '../applications/indexed-search.ts';
import type { Match, Matches, Search } from '../applications/references.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { twoPhaseSearch } from '../search/two-phase.ts';
import { detached } from '../workers/thread.ts';
import { CLUSTER_DEPTH, ClusterSource } from './cluster-source.ts';
import type { Matchers } from './matchers.ts';
import { keyOf, type Pictures } from './pictures.ts';
import { filtersOf, recordsQuery } from './search-query.ts';

/**
 * Share of the last searches that found nothing, above which the first request reads all candidates of a second look: looking up the terms
 * a second time takes two to four times as long as reading the others with the first ones. Answers do not depend on it.
 */
const MIN_SHARE_OF_NOTHING = 0.3;
/** Weight of one search in the moving average of this share. */
const WEIGHT_OF_ONE_SEARCH = 1 / 16;

interface Index {
  readonly application: number;
  readonly type: ApplicationType;
  readonly pictures: Pictures;
  readonly matchers: Matchers;
  readonly metrics: Metrics;
}

/** Searches the index of an application in a cluster. */
export class ClusteredSearch {
  readonly #index: Index;
  /** The share of the last searches that found nothing. */
  #nothing = 0;
  /** Whether all pictures were candidates of the last search of all, and of restricted ones since. */
  #isSmall = true;

  constructor(index: Index) {
    this.#index = index;
  }

  async search({ dna, restriction, page, below, colorWeight, explain = false, first }: Search): Promise<Matches> {
    const { application, type, pictures, matchers, metrics } = this.#index;
    const readAtFirst = this.#nothing > MIN_SHARE_OF_NOTHING ? CLUSTER_DEPTH.countedAfterNothing : 0;
    const isSmall = this.#isSmall;
    const search = { application, type, dna: detached(dna), restriction, colorWeight, readAtFirst, isSmall };
    const { found, listed, truncated } = await matchers.run(async (matcher) => {
      const source = new ClusterSource(search, pictures, matcher);
      const { hits, ...rest } = await twoPhaseSearch(source, {
        window: { ...page, below },
        explain,
        first: first === undefined ? undefined : source.numberOf(first),
        time: (phase, work) => metrics.time('searchSeconds', { phase }, work),
      });
      this.#isSmall = source.complete && (isSmall || filtersOf(restriction).length === 0);
      return { ...rest, listed: hits.map((hit) => ({ ...hit, id: source.idOf(hit.image) })) };
    });
    this.#nothing += WEIGHT_OF_ONE_SEARCH * (Number(found === 0) - this.#nothing);
    const present = await pictures.fields(listed.map(({ id }) => keyOf(application, id)));
    const images = listed.flatMap(({ id, score, resultInfo, explanation }): Match[] => {
      const fields = present.get(keyOf(application, id));
      if (!fields) return []; // deleted while it was compared
      return [
        { ...matchOf({ id, keywords: fields.keywords }, score, resultInfo), ...(explanation && { explanation }) },
      ];
    });
    return { found: found - (listed.length - images.length), images, ...(truncated && { truncated }) };
  }

  async explain(dna: Uint8Array, id: string): Promise<Explanation | undefined> {
    const { application, type, pictures, matchers } = this.#index;
    const [record] = await pictures.records(recordsQuery([id]));
    if (!record) return undefined;
    const { explanations } = await matchers.run((matcher) =>
      matcher.verify(application, type, detached(dna), [{ ...record, image: 0 }], { explain: true }),
    );
    return explanations?.[0]?.explanation;
  }
}
