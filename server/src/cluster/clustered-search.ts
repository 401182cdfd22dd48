import type { ApplicationType, Explanation, ImageNumber, StoredReference, VerifyOptions } from '@sosia/engine';
import type { Match, Matches, Restriction, Search } from '../applications/references.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { rerank } from '../shards/rerank.ts';
import type { Window } from '../shards/search.ts';
import { SHORTLIST } from '../shards/shortlist.ts';
import type { Remote } from '../workers/thread.ts';
import type { Matcher, TermQuery } from './matcher.ts';
import type { Matchers } from './matchers.ts';
import { keyOf, type Pictures, type Recorded, type Voters } from './pictures.ts';
import { copiesQuery, recordsQuery, shortlistQuery, wholeQuery, withVotes } from './search-query.ts';

/** Pictures whose votes are counted by all features: those with the highest scores by terms. */
const COMPARED = 300;

/** Copies of a request: `index.max_result_window`. */
const MOST_COPIES = 10_000;

interface Place {
  readonly application: number;
  readonly type: ApplicationType;
  readonly pictures: Pictures;
  readonly matchers: Matchers;
  readonly metrics: Metrics;
}

/** The ids of pictures to be compared. */
interface Shortlist {
  readonly copies: readonly string[];
  /** Best first, with their votes by all features; 0 where they were not counted. */
  readonly others: readonly { readonly id: string; readonly votes: number }[];
}

interface Compared {
  /** Length of the list of matches, and its part that is wanted. */
  readonly found: number;
  readonly listed: readonly { readonly id: string; readonly score: number; readonly resultInfo: Match['resultInfo'] }[];
  readonly truncated?: boolean;
  /** Whether the last picture of the shortlist was compared, too. */
  readonly last: boolean;
}

const NO_VOTERS: Voters = {
  ids: [],
  beginnings: new Uint8Array(),
  lengths: new Uint32Array(),
  norms: new Uint16Array(),
};

/** Searches the index of an application: the cluster shortlists by terms, and this process compares. */
export class ClusteredSearch {
  readonly #place: Place;

  constructor(place: Place) {
    this.#place = place;
  }

  /** One thread serves a search, since it prepares the query once. */
  search(search: Search): Promise<Matches> {
    return this.#place.matchers.run((matcher) => this.#search(search, matcher));
  }

  async explain(dna: Uint8Array, id: string): Promise<Explanation | undefined> {
    const { application, type, matchers } = this.#place;
    const [record] = await this.#records([id]);
    if (!record) return undefined;
    const { explanations } = await matchers.run((matcher) =>
      matcher.verify(application, type, detached(dna), [{ ...record, image: 0 }], { explain: true }),
    );
    return explanations?.[0]?.explanation;
  }

  async #search({ dna, restriction, page, below, colorWeight }: Search, matcher: Remote<Matcher>): Promise<Matches> {
    const { pictures } = this.#place;
    const query = detached(dna);
    const window = { ...page, below };
    const { terms, ...first } = await this.#time('candidates', () => this.#shortlist(query, restriction, matcher));
    const compared = (shortlist: Shortlist) => this.#compared(query, shortlist, { window, colorWeight }, matcher);
    let reached = await this.#time('verify', () => compared(first));
    if (reached.last && first.others.length >= COMPARED) {
      const rest = { start: COMPARED, count: SHORTLIST - COMPARED };
      const further = await pictures.ids(shortlistQuery(terms, restriction, rest));
      const others = [...first.others, ...further.map((id) => ({ id, votes: 0 }))];
      reached = await this.#time('verify', () => compared({ ...first, others }));
    }
    const { found, truncated, listed } = reached;
    const present = await pictures.fields(listed.map(({ id }) => keyOf(id)));
    const images = listed.flatMap(({ id, score, resultInfo }): Match[] => {
      const fields = present.get(keyOf(id));
      return fields ? [{ id, keywords: fields.keywords, score, resultInfo }] : []; // deleted while it was compared
    });
    return { found: found - (listed.length - images.length), images, ...(truncated && { truncated }) };
  }

  async #compared(
    query: Uint8Array,
    { copies, others }: Shortlist,
    { window, colorWeight }: { window: Window; colorWeight: number },
    matcher: Remote<Matcher>,
  ): Promise<Compared> {
    const { application, type } = this.#place;
    const ids = [...copies, ...others.map(({ id }) => id)];
    const bytes = ids.map((id) => Buffer.from(id));
    let last = false;
    const verify = async (_: number, query: Uint8Array, images: readonly ImageNumber[], options: VerifyOptions) => {
      last ||= images.includes(ids.length - 1);
      const stored = new Map((await this.#records(images.map((image) => ids[image]!))).map((each) => [each.id, each]));
      const references = images.flatMap((image): StoredReference[] => {
        const record = stored.get(ids[image]!);
        return record ? [{ ...record, image }] : []; // deleted a moment ago
      });
      return matcher.verify(application, type, query, references, options);
    };
    const search = {
      application,
      query,
      only: null,
      pictures: ids.length,
      compare: (a: ImageNumber, b: ImageNumber) => Buffer.compare(bytes[a]!, bytes[b]!),
      exists: () => true,
      window,
      options: { colorWeight },
    };
    const { found, hits, truncated } = await rerank([{ verify }], search, {
      copies: copies.map((_, i) => i),
      others: others.map(({ votes }, i) => ({ image: copies.length + i, votes })),
    });
    const listed = hits.map(({ image, score, resultInfo }) => ({ id: ids[image]!, score, resultInfo }));
    return { found, listed, last, ...(truncated && { truncated }) };
  }

  async #shortlist(
    dna: Uint8Array,
    restriction: Restriction,
    matcher: Remote<Matcher>,
  ): Promise<Shortlist & { readonly terms: TermQuery }> {
    const { application, type } = this.#place;
    const terms = await matcher.query(application, type, dna);
    const [copies, { ids, ...voted }] = await Promise.all([
      this.#copies(terms.digest, restriction),
      this.#voters(terms, restriction),
    ]);
    const votes = await matcher.votes(application, type, dna, voted);
    const others = ids.map((id, i) => ({ id, bytes: Buffer.from(id), votes: votes[i]! }));
    others.sort((a, b) => b.votes - a.votes || Buffer.compare(a.bytes, b.bytes));
    return { copies, others: others.filter(({ votes }) => votes > 0), terms };
  }

  /** The pictures whose votes are counted: all where they are few, as in a data folder. */
  async #voters(terms: TermQuery, restriction: Restriction): Promise<Voters> {
    const { pictures } = this.#place;
    const searched = terms.variants.some((variant) => variant.length > 0);
    const first = { start: 0, count: COMPARED };
    const best = searched ? await pictures.voters(withVotes(shortlistQuery(terms, restriction, first))) : NO_VOTERS;
    if (best.ids.length === COMPARED) return best;
    const all = await pictures.ids(wholeQuery(terms.digest, restriction, COMPARED + 1));
    return all.length > COMPARED
      ? best
      : pictures.voters(withVotes(wholeQuery(terms.digest, restriction, COMPARED + 1)));
  }

  async #copies(digest: string, restriction: Restriction): Promise<readonly string[]> {
    const all: string[] = [];
    for (;;) {
      const ids = await this.#place.pictures.ids(copiesQuery(digest, restriction, MOST_COPIES, all.at(-1)));
      all.push(...ids);
      if (ids.length < MOST_COPIES) return all;
    }
  }

  #records(ids: readonly string[]): Promise<readonly Recorded[]> {
    return this.#place.pictures.records(recordsQuery(ids));
  }

  #time<T>(phase: string, work: () => Promise<T>): Promise<T> {
    return this.#place.metrics.time('searchSeconds', { phase }, work);
  }
}

/** A view would take the whole buffer behind it along to the thread. */
function detached(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
