import { fail } from '../errors.ts';
import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import type { Leases } from './leases.ts';
import type { Matchers } from './matchers.ts';
import { hits } from './picture-index.test.kit.ts';
import { replyTo } from './replies.test.kit.ts';

interface Stored {
  readonly source: { readonly application: number; readonly id?: string; readonly deleted?: number };
  readonly seq: number;
}

interface Index {
  readonly documents: Map<string, Stored>;
  readonly aliases: Set<string>;
  isBlocked: boolean;
}

/** The query of a search: by application, by what has changed, or by what was deleted. */
interface Query {
  readonly term?: { readonly application: number };
  readonly range?: { readonly _seq_no: { readonly gt: number; readonly lte: number } };
}

/** Indexes of pictures in memory, as far as they are shared, copied and left. */
export class SharedCluster {
  readonly indexes = new Map<string, Index>();
  /** The changes of indexes, aliases and blocks in their order, a new index as NEW. */
  readonly changes: string[] = [];
  /** Happens before a call, or answers it instead. */
  before: (call: Call) => { status?: number; body?: object } | undefined = () => undefined;
  /** Work whose lease is lost. */
  lost: string | undefined;
  readonly taken: string[] = [];
  #seq = -1;

  index(name: string, ...aliases: string[]): Index {
    const made: Index = { documents: new Map(), aliases: new Set(aliases), isBlocked: false };
    this.indexes.set(name, made);
    return made;
  }

  store(index: string, key: string, source: Stored['source']): void {
    this.indexes.get(index)!.documents.set(key, { source, seq: ++this.#seq });
  }

  readonly connection = {
    address: clusterAddress('http://127.0.0.1:1/own'),
    send: async (call: Call): Promise<Reply> => replyTo(call, this.before(call) ?? this.#answer(call)),
  } as unknown as Connection;

  readonly leases = {
    run: async (of: string, work: (checkLease: () => void) => Promise<unknown>) => {
      this.taken.push(of);
      return work(() => {
        if (this.lost === of) throw fail('CLUSTER_OUTCOME_UNKNOWN', 'lost');
      });
    },
    isAbandoned: async () => true,
  } as unknown as Leases;

  readonly matchers = {
    run: (call: (matcher: object) => Promise<unknown>) =>
      call({
        document: async () => ({
          ...{ digest: 'd', norm: 1, terms: Uint32Array.of(1) },
          ...{ beginning: Uint8Array.of(1), rest: Uint8Array.of(2) },
        }),
      }),
  } as unknown as Matchers;

  /** Those of an application where the name is its alias. */
  #named(name: string): [index: string, Index][] {
    if (name.endsWith('*')) return [...this.indexes].filter(([index]) => index.startsWith(name.slice(0, -1)));
    return [...this.indexes].filter(([index, { aliases }]) => index === name || aliases.has(name));
  }

  #answer(call: Call): { status?: number; body?: object } {
    const { method, path, body } = call;
    const [, name = '', how, third] = path.split('?')[0]!.split('/') as [string, string?, string?, string?];
    const shown = path.split('?')[0]!.replaceAll(/own-(\d)-\d{2,}/g, 'NEW');
    if (name === '_cluster' && how === 'health') return { body: { number_of_data_nodes: 1 } };
    if (name === '_cluster') return { body: { metadata: { indices: this.#state(path.split(/[/?]/)[4]!) } } };
    if (name === '_aliases') return this.#moved(body as { actions: Action[] });
    if (how === '_bulk') return { body: { items: this.#bulk(name, String(body)) } };
    if (how === '_search') return { body: this.#found(name, body as Search) };
    if (how === '_refresh') return { body: { _shards: { failed: 0 } } };
    if (how === '_alias') return { body: Object.fromEntries(this.#named(name).map(([index]) => [index, {}])) };
    if (how === '_stats') {
      const copy = { routing: { primary: true }, seq_no: { global_checkpoint: this.#seq, max_seq_no: this.#seq } };
      return { body: { indices: { [this.#named(name)[0]![0]]: { uuid: 'u', shards: { 0: [copy] } } } } };
    }
    this.changes.push(`${method} ${shown}`);
    if (how === '_block' && third === 'write') this.indexes.get(name)!.isBlocked = true;
    else if (how === '_settings') this.indexes.get(name)!.isBlocked = false;
    else if (method === 'DELETE') this.indexes.delete(name);
    else this.index(name, ...Object.keys((body as { aliases: object }).aliases));
    return {};
  }

  #state(name: string): object {
    const all = this.#named(name).map(([index, { aliases, isBlocked }]) => {
      const blocks = isBlocked ? { blocks: { write: 'true' } } : {};
      const settings = { index: { number_of_shards: '1', number_of_replicas: '0', ...blocks } };
      return [index, { settings, aliases: [...aliases], routing_num_shards: 4 }] as const;
    });
    return Object.fromEntries(all);
  }

  #moved({ actions }: { actions: readonly Action[] }): object {
    for (const { add, remove } of actions) {
      for (const alias of add?.aliases ?? (add?.alias === undefined ? [] : [add.alias]))
        this.indexes.get(add!.index)!.aliases.add(alias);
      if (remove) this.indexes.get(remove.index)!.aliases.delete(remove.alias);
    }
    const of = ({ index }: { index: string }) => index.replace(/own-(\d)-\d{2,}/, 'NEW');
    this.changes.push(actions.map(({ add, remove }) => (add ? `add ${of(add)}` : `remove ${of(remove!)}`)).join());
    return {};
  }

  #bulk(name: string, body: string): object[] {
    const [[, { documents, isBlocked }]] = this.#named(name) as [[string, Index]];
    const lines = body
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Line);
    const items: object[] = [];
    for (const [i, line] of lines.entries()) {
      const [how, key] = line.index ? (['index', line.index._id] as const) : (['delete', line.delete?._id] as const);
      if (key === undefined) continue;
      if (isBlocked) items.push({ [how]: { status: 403, error: { reason: 'blocked' } } });
      else {
        if (line.index) documents.set(key, { source: lines[i + 1] as never, seq: documents.size });
        else documents.delete(key);
        items.push({ [how]: { status: 200, _shards: { total: 1, successful: 1, failed: 0 } } });
      }
    }
    return items;
  }

  /** As far as an alias of an application shows them. */
  #found(name: string, { query: { term, range }, seq_no_primary_term }: Search): object {
    const application = term?.application ?? (/^own-\d$/.test(name) ? Number(name.slice(4)) : undefined);
    const all = this.#named(name).flatMap(([, { documents }]) => [...documents]);
    const found = all
      .filter(([, { source }]) => application === undefined || source.application === application)
      .filter(([, { seq }]) => !range || (seq > range._seq_no.gt && seq <= range._seq_no.lte))
      .sort(([, a], [, b]) => a.seq - b.seq)
      .slice(0, 100);
    return hits(
      found.map(([_id, { source, seq: _seq_no }]) => ({
        ...{ _id, _source: source, ...(seq_no_primary_term && { _seq_no, _primary_term: 1 }) },
        fields: { dna: ['AQID'] },
      })),
    );
  }
}

interface Search {
  readonly query: Query;
  readonly seq_no_primary_term?: boolean;
}

interface Line {
  readonly index?: { readonly _id: string };
  readonly delete?: { readonly _id: string };
}

interface Action {
  readonly add?: { readonly index: string; readonly alias?: string; readonly aliases?: readonly string[] };
  readonly remove?: { readonly index: string; readonly alias: string };
}
