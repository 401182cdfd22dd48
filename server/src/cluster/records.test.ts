import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordChange } from '../store/store.ts';
import { clusterAddress } from './address.ts';
import type { Call, Connection, Reply } from './connection.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { ClusterRecords } from './records.ts';
import { replyTo } from './replies.test.kit.ts';

const pauses = withoutPauses();

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

type Condition = {
  term?: Record<string, unknown>;
  terms?: { kind: string[] };
  range?: { _seq_no: { gt: number; lte: number } };
};

/** The index of records in memory. */
class Index {
  readonly documents = new Map<string, Stored>();
  calls: Call[] = [];
  /** Copies that have the next changes, of three; all of them afterwards. */
  copies: number[] = [];
  /** Happens before the next request of this kind. */
  before: Record<string, (() => void) | undefined> = {};
  failed = 0;
  /** Answers the next change instead. */
  instead: { readonly status: number; readonly error: object } | undefined;
  #last = -1;

  readonly records = new ClusterRecords({
    address: clusterAddress('http://127.0.0.1:1'),
    send: async (call: Call): Promise<Reply> => {
      this.calls.push(call);
      const kind = call.path.split('/')[2]!.split('?')[0]!;
      this.before[kind]?.();
      this.before[kind] = undefined;
      return replyTo(call, this.#answer(kind, call));
    },
  } as unknown as Connection);

  of(kind: string): Call[] {
    return this.calls.filter(({ path }) => path.split('/')[2]!.startsWith(kind));
  }

  #answer(kind: string, { method, path, body }: Call): { status?: number; body: object } {
    const id = path.split('?')[0]!.split('/').at(-1)!;
    if (kind === '_refresh') return { body: { _shards: { failed: this.failed } } };
    if (kind === '_stats') return { body: { indices: { r: { uuid: 'u', shards: { 0: [this.#leading()] } } } } };
    if (kind === '_mget') return { body: { docs: (body as { ids: string[] }).ids.map((each) => this.#found(each)) } };
    if (kind === '_search')
      return { body: { _shards: { total: 1, successful: 1, failed: 0 }, hits: { hits: this.#search(body as never) } } };
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

  #put(_id: string, _source: Stored['_source'], expected: number | undefined): { status: number; _shards?: object } {
    const instead = this.instead;
    this.instead = undefined;
    if (instead) return instead;
    if (this.documents.get(_id)?._seq_no !== expected) return { status: 409 };
    this.documents.set(_id, { _id, _source, _seq_no: ++this.#last });
    return { status: 201, _shards: { total: 3, successful: this.copies.shift() ?? 3, failed: 0 } };
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
    const keyOf = (each: Stored): (string | number)[] =>
      JSON.stringify(sort).includes('_seq_no') ? [each._seq_no] : [each._source.application, each._source.id];
    const after = (a: unknown[], b: unknown[]): number => {
      const i = a.findIndex((value, at) => value !== b[at]);
      return i < 0 ? 0 : (a[i] as string) < (b[i] as string) ? -1 : 1;
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

const change = (id: string, text: string | null, expected?: number): RecordChange => ({
  ...{ kind: 'verdict', id, body: text === null ? null : Buffer.from(text) },
  ...(expected !== undefined && { expected }),
});
const textOf = (body: Uint8Array | null | undefined): string | null | undefined => body && Buffer.from(body).toString();

test('records are listed by their ids, in pages of 500, without those of others and removed ones', async () => {
  for (const [count, pages] of [
    [499, 1],
    [500, 2],
    [501, 2],
  ] as const) {
    const index = new Index();
    const ids = Array.from({ length: count }, (_, i) => `r${String(i).padStart(4, '0')}`);
    await index.records.changeRecords(
      7,
      ids.map((id) => change(id, id)),
    );
    await index.records.changeRecords(8, [change('other', 'x')]);
    await index.records.changeRecords(7, [{ kind: 'link', id: 'l', body: Buffer.from('y') }, change('removed', null)]);
    const found = await index.records.records(7, 'verdict');
    assert.deepEqual(
      found.map(({ id }) => id),
      ids,
    );
    assert.equal(textOf(found[0]!.body), 'r0000');
    assert.equal(index.of('_search').length, pages, String(count));
  }
});

test('records of several applications are given by application, those of others are left out', async () => {
  const index = new Index();
  for (const application of [7, 8, 9])
    await index.records.changeRecords(application, [change('a', String(application)), change('b', 'b')]);
  const found = await index.records.ofAll([7, 9, 10], 'verdict');
  assert.deepEqual(
    [...found].map(([application, records]) => [application, records.map(({ id }) => id)]),
    [
      [7, ['a', 'b']],
      [9, ['a', 'b']],
    ],
  );
});

test('a record changes only in the version that is expected; 0 is none', async () => {
  const { records } = new Index();
  await records.changeRecords(7, [change('a', 'one', 0)]);
  const { version } = (await records.record(7, 'verdict', 'a'))!;
  await assert.rejects(records.changeRecords(7, [change('a', 'two', 0)]), { error: 'CONFLICT' });
  await assert.rejects(records.changeRecords(7, [change('a', 'two', version + 1)]), { error: 'CONFLICT' });
  await records.changeRecords(7, [change('a', 'two', version)]);
  assert.equal(textOf((await records.record(7, 'verdict', 'a'))!.body), 'two');
  await records.changeRecords(7, [change('a', null, (await records.record(7, 'verdict', 'a'))!.version)]);
  assert.equal(await records.record(7, 'verdict', 'a'), undefined);
  await records.changeRecords(7, [change('a', 'again', 0)]);
});

test('4 MB of records are written in one request, more in several, those with an expected version one by one', async () => {
  const half = 'x'.repeat(2 * 2 ** 20);
  for (const [changes, bulks] of [
    [[change('a', half), change('b', half.slice(1))], 1],
    [[change('a', half), change('b', half)], 2],
    [[change('a', half), change('b', half), change('c', half.slice(1))], 2],
    [[change('a', 'x'), change('b', 'x', 0), change('c', 'x'), change('d', null)], 2],
  ] as const) {
    const index = new Index();
    await index.records.changeRecords(7, changes);
    assert.equal(index.of('_bulk').length, bulks);
    assert.equal(index.of('_refresh').length, 1);
  }
});

test('what one copy of three has is written again after half a second, ten times at most', async () => {
  for (const expected of [undefined, 0]) {
    const index = new Index();
    pauses.length = 0;
    index.copies = [1, 1];
    await index.records.changeRecords(7, [change('a', 'x', expected)]);
    assert.deepEqual(pauses, [500, 500]);
    index.copies = Array(20).fill(1);
    pauses.length = 0;
    const again = expected === undefined ? undefined : (await index.records.record(7, 'verdict', 'a'))!.version;
    await assert.rejects(index.records.changeRecords(7, [change('a', 'y', again)]), {
      error: 'CLUSTER_OUTCOME_UNKNOWN',
    });
    assert.equal(pauses.length, 10);
  }
});

test('a record that changes between reading and writing is read again, ten times at most', async () => {
  const index = new Index();
  const other = (): void => {
    const [known] = [...index.documents.values()];
    index.documents.set(known!._id, { ...known!, _seq_no: known!._seq_no + 100 });
  };
  await index.records.changeRecords(7, [change('a', 'x')]);
  index.before['_bulk'] = other;
  await index.records.changeRecords(7, [change('a', 'y')]);
  assert.equal(textOf((await index.records.record(7, 'verdict', 'a'))!.body), 'y');
  const always = (): void => {
    other();
    index.before['_bulk'] = undefined;
    queueMicrotask(() => (index.before['_bulk'] = always));
  };
  index.before['_bulk'] = always;
  index.calls = [];
  await assert.rejects(index.records.changeRecords(7, [change('a', 'z')]), /another process changes the same records/);
  assert.equal(index.of('_bulk').length, 11);
});

test('an update changes each record by what it was, once, and leaves out those without a change', async () => {
  const index = new Index();
  const { records } = index;
  await records.changeRecords(7, [change('a', '1'), change('removed', 'x'), change('removed', null)]);
  const seen: unknown[] = [];
  index.before['_bulk'] = () => {
    const known = [...index.documents.values()].find(({ _source }) => _source.id === 'a')!;
    index.documents.set(known._id, { ...known, _seq_no: 50 });
  };
  await records.update(7, 'verdict', ['a', 'b', 'removed', 'none'], (id, body) => {
    seen.push([id, textOf(body)]);
    return id === 'none' ? undefined : Buffer.from(`${textOf(body) ?? ''}+`);
  });
  assert.deepEqual(seen, [
    ['a', '1'],
    ['b', undefined],
    ['removed', undefined],
    ['none', undefined],
    ['a', '1'],
  ]);
  const all = await records.records(7, 'verdict');
  assert.deepEqual(
    all.map(({ id, body }) => [id, textOf(body)]),
    [
      ['a', '1+'],
      ['b', '+'],
      ['removed', '+'],
    ],
  );
  index.copies = [1];
  await assert.rejects(
    records.update(7, 'verdict', ['a'], () => Buffer.from('x')),
    { error: 'CLUSTER_OUTCOME_UNKNOWN' },
  );
});

test('changes since a moment are given in their order, removals too; nothing is searched where there are none', async () => {
  const index = new Index();
  const { records } = index;
  await records.changeRecords(7, [change('b', '1'), change('a', '2')]);
  const first = await records.changed(7, ['verdict']);
  assert.deepEqual([first.changes.map(({ id }) => id), first.at], [['b', 'a'], 1]);
  index.calls = [];
  assert.deepEqual(await records.changed(7, ['verdict'], first.at), { changes: [], at: 1 });
  assert.equal(index.of('_search').length, 0);
  await records.changeRecords(7, [change('b', null), { kind: 'link', id: 'l', body: Buffer.from('x') }]);
  await records.changeRecords(8, [change('other', 'x')]);
  const { changes } = await records.changed(7, ['verdict'], first.at);
  assert.deepEqual(changes, [{ kind: 'verdict', id: 'b', body: null }]);
  index.failed = 1;
  await assert.rejects(records.changeRecords(7, [change('a', '3')]), { error: 'CLUSTER_INCOMPLETE' });
});

test('all records of a deleted application go, in pages, and no others', async () => {
  const index = new Index();
  await index.records.changeRecords(
    7,
    Array.from({ length: 501 }, (_, i) => change(`r${i}`, 'x')),
  );
  await index.records.changeRecords(8, [change('a', 'x')]);
  await index.records.purge(7);
  assert.deepEqual(
    [...index.documents.values()].map(({ _source }) => _source.application),
    [8],
  );
});

test('a change that fails is of unknown outcome, and one that met another is made again', async () => {
  const index = new Index();
  const { records } = index;
  const error = { type: 'other', reason: 'no room' };
  for (const make of [
    () => records.changeRecords(7, [change('a', 'x'), change('b', 'x')]),
    () => records.update(7, 'verdict', ['a'], () => Buffer.from('x')),
  ]) {
    index.instead = { status: 500, error };
    await assert.rejects(make(), { error: 'CLUSTER_OUTCOME_UNKNOWN', message: /no room \(HTTP 500\)/ });
    index.instead = { status: 409, error };
    await make();
  }
});
