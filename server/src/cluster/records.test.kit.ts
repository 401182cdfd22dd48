import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { replyTo } from './replies.test.kit.ts';

interface Stored {
  readonly _id: string;
  readonly _source: {
    readonly application: number;
    readonly kind: string;
    readonly id: string;
    readonly removed?: true;
  };
  readonly _seq_no: number;
}

type Put = { readonly status: number; readonly [field: string]: unknown };

type Condition = {
  term?: Record<string, unknown>;
  terms?: { kind: string[] };
  range?: { _seq_no: { gt: number; lte: number } };
};

/** The index of records in memory, and leases beside it. */
export class RecordIndex {
  readonly documents = new Map<string, Stored>();
  calls: Call[] = [];
  /** Copies that have the next changes, of three; all of them afterwards. */
  copies: number[] = [];
  /** Happens before the next request of this kind. */
  before: Record<string, (() => void) | undefined> = {};
  failed = 0;
  /** The shards that a search concerns. */
  searched = { total: 1, successful: 1, failed: 0, timed_out: false };
  /** Answers the next change instead. */
  instead: { readonly status: number; readonly error: object } | undefined;
  #last = -1;

  readonly connection = {
    address: clusterAddress('http://127.0.0.1:1'),
    send: async (call: Call): Promise<Reply> => {
      this.calls.push(call);
      const kind = call.path.split('/')[2]!.split('?')[0]!;
      this.before[kind]?.();
      this.before[kind] = undefined;
      return replyTo(call, this.#answer(kind, call));
    },
  } as unknown as Connection;

  of(kind: string): Call[] {
    return this.calls.filter(({ path }) => path.split('/')[2]!.startsWith(kind));
  }

  #answer(kind: string, { method, path, body }: Call): { status?: number; body: object } {
    const id = path.split('?')[0]!.split('/').at(-1)!;
    if (kind === '_refresh') return { body: { _shards: { failed: this.failed } } };
    if (kind === '_stats') return { body: { indices: { r: { uuid: 'u', shards: { 0: [this.#leading()] } } } } };
    if (kind === '_mget') return { body: { docs: (body as { ids: string[] }).ids.map((each) => this.#found(each)) } };
    if (kind === '_search') {
      const { timed_out, ..._shards } = this.searched;
      return { body: { _shards, timed_out, hits: { hits: this.#search(body as never) } } };
    }
    if (kind === '_bulk') return { body: { items: this.#bulk(body as string) } };
    if (method === 'DELETE') return { status: 404, body: {} };
    if (method === 'GET') return { status: this.documents.has(id) ? 200 : 404, body: this.#found(id) };
    const expected = new URLSearchParams(path.split('?')[1]).get('if_seq_no');
    const { status, ...rest } = this.#put(
      id,
      body as Stored['_source'],
      expected === null ? undefined : Number(expected),
    );
    return { status, body: rest };
  }

  #leading(): object {
    return { routing: { primary: true }, seq_no: { global_checkpoint: this.#last, max_seq_no: this.#last } };
  }

  #found(id: string): object {
    const known = this.documents.get(id);
    return known ? { found: true, ...known, _primary_term: 1 } : { _id: id, found: false };
  }

  #put(_id: string, _source: Stored['_source'], expected: number | undefined): Put {
    const instead = this.instead;
    this.instead = undefined;
    if (instead) return instead;
    if (this.documents.get(_id)?._seq_no !== expected) return { status: 409 };
    this.documents.set(_id, { _id, _source, _seq_no: ++this.#last });
    const _shards = { total: 3, successful: this.copies.shift() ?? 3, failed: 0 };
    return { status: 201, _seq_no: this.#last, _primary_term: 1, _shards };
  }

  #bulk(text: string): object[] {
    const lines = text
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as Record<string, { _id: string; if_seq_no?: number }>);
    const items: object[] = [];
    for (let i = 0; i < lines.length; i++) {
      const [[action, { _id, if_seq_no }]] = Object.entries(lines[i]!) as [
        [string, { _id: string; if_seq_no?: number }],
      ];
      if (action === 'delete') items.push({ delete: { status: this.documents.delete(_id) ? 200 : 404 } });
      else items.push({ [action]: this.#put(_id, lines[++i] as never, if_seq_no) });
    }
    return items;
  }

  #search({
    size,
    query,
    sort = [],
    search_after,
  }: {
    size: number;
    query: { bool: { filter: Condition[]; must_not?: Condition[] } };
    sort?: object[];
    search_after?: unknown[];
  }): object[] {
    const fits = ({ _source, _seq_no }: Stored, { term, terms, range }: Condition): boolean =>
      term
        ? Object.entries(term).every(([name, value]) => (_source as Record<string, unknown>)[name] === value)
        : terms
          ? terms.kind.includes(_source.kind)
          : _seq_no > range!._seq_no.gt && _seq_no <= range!._seq_no.lte;
    const fields = sort.flatMap((each) => Object.keys(each)) as ('_seq_no' | 'application' | 'id')[];
    const keyOf = ({ _seq_no, _source }: Stored): (string | number)[] =>
      fields.map((field) => (field === '_seq_no' ? _seq_no : _source[field]));
    const sign = JSON.stringify(sort).includes('desc') ? -1 : 1;
    const after = (a: unknown[], b: unknown[]): number => {
      const i = a.findIndex((value, at) => value !== b[at]);
      return i < 0 ? 0 : (a[i] as string) < (b[i] as string) ? -sign : sign;
    };
    const { filter, must_not = [] } = query.bool;
    return [...this.documents.values()]
      .filter((each) => filter.every((one) => fits(each, one)) && !must_not.some((one) => fits(each, one)))
      .sort((a, b) => after(keyOf(a), keyOf(b)))
      .filter((each) => !search_after || after(keyOf(each), search_after) > 0)
      .slice(0, size)
      .map((each) => ({ ...each, _primary_term: 1, sort: keyOf(each) }));
  }
}
