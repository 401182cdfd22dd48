import { randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import type { Metadata } from '@sosia/contract';
import { typeDefinitions, type ApplicationType, type Explanation, type Prevalent } from '@sosia/engine';
import { matchOf } from '../applications/indexed-search.ts';
import { withTerms } from '../applications/metadata-terms.ts';
import { changed } from '../applications/references.ts';
import type {
  ImageChange,
  Loading,
  Match,
  Matches,
  Page,
  Position,
  References,
  Restriction,
  Search,
  Status,
} from '../applications/references.ts';
import { fail, isFailure } from '../errors.ts';
import type { Metrics } from '../metrics/metrics.ts';
import { movedFailure } from '../store/moved.ts';
import type { ApplicationRecord, Details, NewImage } from '../store/store.ts';
import type { Body } from './body.ts';
import type { Connection, Reply } from './connection.ts';
import type { Counts } from './counts.ts';
import { COPIES_PAUSE, COPIES_TRIALS, fewCopies, hasCopies } from './copies.ts';
import { ClusteredSearch } from './clustered-search.ts';
import { documentOf, STATE_FIELDS, type Stored, storedOf, withCaused } from './document.ts';
import { withUnknownOutcome } from './failures.ts';
import { CHANGE_LIMIT, GatheredChanges } from './gathered-changes.ts';
import type { Matchers } from './matchers.ts';
import { type Fields, keyOf, Pictures } from './pictures.ts';
import type { ResidentPictures } from './resident-pictures.ts';
import type { Checkpoint } from './checkpoint.ts';
import { changedQuery, filtersOf, ORDER_BY_CHANGE, PICTURES } from './search-query.ts';
import type { ErrorName } from '../errors.ts';
import { bytesIn } from '../parameters/base64.ts';

/** Hits of a request at most: `index.max_result_window`. */
const MAX_HITS = 10_000;

/** Pictures whose presence one request reads. */
const READ_AT_ONCE = 1000;

/** Milliseconds in which the cluster says whether a picture is there, before the picture is described. */
const PRESENCE_TIMEOUT_MS = 1000;

interface Parts {
  readonly connection: Connection;
  readonly matchers: Matchers;
  readonly metrics: Metrics;
  /** The pictures in memory, where this process searches them itself. */
  readonly resident?: ResidentPictures | undefined;
  /** Whether another place takes the changes. */
  readonly isMoved?: () => boolean;
  readonly counts: Counts;
  /** Called after each addition. */
  readonly added?: () => void;
}

/**
 * Reference pictures in an index of a cluster, which votes and filters; pictures of the shortlist are compared here. Only
 * the requests in work take memory of this process.
 */
export class ClusteredReferences implements References {
  readonly #application: number;
  readonly #type: ApplicationType;
  readonly #pictures: Pictures;
  readonly #matchers: Matchers;
  readonly #search: ClusteredSearch;
  readonly #resident: ResidentPictures | undefined;
  readonly #changes: GatheredChanges;
  readonly #counts: Counts;
  readonly #added: () => void;
  /** False for a type without references, which has no index. */
  readonly #indexed: boolean;

  constructor(
    { number, type }: ApplicationRecord,
    { connection, matchers, metrics, resident, isMoved = () => false, counts, added = () => {} }: Parts,
  ) {
    this.#application = number;
    this.#type = type;
    this.#pictures = Pictures.of(connection, number);
    this.#matchers = matchers;
    this.#search = new ClusteredSearch({ application: number, type, pictures: this.#pictures, matchers, metrics });
    this.#resident = resident;
    this.#changes = new GatheredChanges(
      (call) => this.#pictures.send(call),
      () => {
        if (isMoved()) throw movedFailure();
      },
    );
    this.#counts = counts;
    this.#added = added;
    this.#indexed = typeDefinitions[type].traits.references;
  }

  /** OpenSearch checks what it reads itself. */
  get damaged(): number {
    return 0;
  }

  get loading(): Loading | undefined {
    return this.#resident?.loading;
  }

  async load(): Promise<void> {
    await this.#resident?.load();
  }

  async drop(): Promise<void> {
    await this.#resident?.drop();
  }

  async add(picture: NewImage): Promise<void> {
    await this.#add(picture);
    this.#added();
  }

  async #add(picture: NewImage): Promise<void> {
    const { id } = picture;
    const change = randomUUID();
    const until = deadline();
    const own = await this.#document(withTerms(picture), change);
    const caused = picture.events ? [{ token: change, events: picture.events.events }] : [];
    let mayBeDone = false;
    let mark: Stored | undefined; // of a deletion, which the picture replaces
    for (;;) {
      const document = withCaused(own, [...(mark?.caused ?? []), ...caused]);
      const version = mark?.version;
      const reply = await this.#changes.put({ key: this.#keyOf(id), document, creates: !mark, version, until });
      mayBeDone ||= reply.repeated;
      if (reply.status !== 409) return this.#untilCopies(id, document, change, reply, until);
      const stored = await this.#storedAfterConflict(id, until);
      if (stored?.change === change) return this.#untilCopies(id, document, change, reply, until);
      if (mayBeDone) throw fail('CLUSTER_OUTCOME_UNKNOWN', id);
      if (stored && !stored.deleted) throw fail('IMAGE_EXISTS', id);
      mark = stored;
    }
  }

  async change(id: string, change: ImageChange): Promise<void> {
    await this.#replace(id, 'UNKNOWN_IMAGE', async (token) => {
      const [{ keywords }, dna, thumbnail, details] = await Promise.all([
        'keywords' in change ? change : this.image(id),
        this.dna(id),
        this.thumbnail(id),
        this.details(id),
      ]);
      return this.#document(changed({ id, keywords, dna, thumbnail, details }, change), token);
    });
  }

  /**
   * A mark takes the place of the picture, so that an addition that a hanging node carries out late finds something there.
   * It is removed by `Upkeep`.
   */
  async delete(id: string): Promise<void> {
    await this.#replace(id, 'IMAGE_NOT_FOUND', async (change) => {
      return { application: this.#application, change, deleted: Date.now() };
    });
  }

  /** Puts another document in the place of a picture, again where another client has changed it meanwhile. */
  async #replace(id: string, missing: ErrorName, made: (change: string) => Promise<object>): Promise<void> {
    const until = deadline();
    const change = randomUUID();
    for (;;) {
      const stored = await this.#stored(id, until);
      if (!stored || stored.deleted) throw fail(missing, id);
      const document = withCaused(await made(change), stored.caused);
      const reply = await this.#put(id, document, stored, until);
      if (reply.status !== 409 || (await this.#storedAfterConflict(id, until))?.change === change)
        return this.#untilCopies(id, document, change, reply, until);
      if (reply.repeated) throw fail('CLUSTER_OUTCOME_UNKNOWN', id);
    }
  }

  /** False also where the cluster does not answer at once: the addition, which needs the time, notices a picture that is there. */
  async has(id: string): Promise<boolean> {
    try {
      return (await this.#get(id, '', performance.now() + PRESENCE_TIMEOUT_MS)) !== undefined;
    } catch (cause) {
      if (isFailure(cause, 'CLUSTER_UNREACHABLE')) return false;
      throw cause;
    }
  }

  async present(ids: Iterable<string>): Promise<ReadonlySet<string>> {
    const all = [...ids];
    const present = new Set<string>();
    while (all.length > 0) {
      const found = await this.#pictures.fields(all.splice(0, READ_AT_ONCE).map((id) => this.#keyOf(id)));
      for (const { id } of found.values()) present.add(id);
    }
    return present;
  }

  async image(id: string): Promise<Match> {
    const found = await this.#get(id, 'keywords');
    if (!found) throw fail('UNKNOWN_IMAGE', id);
    return matchOf(found._source as Fields);
  }

  async dna(id: string): Promise<Uint8Array> {
    const key = this.#keyOf(id);
    const found = (await this.#pictures.dna([key])).get(key);
    if (!found) throw fail('UNKNOWN_IMAGE', id);
    return found;
  }

  async thumbnail(id: string): Promise<Uint8Array | undefined> {
    const body = {
      size: 1,
      _source: false,
      docvalue_fields: ['thumbnail'],
      query: { bool: { filter: [PICTURES, { ids: { values: [this.#keyOf(id)] } }] } },
    };
    const [found] = await this.#pictures.documents(body);
    if (!found) throw fail('UNKNOWN_IMAGE', id);
    const [thumbnail] = found.fields?.['thumbnail'] ?? [];
    return thumbnail === undefined ? undefined : bytesIn(thumbnail);
  }

  async details(id: string): Promise<Details | undefined> {
    const found = await this.#get(id, 'details');
    if (!found) throw fail('UNKNOWN_IMAGE', id);
    return (found._source as { details?: Details }).details;
  }

  async metadata(ids: readonly string[]): Promise<ReadonlyMap<string, Metadata>> {
    const found = await this.#pictures.fields(
      ids.map((id) => this.#keyOf(id)),
      'details.metadata',
    );
    return new Map(
      [...found.values()].flatMap(({ id, details }) => (details?.metadata ? [[id, details.metadata]] : [])),
    );
  }

  async revision(): Promise<string> {
    const { index, shards } = await this.#pictures.checkpoint();
    return JSON.stringify({ index, shards });
  }

  /** Positions are sequence numbers by shard; those of another index are not known, and so before all. */
  async since(position: Position, count: number): Promise<{ position: Position; id: string }[]> {
    const checkpoint = await this.#pictures.checkpoint();
    const { index, shards } = position as Partial<Checkpoint>;
    const behind = { ...(index === checkpoint.index && shards) };
    const found: { position: Position; id: string }[] = [];
    for (const [shard, last] of Object.entries(checkpoint.shards)) {
      const first = behind[shard] ?? -1;
      if (last === first || found.length === count) continue;
      const pictures = await this.#pictures.documents(changedQuery(first, last, count - found.length), shard);
      for (const { _seq_no, _source } of pictures) {
        behind[shard] = _seq_no!;
        found.push({ position: { index: checkpoint.index, shards: { ...behind } }, id: (_source as Fields).id });
      }
    }
    return found;
  }

  async count(): Promise<number> {
    if (!this.#indexed) return 0;
    return this.#counts.of(this.#application, () => this.#pictures.count(PICTURES));
  }

  async status(): Promise<Status> {
    const takesChanges = !this.#indexed || (await this.#pictures.takesChanges());
    return takesChanges ? 'available' : 'read-only';
  }

  /** Of this process: what the cluster has is on its disks. */
  async indexBytes(): Promise<number> {
    return this.#resident ? this.#resident.bytes() : 0;
  }

  list(restriction: Restriction, page: Page, after?: string): Promise<Matches> {
    const behind = after === undefined ? [] : [{ range: { id: { gt: after } } }];
    return this.#listed([...filtersOf(restriction), ...behind], page, [{ id: 'asc' }]);
  }

  /** By the clocks of the nodes that added or changed the pictures. */
  latest(restriction: Restriction, page: Page): Promise<Matches> {
    return this.#listed(filtersOf(restriction), page, ORDER_BY_CHANGE);
  }

  search(search: Search): Promise<Matches> {
    return (this.#resident ?? this.#search).search(search);
  }

  explain(dna: Uint8Array, id: string): Promise<Explanation | undefined> {
    return (this.#resident ?? this.#search).explain(dna, id);
  }

  async palette(restriction: Restriction, colors: readonly number[]): Promise<Prevalent[]> {
    if (!this.#resident) throw fail('NOT_IN_CLUSTERS', `a palette of ${this.#type}`);
    return this.#resident.palette(restriction, colors);
  }

  async #listed(filter: readonly object[], { start, count }: Page, sort: readonly object[]): Promise<Matches> {
    const query = { bool: { filter: [PICTURES, ...filter] } };
    const isFar = start + count > MAX_HITS; // such a page is read in steps
    let skipped = 0;
    let last: readonly unknown[] | undefined;
    while (isFar && skipped < start) {
      const size = Math.min(MAX_HITS, start - skipped);
      const step = { size, track_total_hits: false, _source: false, query, sort, search_after: last };
      const found = await this.#pictures.documents(step);
      if (found.length < size) break;
      last = found.at(-1)!.sort;
      skipped += size;
    }
    const from = last === undefined ? { from: start } : { search_after: last };
    const beyond = isFar && skipped < start;
    const body = {
      size: beyond ? 0 : count,
      ...(!beyond && from),
      track_total_hits: true,
      _source: ['id', 'keywords'],
    };
    const { total, sources } = await this.#pictures.page({ ...body, query, sort });
    return { found: total, images: sources.map((each) => matchOf(each)) };
  }

  /** Writes a document again until enough copies have it, and after an attempt without an answer. One copy has it already. */
  async #untilCopies(id: string, document: object, change: string, reply: Reply, until: number): Promise<void> {
    for (let trial = 0; reply.status === 409 || !hasCopies(reply.body._shards); trial++) {
      if (trial === COPIES_TRIALS)
        throw reply.status === 409 ? fail('CLUSTER_OUTCOME_UNKNOWN', id) : fewCopies(reply.body._shards);
      if (trial > 0) await pause(COPIES_PAUSE);
      const stored = await this.#storedAfterConflict(id, until);
      if (stored?.change !== change) throw fail('CLUSTER_OUTCOME_UNKNOWN', `${id} was changed or lost since`);
      reply = await this.#put(id, document, stored, until).catch((cause: unknown) => {
        throw withUnknownOutcome(cause);
      });
    }
  }

  #keyOf(id: string): string {
    return keyOf(this.#application, id);
  }

  /** In the place of another document. */
  #put(id: string, document: object, { version }: Stored, until: number): Promise<Reply> {
    return this.#changes.put({ key: this.#keyOf(id), document, creates: false, version, until });
  }

  #document(picture: NewImage, change: string): Promise<object> {
    return documentOf(picture, change, {
      application: this.#application,
      type: this.#type,
      matchers: this.#matchers,
    });
  }

  /** The latest state of a document, which searches may not see yet. */
  async #stored(id: string, until: number): Promise<Stored | undefined> {
    const path = `_doc/${this.#keyOf(id)}?_source=${STATE_FIELDS}`;
    const { status, body } = await this.#pictures.send({ method: 'GET', path, expected: [404], until });
    return status === 404 ? undefined : storedOf(body);
  }

  /**
   * As `#stored`, after a change that may have been made: a failure leaves its outcome unknown. So does every conflict, since
   * a node of the cluster repeats a change by itself where the one with the picture is lost, and finds its own.
   */
  async #storedAfterConflict(id: string, until: number): Promise<Stored | undefined> {
    try {
      return await this.#stored(id, until);
    } catch (cause) {
      throw withUnknownOutcome(cause);
    }
  }

  /** @param what  names of fields besides the id */
  async #get(id: string, what = '', until?: number): Promise<Body | undefined> {
    const path = `_doc/${this.#keyOf(id)}?realtime=false&preference=_local&_source=id,${what}&_source_excludes=details.caused`;
    const call = { method: 'GET', path, expected: [404] } as const;
    const { status, body } = await this.#pictures.send(until === undefined ? call : { ...call, until });
    return status === 404 || (body._source as Partial<Fields>).id === undefined ? undefined : body;
  }
}

/** Before the answer timeout of an operation, which does not say that the outcome is unknown. */
const deadline = (): number => performance.now() + CHANGE_LIMIT;
