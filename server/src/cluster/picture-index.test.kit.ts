import { fail } from '../errors.ts';
import { Metrics } from '../metrics/metrics.ts';
import { clusterAddress } from './address.ts';
import { CausedPictures } from './caused-pictures.ts';
import { ClusteredReferences } from './clustered-references.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { Counts } from './counts.ts';
import type { Matchers } from './matchers.ts';
import { keyOf } from './pictures.ts';
import { replyTo } from './replies.test.kit.ts';
import type { ResidentPictures } from './resident-pictures.ts';

interface Stored {
  readonly source: Record<string, unknown>;
  readonly version: number;
}
/** Those by which tests search. */
interface Query {
  readonly ids?: { readonly values: readonly string[] };
  readonly term?: { readonly keywords: string };
}
export type Answer = { status?: number; body?: object; repeated?: boolean };

/** An index of pictures in memory, and the pictures of applications in it. Searches are answered by the tests. */
export class PictureIndex {
  calls: Call[] = [];
  isMoved = false;
  /** Of three, that have the next changes; all of them afterwards. */
  copies: number[] = [];
  /** Answers one call instead, or happens before it. */
  before: ((call: Call) => unknown)[] = [];
  readonly #documents = new Map<string, Stored>();
  #version = 0;

  /** Of the application 7. */
  of(type: 'media-matching' | 'filter', resident?: ResidentPictures): ClusteredReferences {
    const parts = {
      connection: this.#connection,
      isMoved: () => this.isMoved,
      ...others,
      resident,
      counts: new Counts(this.#connection),
    };
    return new ClusteredReferences({ number: 7, type } as never, parts);
  }

  /** Of the same application. */
  get caused(): CausedPictures {
    return new CausedPictures({ number: 7, type: 'media-matching' } as never, this.#connection, others.matchers);
  }

  store(id: string, source: object): void {
    this.#set(keyOf(7, id), source);
  }

  sourceOf(id: string): Stored['source'] {
    return this.#documents.get(keyOf(7, id))!.source;
  }

  readonly #connection = {
    address: clusterAddress('http://127.0.0.1:1/own'),
    send: async (call: Call): Promise<Reply> => {
      this.calls.push(call);
      const instead = this.before.shift()?.(call) as Answer | undefined;
      return replyTo(call, instead ?? this.answer(call));
    },
  } as unknown as Connection;

  /** Changes a document by a condition, or reads it. */
  answer({ method, path, body }: Call): Answer {
    const [name, query = ''] = path.split('?') as [string, string?];
    const [, , how, key = ''] = name.split('/');
    const found = this.#documents.get(key);
    if (method === 'PUT') {
      const expected = new URLSearchParams(query).get('if_seq_no');
      if (how === '_create' ? found : expected !== null && expected !== String(found?.version))
        return { status: 409, body: {} };
      this.#set(key, body as object);
      return { status: 201, body: { _shards: { total: 3, successful: this.copies.shift() ?? 3, failed: 0 } } };
    }
    if (how === '_mget') return { body: { docs: (body as { ids: string[] }).ids.map((id) => this.#read(id)) } };
    if (how === '_search') return { body: hits(this.#found((body as { query: Query }).query)) };
    if (how !== '_doc') return { body: hits([]) };
    return found
      ? { body: { _source: found.source, _seq_no: found.version, _primary_term: 1 } }
      : { status: 404, body: {} };
  }

  #read(_id: string): object {
    const { source } = this.#documents.get(_id) ?? {};
    const { dna, thumbnail } = source ?? {};
    const fields = {
      ...(dna !== undefined && { dna: [dna] }),
      ...(thumbnail !== undefined && { thumbnail: [thumbnail] }),
    };
    return { _id, found: source !== undefined, _source: source, ...(dna !== undefined && { fields }) };
  }

  #found({ ids, term }: Query): object[] {
    const keys = [...this.#documents.keys()].filter((key) => {
      const { keywords = [] } = this.#documents.get(key)!.source as { keywords?: readonly string[] };
      return ids ? ids.values.includes(key) : term !== undefined && keywords.includes(term.keywords);
    });
    return keys.map((key) => ({ ...this.#read(key), _seq_no: this.#documents.get(key)!.version, _primary_term: 1 }));
  }

  #set(key: string, source: object): void {
    this.#documents.set(key, { source: source as Stored['source'], version: ++this.#version });
  }
}

const matcher = {
  document: async () => ({
    digest: 'd',
    norm: 1,
    terms: Uint32Array.of(1),
    beginning: Uint8Array.of(1),
    rest: Uint8Array.of(2),
  }),
};
const others = {
  matchers: { run: (call: (each: typeof matcher) => Promise<unknown>) => call(matcher) } as unknown as Matchers,
  metrics: new Metrics(),
};

/** The answer to a search. */
export function hits(found: readonly object[], total = found.length): object {
  return {
    timed_out: false,
    _shards: { total: 1, successful: 1, failed: 0 },
    hits: { total: { value: total }, hits: found },
  };
}

export function refused(): never {
  throw fail('CLUSTER_UNREACHABLE', 'no node');
}
