import type {
  ApplicationType,
  Explanation,
  ImageNumber,
  StoredReference,
  Verdict,
  VerifyOptions,
  VotedReferences,
} from '@sosia/engine';
import type { Match, Matches, Restriction, Search } from '../applications/references.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { rerank } from '../shards/rerank.ts';
import type { Window } from '../shards/search.ts';
import { SHORTLIST } from '../shards/shortlist.ts';
import type { Remote } from '../workers/thread.ts';
import type { Matcher, TermQuery } from './matcher.ts';
import type { Matchers } from './matchers.ts';
import { keyOf, type Pictures, type Recorded, type Voter } from './pictures.ts';
import { bestQuery, copiesQuery, recordsQuery, shortlistQuery, wholeQuery, withVotes } from './search-query.ts';

/**
 * Pictures whose votes are counted by all features: those with the highest scores by terms. Where nothing is found among them, those
 * of `SHORTLIST`.
 */
const COMPARED = 300;

/**
 * Share of the last searches that found nothing, above which the first request reads all of `SHORTLIST`: looking up the terms a second
 * time takes two to four times as long as reading the others with the first ones. Answers do not depend on it.
 */
const OFTEN = 0.3;
/** What one search counts for in that share. */
const ONE = 1 / 16;

/** Exact copies that are read with the others, in one request. */
const FEW_COPIES = 16;

/** Behind the first `COMPARED`, the other pictures of a shortlist. */
const REST = { start: COMPARED, count: SHORTLIST - COMPARED };

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

/** A shortlist of `COMPARED` pictures, or of all. */
interface First extends Shortlist {
  readonly digest: string;
  /** Reads the pictures behind those by terms, whose votes are not counted; undefined where there are no further pictures. */
  readonly rest: (() => Promise<readonly Voter[]>) | undefined;
}

/** By the ids of the pictures that were compared; undefined where they do not match. */
type Verdicts = ReadonlyMap<string, Verdict | undefined>;

interface Compared {
  /** Length of the list of matches, and its part that is wanted. */
  readonly found: number;
  readonly listed: readonly { readonly id: string; readonly score: number; readonly resultInfo: Match['resultInfo'] }[];
  readonly truncated?: boolean;
  readonly verdicts: Verdicts;
  /** Whether those behind the shortlist were compared, since a crowd was noticed. */
  readonly crowd: boolean;
}

/** Searches the index of an application: the cluster shortlists by terms, and this process compares. */
export class ClusteredSearch {
  readonly #place: Place;
  /** The share of the last searches that found nothing. */
  #nothing = 0;

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
    const first = await this.#time('candidates', () => this.#shortlist(query, restriction, matcher));
    const compared = (shortlist: Shortlist & Pick<First, 'rest'>, known?: Verdicts) =>
      this.#time('verify', () => this.#compared(query, shortlist, { window, colorWeight }, matcher, known));
    let reached = await compared(first);
    const matched = [...reached.verdicts.values()].some((verdict) => verdict);
    this.#nothing += ONE * (Number(!matched) - this.#nothing);
    const { copies, rest } = first;
    if (rest && !matched) {
      const others = await this.#time('candidates', () => this.#further(query, restriction, first, matcher));
      reached = await compared({ copies, others, rest: undefined }, reached.verdicts);
    } else if (
      rest &&
      !reached.crowd &&
      first.others.length === COMPARED &&
      reached.verdicts.has(first.others.at(-1)!.id)
    ) {
      const further = once(await rest(), first.others).map(({ id }) => ({ id, votes: 0 }));
      reached = await compared({ copies, others: [...first.others, ...further], rest: undefined }, reached.verdicts);
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
    { copies, others, rest }: Shortlist & Pick<First, 'rest'>,
    { window, colorWeight }: { window: Window; colorWeight: number },
    matcher: Remote<Matcher>,
    known: Verdicts = new Map(),
  ): Promise<Compared> {
    const { application, type } = this.#place;
    const ids = [...copies, ...others.map(({ id }) => id)];
    const all = new Map(known);
    let crowd = false;
    const verify = async (_: number, query: Uint8Array, images: readonly ImageNumber[], options: VerifyOptions) => {
      const numbers = new Map(images.map((image) => [ids[image]!, image]));
      const unknown = [...numbers.keys()].filter((id) => !all.has(id));
      for (const id of unknown) all.set(id, undefined);
      const records = await this.#records(unknown);
      const references = records.map((record): StoredReference => ({ ...record, image: numbers.get(record.id)! }));
      const { verdicts, effort } = await matcher.verify(application, type, query, references, options);
      for (const verdict of verdicts) all.set(ids[verdict.image]!, verdict);
      const matching = images.flatMap((image) => {
        const verdict = all.get(ids[image]!);
        return verdict ? [{ ...verdict, image }] : [];
      });
      return { verdicts: matching, effort };
    };
    const search = {
      application,
      query,
      only: null,
      pictures: ids.length,
      compare: (a: ImageNumber, b: ImageNumber) => Buffer.compare(Buffer.from(ids[a]!), Buffer.from(ids[b]!)),
      exists: () => true,
      window,
      options: { colorWeight },
    };
    const { found, hits, truncated } = await rerank([{ verify }], search, {
      copies: copies.map((_, i) => i),
      others: others.map(({ votes }, i) => ({ image: copies.length + i, votes })),
      further: async () => {
        crowd = true;
        const further = once((await rest?.()) ?? [], others);
        return further.map(({ id }) => ids.push(id) - 1);
      },
    });
    const listed = hits.map(({ image, score, resultInfo }) => ({ id: ids[image]!, score, resultInfo }));
    return { found, listed, verdicts: all, crowd, ...(truncated && { truncated }) };
  }

  async #shortlist(dna: Uint8Array, restriction: Restriction, matcher: Remote<Matcher>): Promise<First> {
    const { application, type } = this.#place;
    const terms = await matcher.query(application, type, dna);
    const { digest } = terms;
    const most = this.#nothing > OFTEN ? SHORTLIST : COMPARED;
    const { copies, others: best } = await this.#best(terms, restriction, most);
    const all = best.length < COMPARED ? await this.#all(digest, restriction, COMPARED) : undefined;
    const others = inOrder(await this.#counted(dna, all ?? best.slice(0, COMPARED), matcher));
    const { pictures } = this.#place;
    const rest = async (): Promise<readonly Voter[]> =>
      best.length === COMPARED && most === COMPARED
        ? (await pictures.voters(withVotes(shortlistQuery(terms, restriction, REST)), REST.count)).others
        : best.slice(COMPARED);
    return { copies, others, digest, rest: all ? undefined : rest };
  }

  /** The exact copies, and the pictures with the highest scores. */
  async #best(terms: TermQuery, restriction: Restriction, most: number): ReturnType<Pictures['voters']> {
    const { pictures } = this.#place;
    const searched = terms.variants.some((variant) => variant.length > 0);
    if (!searched) return { copies: await this.#copies(terms.digest, restriction), others: [] };
    const both = await pictures.voters(withVotes(bestQuery(terms, restriction, most + FEW_COPIES)), most);
    if (both.copies.length <= FEW_COPIES) return both;
    const page = { start: 0, count: most };
    const [copies, { others }] = await Promise.all([
      this.#copies(terms.digest, restriction),
      pictures.voters(withVotes(shortlistQuery(terms, restriction, page)), most),
    ]);
    return { copies, others };
  }

  /** The votes of `SHORTLIST` pictures, or of all where they are no more. */
  async #further(
    dna: Uint8Array,
    restriction: Restriction,
    { digest, others, rest }: First,
    matcher: Remote<Matcher>,
  ): Promise<Shortlist['others']> {
    const further = await rest!();
    const all = further.length < REST.count ? await this.#all(digest, restriction, SHORTLIST) : undefined;
    if (all) return inOrder(await this.#counted(dna, all, matcher));
    return inOrder([...others, ...(await this.#counted(dna, once(further, others), matcher))]);
  }

  /** All pictures besides the exact copies; undefined where they are more. */
  async #all(digest: string, restriction: Restriction, most: number): Promise<readonly Voter[] | undefined> {
    const { pictures } = this.#place;
    const query = wholeQuery(digest, restriction, most + 1);
    if ((await pictures.ids(query)).length > most) return undefined;
    return (await pictures.voters(withVotes(query), most + 1)).others;
  }

  /** Without those that have no votes. */
  async #counted(dna: Uint8Array, voters: readonly Voter[], matcher: Remote<Matcher>): Promise<Shortlist['others']> {
    const { application, type } = this.#place;
    const votes = await matcher.votes(application, type, dna, votedOf(voters));
    return voters.map(({ id }, i) => ({ id, votes: votes[i]! })).filter(({ votes }) => votes > 0);
  }

  async #copies(digest: string, restriction: Restriction): Promise<readonly string[]> {
    const all: string[] = [];
    for (;;) {
      const ids = await this.#place.pictures.ids(copiesQuery(digest, restriction, MOST_COPIES, all.at(-1)));
      all.push(...ids);
      if (ids.length < MOST_COPIES) return all;
    }
  }

  /** Of pictures that were deleted a moment ago there is none. */
  async #records(ids: readonly string[]): Promise<readonly Recorded[]> {
    return ids.length === 0 ? [] : this.#place.pictures.records(recordsQuery(ids));
  }

  #time<T>(phase: string, work: () => Promise<T>): Promise<T> {
    return this.#place.metrics.time('searchSeconds', { phase }, work);
  }
}

/** The pictures that are not known: between two requests, additions move pictures back. */
function once(further: readonly Voter[], known: Shortlist['others']): Voter[] {
  const ids = new Set(known.map(({ id }) => id));
  return further.filter(({ id }) => !ids.has(id));
}

function votedOf(voters: readonly Voter[]): VotedReferences {
  return {
    beginnings: Buffer.concat(voters.map(({ beginning }) => beginning)),
    lengths: Uint32Array.from(voters, ({ beginning }) => beginning.length),
    norms: Uint16Array.from(voters, ({ norm }) => norm),
  };
}

/** Most votes first, ties by the bytes of the ids. */
function inOrder(others: Shortlist['others']): Shortlist['others'] {
  const all = others.map((each) => ({ ...each, bytes: Buffer.from(each.id) }));
  return all.sort((a, b) => b.votes - a.votes || Buffer.compare(a.bytes, b.bytes));
}

/** A view would take the whole buffer behind it along to the thread. */
function detached(bytes: Uint8Array): Uint8Array {
  return new Uint8Array(bytes);
}
