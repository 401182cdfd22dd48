import { createHash, randomUUID } from 'node:crypto';
import { setTimeout as pause } from 'node:timers/promises';
import { fail } from '../errors.ts';
import type { Changed, RecordChange, SharedRecords, StoredRecord } from '../store/store.ts';
import type { Document, Item } from './body.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { COPIES_PAUSE, COPIES_TRIALS, fewCopies, hasCopies } from './copies.ts';
import { recordsAlias } from './layout.ts';
import { CheckpointReader } from './checkpoint.ts';
import { Leases } from './leases.ts';
import { conditionOf } from './body.ts';
import { base64, bytesIn } from '../parameters/base64.ts';

/** Records that one request reads. */
const PAGE = 500;
/** Bytes of records that one request writes. */
const MOST_BYTES = 4 * 2 ** 20;
/** Sequence numbers are below this, so that one number has sequence number and term. */
const TERM = 2 ** 40;

interface Source {
  readonly application: number;
  readonly kind: string;
  readonly id: string;
  /** Distinguishes the repetition of a change from another one. */
  readonly change: string;
  /** Base64. */
  readonly body?: string;
  readonly removed?: true;
}

/**
 * The records of a cluster, in one index for all applications. Removed records leave marks, by which other processes learn of
 * the removal.
 */
export class ClusterRecords implements SharedRecords {
  readonly shared = true;
  readonly #connection: Connection;
  readonly #leases: Leases;
  readonly #checkpoints = new CheckpointReader((call) => this.#send(call));

  constructor(connection: Connection) {
    this.#connection = connection;
    this.#leases = new Leases(connection);
  }

  async records(application: number, kind: string): Promise<StoredRecord[]> {
    const filter = [{ term: { application } }, { term: { kind } }];
    return (await this.#present(filter)).map(({ record }) => record);
  }

  async ofAll(applications: readonly number[], kind: string): Promise<Map<number, StoredRecord[]>> {
    const found = new Map<number, StoredRecord[]>();
    for (const { application, record } of await this.#present([{ term: { kind } }])) {
      if (!applications.includes(application)) continue;
      found.set(application, [...(found.get(application) ?? []), record]);
    }
    return found;
  }

  async record(application: number, kind: string, id: string): Promise<StoredRecord | undefined> {
    const known = await this.#document(application, kind, id);
    return known && !sourceOf(known).removed ? recordOf(known) : undefined;
  }

  async recordsAfter(application: number, kind: string, after: string, count: number): Promise<StoredRecord[]> {
    return this.#page(application, kind, { size: count, sort: [{ id: 'asc' }], search_after: [after] });
  }

  async lastRecord(application: number, kind: string): Promise<StoredRecord | undefined> {
    return (await this.#page(application, kind, { size: 1, sort: [{ id: 'desc' }] }))[0];
  }

  async position(): Promise<number> {
    return (await this.#checkpoints.read()).shards['0']!;
  }

  /** Those of the ids that are there, in their latest state. */
  async bodies(application: number, kind: string, ids: readonly string[]): Promise<Map<string, Uint8Array>> {
    if (ids.length === 0) return new Map();
    const keys = ids.map((id) => keyOf(application, kind, id));
    const { docs } = (await this.#send({ method: 'POST', path: '_mget', body: { ids: keys } })).body;
    const failed = docs.find(({ error }) => error);
    if (failed) throw fail('CLUSTER_INCOMPLETE', failed.error!.reason);
    const present = docs.filter((document) => document.found && !sourceOf(document).removed);
    return new Map(present.map((document) => [sourceOf(document).id, recordOf(document).body]));
  }

  /** @param checkLease  fails where another process does this work now; by default, where it works on the application */
  async changeRecords(
    application: number,
    changes: readonly RecordChange[],
    checkLease = () => this.#leases.check(application),
  ): Promise<void> {
    checkLease();
    for (const part of partsOf(changes)) {
      if (part[0]!.expected === undefined) await this.#writeAll(application, part, checkLease);
      else await this.#writeExpected(application, part[0]!);
    }
    await this.#show();
  }

  async changed(application: number, kinds: readonly string[], since = -1): Promise<Changed> {
    const at = await this.position();
    if (at === since) return { changes: [], at };
    const range = { range: { _seq_no: { gt: since, lte: at } } };
    const found = await this.#all([{ term: { application } }, { terms: { kind: kinds } }, range], [{ _seq_no: 'asc' }]);
    const changes = found.map((document) => {
      const { kind, id, removed } = sourceOf(document);
      return { kind, id, body: removed ? null : recordOf(document).body };
    });
    return { changes, at };
  }

  async update(
    application: number,
    kind: string,
    ids: readonly string[],
    change: (id: string, body: Uint8Array | undefined) => Uint8Array | undefined,
  ): Promise<void> {
    const own = randomUUID();
    for (let left = ids; left.length > 0;) {
      const keys = left.map((id) => keyOf(application, kind, id));
      const { docs } = (await this.#send({ method: 'POST', path: '_mget', body: { ids: keys } })).body;
      const written: string[] = [];
      const lines: string[] = [];
      for (const [i, id] of left.entries()) {
        const known = docs[i]!.found ? docs[i]! : undefined;
        if (docs[i]!.error) throw fail('CLUSTER_INCOMPLETE', docs[i]!.error.reason);
        if (known && sourceOf(known).change === own) continue; // by an attempt without an answer
        const body = change(id, known && !sourceOf(known).removed ? recordOf(known).body : undefined);
        if (!body) continue;
        const { _seq_no: if_seq_no, _primary_term: if_primary_term } = known ?? {};
        const action = known ? { index: { _id: keys[i], if_seq_no, if_primary_term } } : { create: { _id: keys[i] } };
        lines.push(linesOf(action, sourceFor(application, { kind, id, body }, own)));
        written.push(id);
      }
      const items = await this.#bulk(lines);
      const few = items.find(({ status, _shards }) => status < 300 && !hasCopies(_shards));
      if (few) throw fewCopies(few._shards);
      left = written.filter((_, i) => items[i]!.status === 409);
    }
    await this.#show();
  }

  exclusively<T>(of: number | string, work: (checkLease: () => void) => Promise<T>, wait?: number): Promise<T> {
    return this.#leases.run(of, work, wait);
  }

  /** Removes all records of a deleted application. */
  async purge(application: number): Promise<void> {
    await this.#leases.forget(application);
    await this.#show();
    for (;;) {
      const query = { bool: { filter: [{ term: { application } }] } };
      const found = await this.#search({ size: PAGE, _source: false, query });
      if (found.length === 0) return;
      await this.#bulk(found.map(({ _id }) => linesOf({ delete: { _id } })));
      await this.#show();
    }
  }

  /** By application and id. */
  async #present(filter: readonly object[]): Promise<{ application: number; record: StoredRecord }[]> {
    const found = await this.#all(filter, [{ application: 'asc' }, { id: 'asc' }], [{ term: { removed: true } }]);
    return found.map((document) => ({ application: sourceOf(document).application, record: recordOf(document) }));
  }

  async #page(application: number, kind: string, page: object): Promise<StoredRecord[]> {
    const bool = { filter: [{ term: { application } }, { term: { kind } }], must_not: [{ term: { removed: true } }] };
    const body = { seq_no_primary_term: true, track_total_hits: false, query: { bool }, ...page };
    return (await this.#search(body)).map(recordOf);
  }

  async #all(filter: readonly object[], sort: readonly object[], must_not: readonly object[] = []) {
    const found: Document[] = [];
    for (;;) {
      const body = { size: PAGE, seq_no_primary_term: true, sort, query: { bool: { filter, must_not } } };
      const page = await this.#search({ ...body, track_total_hits: false, search_after: found.at(-1)?.sort });
      found.push(...page);
      if (page.length < PAGE) return found;
    }
  }

  /** A search in which a shard fails is no answer. */
  async #search(body: object): Promise<readonly Document[]> {
    const path = '_search?allow_partial_search_results=false';
    const { _shards, timed_out, hits } = (await this.#send({ method: 'POST', path, body })).body;
    if (timed_out || _shards.successful < _shards.total) throw fail('CLUSTER_INCOMPLETE', 'records');
    return hits.hits;
  }

  /** In its latest state, also a mark. */
  async #document(application: number, kind: string, id: string): Promise<Document | undefined> {
    const path = `_doc/${keyOf(application, kind, id)}`;
    const { status, body } = await this.#send({ method: 'GET', path, expected: [404] });
    if (status === 404) return undefined;
    const { _seq_no, _primary_term, _source } = body;
    return { _id: keyOf(application, kind, id), _seq_no, _primary_term, _source };
  }

  async #writeExpected(application: number, change: RecordChange): Promise<void> {
    const { kind, id, expected } = change;
    const own = randomUUID();
    const conflict = (): Error => fail('CONFLICT', `${kind} ${id}`);
    for (let trial = 0; ; trial++) {
      const known = await this.#document(application, kind, id);
      const isOwn = known !== undefined && sourceOf(known).change === own;
      const version = known && !sourceOf(known).removed ? versionOf(known) : 0;
      if (!isOwn && version !== expected) throw conflict();
      const condition = known ? conditionOf(known) : 'op_type=create';
      const path = `_doc/${keyOf(application, kind, id)}?require_alias=true&${condition}`;
      const body = sourceFor(application, change, own);
      const reply = await this.#send({ method: 'PUT', path, body, changes: true, expected: [409] });
      if (reply.status !== 409 && hasCopies(reply.body._shards)) return;
      if (trial === COPIES_TRIALS) throw reply.status === 409 ? conflict() : fewCopies(reply.body._shards);
      await pause(COPIES_PAUSE);
    }
  }

  /**
   * Writes again where few copies have it, or where a record was changed since it was read. The lease is checked between both, so what
   * another process has written since this one lost the lease is not overwritten.
   */
  async #writeAll(application: number, changes: readonly RecordChange[], checkLease: () => void): Promise<void> {
    const own = randomUUID();
    const byKey = new Map(changes.map((change) => [keyOf(application, change.kind, change.id), change]));
    for (let [trial, left] = [0, [...byKey.keys()]]; ; trial++) {
      const known = await this.#versions(left);
      checkLease();
      const lines = left.map((_id, i) => {
        const action = known[i] ? { index: { _id, ...known[i] } } : { create: { _id } };
        return linesOf(action, sourceFor(application, byKey.get(_id)!, own));
      });
      const items = await this.#bulk(lines);
      left = left.filter((_, i) => items[i]!.status === 409 || !hasCopies(items[i]!._shards));
      if (left.length === 0) return;
      const few = items.find(({ status, _shards }) => status !== 409 && !hasCopies(_shards));
      if (trial === COPIES_TRIALS)
        throw few
          ? fewCopies(few._shards)
          : fail('CLUSTER_OUTCOME_UNKNOWN', 'another process changes the same records');
      if (few) await pause(COPIES_PAUSE);
    }
  }

  /** The conditions that documents have not changed; undefined for those that are not there. */
  async #versions(keys: readonly string[]): Promise<({ if_seq_no: number; if_primary_term: number } | undefined)[]> {
    const { docs } = (await this.#send({ method: 'POST', path: '_mget?_source=false', body: { ids: keys } })).body;
    return docs.map(({ found, error, _seq_no, _primary_term }) => {
      if (error) throw fail('CLUSTER_INCOMPLETE', error.reason);
      return found ? { if_seq_no: _seq_no!, if_primary_term: _primary_term! } : undefined;
    });
  }

  /** @returns the outcomes in order; 409 is one */
  async #bulk(lines: readonly string[]): Promise<Item[]> {
    if (lines.length === 0) return [];
    const path = '_bulk?require_alias=true';
    const { body } = await this.#send({ method: 'POST', path, body: lines.join(''), changes: true });
    const items = body.items.map((item) => Object.values(item)[0]!);
    const failed = items.find(({ status, error }) => error && status !== 409);
    if (failed) throw fail('CLUSTER_OUTCOME_UNKNOWN', `${failed.error!.reason} (HTTP ${failed.status})`);
    return items;
  }

  /** Searches that begin later see all changes made so far. */
  async #show(): Promise<void> {
    const { _shards } = (await this.#send({ method: 'POST', path: '_refresh' })).body;
    if (_shards.failed > 0) throw fail('CLUSTER_INCOMPLETE', 'records');
  }

  #send({ path, ...call }: Call): Promise<Reply> {
    return this.#connection.send({ ...call, path: `/${recordsAlias(this.#connection.address.prefix)}/${path}` });
  }
}

/** Changes without an expected version are written together, others one by one. */
function partsOf(changes: readonly RecordChange[]): RecordChange[][] {
  const parts: RecordChange[][] = [];
  let bytes = 0;
  for (const change of changes) {
    const last = parts.at(-1);
    bytes += change.body?.length ?? 0;
    const alone = change.expected !== undefined || last?.[0]!.expected !== undefined;
    if (last && !alone && bytes < MOST_BYTES) last.push(change);
    else {
      parts.push([change]);
      bytes = change.body?.length ?? 0;
    }
  }
  return parts;
}

function sourceFor(application: number, { kind, id, body }: RecordChange, change: string): Source {
  const content = body ? { body: base64(body) } : ({ removed: true } as const);
  return { application, kind, id, change, ...content };
}

const sourceOf = ({ _source }: Document): Source => _source as Source;

function recordOf(document: Document): StoredRecord {
  const { id, body = '' } = sourceOf(document);
  return { id, version: versionOf(document), body: bytesIn(body) };
}

const versionOf = ({ _seq_no, _primary_term }: Document): number => _primary_term! * TERM + _seq_no!;

function keyOf(application: number, kind: string, id: string): string {
  return createHash('sha256')
    .update(JSON.stringify([application, kind, id]))
    .digest('base64url');
}

const linesOf = (...lines: readonly object[]): string => lines.map((line) => `${JSON.stringify(line)}\n`).join('');
