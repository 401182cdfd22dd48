import { createHash } from 'node:crypto';
import type { StoredReference } from '@sosia/engine';
import { fail } from '../errors.ts';
import type { Details } from '../store/store.ts';
import { type Body, type Document, errorOf } from './body.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { picturesAlias } from './layout.ts';
import { type Checkpoint, CheckpointReader } from './checkpoint.ts';
import { COPY_SCORE, PICTURES } from './search-query.ts';
import { bytesIn } from '../parameters/base64.ts';

/** What the votes of a picture are counted by; see `ReferenceTerms`. */
export interface Voter {
  readonly id: string;
  readonly norm: number;
  readonly beginning: Uint8Array;
}

/** What a picture is compared by. */
export interface Recorded extends Omit<StoredReference, 'image'> {
  readonly id: string;
}

/** Indexes, and applications of an index, that are counted at most. */
const MAX_COUNTED = 10_000;

/** The stored parts of a picture that are read, by name. */
export interface Fields {
  readonly id: string;
  /** As they are stored. */
  readonly keywords: readonly string[];
  readonly details?: Details;
}

/** The `_id` of the document of a picture. */
export function keyOf(application: number, id: string): string {
  return createHash('sha256').update(`${application} ${id}`).digest('base64url');
}

/** The pictures of one application, or of one index: requests to them, and their answers checked. */
export class Pictures {
  readonly #connection: Connection;
  readonly #name: string;
  readonly #checkpoints = new CheckpointReader((call) => this.send(call));

  /** @param name  of an index or an alias */
  constructor(connection: Connection, name: string) {
    this.#connection = connection;
    this.#name = name;
  }

  static of(connection: Connection, application: number): Pictures {
    return new Pictures(connection, picturesAlias(connection.address.prefix, application));
  }

  checkpoint(): Promise<Checkpoint> {
    return this.#checkpoints.read();
  }

  /** A request below the index. Fails with UNKNOWN_APPLICATION where the index was deleted. */
  async send({ path, expected = [], ...call }: Call): Promise<Reply> {
    const reply = await this.#connection.send({
      ...call,
      path: `/${this.#name}/${path}`,
      expected: [...expected, 404],
    });
    if (reply.status !== 404) return reply;
    if (errorOf(reply.body).type === 'index_not_found_exception') throw fail('UNKNOWN_APPLICATION');
    if (expected.includes(404)) return reply;
    throw fail('CLUSTER_UNEXPECTED', `${call.method} ${path.split('?')[0]} (HTTP 404)`);
  }

  /** @param body  with the ids as last values of its sort */
  async ids(body: object): Promise<readonly string[]> {
    return (await this.#answer(body)).hits.hits.map(idOf);
  }

  /**
   * @param body  as for `ids`, by score; the exact copies are first
   * @param most  further pictures are left out, besides copies
   */
  async voters(body: object, most: number): Promise<{ readonly copies: readonly string[]; readonly others: Voter[] }> {
    const { hits } = (await this.#answer(body, { binary: true })).hits;
    const copies = hits.filter(({ sort }) => sort![0] === COPY_SCORE).map(idOf);
    const others = hits.slice(copies.length, copies.length + most).map((hit) => ({
      id: idOf(hit),
      norm: Number(hit.fields!['norm']![0]),
      beginning: binary(hit.fields!['beginning']),
    }));
    return { copies, others };
  }

  async records(body: object): Promise<readonly Recorded[]> {
    return (await this.#answer(body, { binary: true })).hits.hits.map(({ fields }) => ({
      id: fields!['id']![0]!,
      digest: fields!['digest']![0]!,
      record: Buffer.concat([binary(fields!['beginning']), binary(fields!['rest'])]),
    }));
  }

  /** The number of pictures that meet a query. */
  async count(query: object): Promise<number> {
    return (await this.#answer({ size: 0, track_total_hits: true, query })).hits.total!.value;
  }

  /**
   * The number of pictures of each application that has some. While one moves from an index to another, both have them.
   * @param applications  all, unless given
   */
  async counts(applications?: Iterable<number>): Promise<Map<number, number>> {
    const some = applications && [...applications];
    const filter = [PICTURES, ...(some ? [{ terms: { application: some } }] : [])];
    const byApplication = { terms: { field: 'application', size: some?.length ?? MAX_COUNTED } };
    const aggs = { indexes: { terms: { field: '_index', size: MAX_COUNTED }, aggs: { byApplication } } };
    const { aggregations } = await this.#answer({
      size: 0,
      track_total_hits: false,
      query: { bool: { filter } },
      aggs,
    });
    const counts = new Map<number, number>();
    for (const { byApplication: found } of aggregations!.indexes.buckets)
      for (const { key, doc_count: count } of found.buckets)
        counts.set(Number(key), Math.max(count, counts.get(Number(key)) ?? 0));
    return counts;
  }

  /** A page of pictures with their total. */
  async page(body: object): Promise<{ total: number; sources: Fields[] }> {
    const answer = await this.#answer(body);
    return { total: answer.hits.total!.value, sources: answer.hits.hits.map(({ _source }) => _source as Fields) };
  }

  /** Documents with those fields that the query names. @param shard  the only one that is searched */
  async documents(body: object, shard?: string): Promise<readonly Document[]> {
    return (await this.#answer(body, { shard })).hits.hits;
  }

  /** False while the index refuses changes, as it does where a disk is full. */
  async takesChanges(): Promise<boolean> {
    const { body } = await this.send({ method: 'GET', path: '_settings/index.blocks.*?flat_settings=true' });
    const all = Object.values(body as unknown as Record<string, { settings: Record<string, string> }>);
    return all.every(({ settings }) => !Object.values(settings).includes('true'));
  }

  /** For each shard how far its changes are, and the most segments and bytes that a copy of it has. */
  async shards(): Promise<{ checkpoint: number; segments: number; bytes: number }[]> {
    const { body } = await this.send({ method: 'GET', path: '_stats/segments,store?level=shards' });
    const [{ shards = {} }] = Object.values(body.indices) as [Body['indices'][string]];
    return Object.values(shards).map((copies) => ({
      checkpoint: Math.max(...copies.map(({ seq_no }) => seq_no?.global_checkpoint ?? -1)),
      segments: Math.max(...copies.map(({ segments }) => segments?.count ?? 0)),
      bytes: Math.max(...copies.map(({ store }) => store?.size_in_bytes ?? 0)),
    }));
  }

  /** Begins to merge all segments of each copy into one. */
  async merge(): Promise<void> {
    const path = '_forcemerge?max_num_segments=1&wait_for_completion=false';
    await this.send({ method: 'POST', path, changes: true });
  }

  /** Pictures by the keys of their documents; those that are not there are missing. */
  async fields(keys: readonly string[], ...further: readonly string[]): Promise<Map<string, Fields>> {
    const found = await this.#read(keys, `_source=${['id', 'keywords', ...further].join()}`);
    const present = found.filter(({ _source }) => (_source as Partial<Fields>).id !== undefined);
    return new Map(present.map(({ _id, _source }) => [_id, _source as Fields]));
  }

  /** The DNA of pictures by the keys of their documents; those that are not there are missing. */
  async dna(keys: readonly string[]): Promise<Map<string, Uint8Array>> {
    const found = await this.#read(keys, '_source=false&stored_fields=dna');
    return new Map(found.flatMap(({ _id, fields }) => (fields ? [[_id, bytesIn(fields['dna']![0]!)] as const] : [])));
  }

  /** A search in which a shard fails is no answer. The node that has the request reads its own copies, and waits for no other one. */
  async #answer(
    body: object,
    { shard, binary = false }: { shard?: string | undefined; binary?: boolean } = {},
  ): Promise<Body> {
    const preference = shard === undefined ? '_local' : `_shards:${shard}|_local`;
    const path = `_search?allow_partial_search_results=false&preference=${preference}`;
    const answer = (await this.send({ method: 'POST', path, body, binary })).body;
    const { total, successful, failed } = answer._shards;
    if (answer.timed_out || failed > 0 || successful < total)
      throw fail('CLUSTER_INCOMPLETE', `${successful} of ${total} shards have answered`);
    return answer;
  }

  async #read(keys: readonly string[], what: string): Promise<Document[]> {
    if (keys.length === 0) return [];
    const { body } = await this.send({
      method: 'POST',
      path: `_mget?realtime=false&preference=_local&${what}`,
      body: { ids: keys },
    });
    return body.docs.filter((doc) => {
      if (doc.error?.type === 'index_not_found_exception') throw fail('UNKNOWN_APPLICATION');
      if (doc.error) throw fail('CLUSTER_INCOMPLETE', doc.error.reason);
      return doc.found === true;
    });
  }
}

function idOf({ sort }: Document): string {
  return String(sort!.at(-1));
}

/** Of an answer in CBOR. */
function binary(values: readonly string[] | undefined): Uint8Array {
  return (values as readonly unknown[] | undefined)![0] as Uint8Array;
}
