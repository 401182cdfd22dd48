import type { ApplicationType, ImageNumber, StoredReference, Verified, VerifyOptions } from '@sosia/engine';
import type { Restriction } from '../applications/references.ts';
import type { Candidates, CandidateSource, ShortlistDepth, Voted } from '../search/candidate-source.ts';
import type { Remote } from '../workers/thread.ts';
import type { Matcher, TermQuery } from './matcher.ts';
import type { Pictures, Voter } from './pictures.ts';
import { bestQuery, copiesQuery, recordsQuery, shortlistQuery, wholeQuery, withVotes } from './search-query.ts';

/** A request for further candidates costs more than the candidates, so fewer are listed at first than in a data folder. */
export const CLUSTER_DEPTH: ShortlistDepth = {
  listed: 300,
  counted: 300,
  manyTerms: Infinity,
  countedAfterNothing: 1000,
};

/** Exact copies that are read with the others, in one request. */
const COPIES_READ_ALONG = 16;

/** Hits of a request at most: `index.max_result_window`. */
const MAX_HITS = 10_000;

/** One search of an application. */
interface ClusterSearch {
  readonly application: number;
  readonly type: ApplicationType;
  readonly dna: Uint8Array;
  readonly restriction: Restriction;
  readonly colorWeight: number;
  /** Candidates that the first request reads, at least. */
  readonly readAtFirst: number;
  /** Whether the application is expected to have few pictures: reading all of them is then the first thing. */
  readonly isSmall: boolean;
}

/**
 * The pictures of an index, for one search: the cluster lists them by terms, and a thread of this process counts votes and compares. A
 * picture gets its number when it is first read or named.
 */
export class ClusterSource implements CandidateSource {
  readonly depth = CLUSTER_DEPTH;
  readonly #search: ClusterSearch;
  readonly #pictures: Pictures;
  readonly #matcher: Remote<Matcher>;
  readonly #ids: string[] = [];
  readonly #numbers = new Map<string, ImageNumber>();
  readonly #voters = new Map<ImageNumber, Voter>();
  #terms: TermQuery | undefined;
  #copies: readonly ImageNumber[] = [];
  /** The pictures with the highest scores that were read, best first. */
  readonly #best: ImageNumber[] = [];
  /** Whether the candidates were all pictures. */
  complete = false;
  /** How many the requests have read. */
  #requested = 0;

  /** @param matcher  one thread for the whole search, since it prepares the query once */
  constructor(search: ClusterSearch, pictures: Pictures, matcher: Remote<Matcher>) {
    this.#search = search;
    this.#pictures = pictures;
    this.#matcher = matcher;
  }

  idOf(image: ImageNumber): string {
    return this.#ids[image]!;
  }

  numberOf(id: string): ImageNumber {
    return this.#numbered([id])[0]!;
  }

  async candidates(count: number): Promise<Candidates> {
    let all = this.#search.isSmall && !this.#terms ? await this.#few(count) : undefined;
    const best = all ?? (await this.byTerms(count));
    if (best.length < count) all ??= await this.#all(count);
    const others = (all ?? best).map((image): Voted => ({ image, votes: 0 }));
    this.complete = all !== undefined;
    return { copies: this.#copies, others, complete: this.complete };
  }

  async byTerms(count: number): Promise<readonly ImageNumber[]> {
    if (!this.#terms) await this.#readFirst(Math.max(count, this.#search.readAtFirst));
    else if (count > this.#requested && this.#best.length >= this.#requested)
      await this.#readFurther(this.#terms, count);
    return this.#best.slice(0, count);
  }

  async votes(candidates: readonly Voted[]): Promise<readonly Voted[]> {
    const { application, type, dna } = this.#search;
    const voters = candidates.map(({ image }) => this.#voters.get(image)!);
    const votes = await this.#matcher.votes(application, type, dna, {
      beginnings: Buffer.concat(voters.map(({ beginning }) => beginning)),
      lengths: Uint32Array.from(voters, ({ beginning }) => beginning.length),
      norms: Uint16Array.from(voters, ({ norm }) => norm),
    });
    return candidates.map(({ image }, i) => ({ image, votes: votes[i]! }));
  }

  async verify(images: readonly ImageNumber[], options: VerifyOptions): Promise<Verified> {
    const { application, type, dna, colorWeight } = this.#search;
    const records = await this.#pictures.records(recordsQuery(images.map((image) => this.idOf(image))));
    const references = records.map((record): StoredReference => ({ ...record, image: this.#numbers.get(record.id)! }));
    return this.#matcher.verify(application, type, dna, references, { colorWeight, ...options });
  }

  compare(a: ImageNumber, b: ImageNumber): number {
    return Buffer.compare(Buffer.from(this.idOf(a)), Buffer.from(this.idOf(b)));
  }

  /** Whether a picture of the page was deleted is read with its keywords. */
  exists(): boolean {
    return true;
  }

  /** The exact copies, and the pictures with the highest scores. */
  async #readFirst(count: number): Promise<void> {
    const { application, type, dna, restriction } = this.#search;
    const terms = await this.#matcher.query(application, type, dna);
    this.#terms = terms;
    this.#requested = count;
    if (!terms.variants.some((variant) => variant.length > 0)) {
      this.#copies = this.#numbered(await this.#copiesOf(terms.digest));
      return;
    }
    const query = withVotes(bestQuery(terms, restriction, count + COPIES_READ_ALONG));
    const both = await this.#pictures.voters(query, count);
    if (both.copies.length <= COPIES_READ_ALONG) {
      this.#copies = this.#numbered(both.copies);
      this.#best.push(...this.#known(both.others));
      return;
    }
    const page = { start: 0, count };
    const [copies, { others }] = await Promise.all([
      this.#copiesOf(terms.digest),
      this.#pictures.voters(withVotes(shortlistQuery(terms, restriction, page)), count),
    ]);
    this.#copies = this.#numbered(copies);
    this.#best.push(...this.#known(others));
  }

  /** Between two requests, additions move pictures back: those that are known already are not listed again. */
  async #readFurther(terms: TermQuery, count: number): Promise<void> {
    const page = { start: this.#requested, count: count - this.#requested };
    const query = withVotes(shortlistQuery(terms, this.#search.restriction, page));
    this.#requested = count;
    const { others } = await this.#pictures.voters(query, page.count);
    const listed = new Set(this.#best);
    this.#best.push(...this.#known(others).filter((image) => !listed.has(image)));
  }

  /** As `#all`, and the exact copies, without a look at the terms. */
  async #few(count: number): Promise<readonly ImageNumber[] | undefined> {
    const { application, type, dna, restriction } = this.#search;
    const terms = await this.#matcher.query(application, type, dna);
    const [copies, { others }] = await Promise.all([
      this.#copiesOf(terms.digest),
      this.#pictures.voters(withVotes(wholeQuery(terms.digest, restriction, count + 1)), Infinity),
    ]);
    if (others.length > count) return undefined;
    this.#terms = terms;
    this.#copies = this.#numbered(copies);
    return this.#known(others);
  }

  /** All pictures besides the exact copies; undefined where they are more than `count`. */
  async #all(count: number): Promise<readonly ImageNumber[] | undefined> {
    const query = wholeQuery(this.#terms!.digest, this.#search.restriction, count + 1);
    if ((await this.#pictures.ids(query)).length > count) return undefined;
    return this.#known((await this.#pictures.voters(withVotes(query), Infinity)).others);
  }

  async #copiesOf(digest: string): Promise<readonly string[]> {
    const all: string[] = [];
    for (;;) {
      const ids = await this.#pictures.ids(copiesQuery(digest, this.#search.restriction, MAX_HITS, all.at(-1)));
      all.push(...ids);
      if (ids.length < MAX_HITS) return all;
    }
  }

  #known(voters: readonly Voter[]): ImageNumber[] {
    return voters.map((voter) => {
      const [image] = this.#numbered([voter.id]);
      this.#voters.set(image!, voter);
      return image!;
    });
  }

  #numbered(ids: readonly string[]): ImageNumber[] {
    return ids.map((id) => {
      const known = this.#numbers.get(id);
      if (known !== undefined) return known;
      const image = this.#ids.push(id) - 1;
      this.#numbers.set(id, image);
      return image;
    });
  }
}
