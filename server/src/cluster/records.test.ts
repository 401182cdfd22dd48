import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { RecordChange } from '../store/store.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { ClusterRecords } from './records.ts';
import { RecordIndex } from './records.test.kit.ts';

const pauses = withoutPauses();

/** The index of records, and the records in it. */
class Index extends RecordIndex {
  readonly records = new ClusterRecords(this.connection);
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
    [[change('a', half), change('none', null), change('b', half.slice(1))], 1],
    [[change('none', null), change('a', half), change('b', half.slice(1))], 1],
    [[change('a', half), change('b', half), change('none', null), change('c', half.slice(1))], 2],
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

test('a page of records follows an id, the last one has the highest id, and marks of removed ones are in neither', async () => {
  const index = new Index();
  const { records } = index;
  await records.changeRecords(7, [...['a', 'b', 'c', 'd'].map((id) => change(id, id)), change('d', null)]);
  await records.changeRecords(7, [{ kind: 'link', id: 'z', body: Buffer.from('x') }]);
  await records.changeRecords(8, [change('e', 'x')]);
  const ids = async (after: string, count: number) =>
    (await records.recordsAfter(7, 'verdict', after, count)).map(({ id }) => id);
  assert.deepEqual([await ids('', 9), await ids('a', 1), await ids('c', 1)], [['a', 'b', 'c'], ['b'], []]);
  assert.equal(textOf((await records.lastRecord(7, 'verdict'))!.body), 'c');
  assert.equal(await records.lastRecord(9, 'verdict'), undefined);
  const query = {
    bool: {
      filter: [{ term: { application: 7 } }, { term: { kind: 'verdict' } }],
      must_not: [{ term: { removed: true } }],
    },
  };
  const common = { seq_no_primary_term: true, track_total_hits: false, query };
  assert.deepEqual(
    index.of('_search').slice(1, 4).map(({ body }) => body), // prettier-ignore
    [
      { ...common, size: 1, sort: [{ id: 'asc' }], search_after: ['a'] },
      { ...common, size: 1, sort: [{ id: 'asc' }], search_after: ['c'] },
      { ...common, size: 1, sort: [{ id: 'desc' }] },
    ],
  );
});

test('the contents of some records are read in one request, of none in none', async () => {
  const index = new Index();
  const { records } = index;
  await records.changeRecords(7, [change('a', '1'), change('b', '2'), change('removed', 'x')]);
  await records.changeRecords(7, [change('removed', null)]);
  index.calls = [];
  assert.deepEqual(await records.bodies(7, 'verdict', []), new Map());
  assert.deepEqual(index.calls, []);
  const found = await records.bodies(7, 'verdict', ['b', 'removed', 'none', 'a']);
  assert.deepEqual(
    [...found].map(([id, body]) => [id, textOf(body)]),
    [
      ['b', '2'],
      ['a', '1'],
    ],
  );
  assert.equal(index.calls.length, 1);
});

test('a record that a part of the cluster cannot read is neither given nor changed', async () => {
  const index = new Index();
  const { records } = index;
  await records.changeRecords(7, [change('a', '1')]);
  const [[key, known]] = [...index.documents] as [[string, object]];
  index.documents.set(key, { ...known, error: { reason: 'no shard' } } as never);
  for (const work of [
    () => records.bodies(7, 'verdict', ['a']),
    () => records.update(7, 'verdict', ['a'], () => Buffer.from('x')),
    () => records.changeRecords(7, [change('a', 'x')]),
  ])
    await assert.rejects(work(), { error: 'CLUSTER_INCOMPLETE', message: /no shard/ });
  assert.equal(index.of('_bulk').length, 1);
});

test('a search in which a shard is late or missing gives no records', async () => {
  const index = new Index();
  const { records } = index;
  await records.changeRecords(7, [change('a', '1')]);
  for (const shards of [{ timed_out: true }, { successful: 1 }]) {
    index.searched = { total: 2, successful: 2, failed: 0, timed_out: false, ...shards };
    await assert.rejects(records.records(7, 'verdict'), { error: 'CLUSTER_INCOMPLETE' });
    await assert.rejects(records.lastRecord(7, 'verdict'), { error: 'CLUSTER_INCOMPLETE' });
  }
  const { path } = index.of('_search')[0]!;
  assert.match(path, /\/_search\?allow_partial_search_results=false$/);
});

test('searches of records have their versions, in pages of 500 without a total; a removal reads no contents', async () => {
  const index = new Index();
  await index.records.changeRecords(7, [change('a', 'x')]);
  await index.records.records(7, 'verdict');
  await index.records.changed(7, ['verdict', 'link']);
  await index.records.purge(7);
  const [present, changed, purged] = index.of('_search').map(({ body }) => body);
  const common = { size: 500, seq_no_primary_term: true, track_total_hits: false, search_after: undefined };
  const must_not = [{ term: { removed: true } }];
  assert.deepEqual(present, {
    ...{ ...common, sort: [{ application: 'asc' }, { id: 'asc' }] },
    query: { bool: { filter: [{ term: { application: 7 } }, { term: { kind: 'verdict' } }], must_not } },
  });
  const range = { range: { _seq_no: { gt: -1, lte: 0 } } };
  assert.deepEqual(changed, {
    ...{ ...common, sort: [{ _seq_no: 'asc' }] },
    query: {
      bool: { filter: [{ term: { application: 7 } }, { terms: { kind: ['verdict', 'link'] } }, range], must_not: [] },
    },
  });
  assert.deepEqual(purged, { size: 500, _source: false, query: { bool: { filter: [{ term: { application: 7 } }] } } });
});

test('a record that another process writes between the reading and the writing of a version is a conflict', async () => {
  const index = new Index();
  const { records } = index;
  await records.changeRecords(7, [change('a', 'one')]);
  const { version } = (await records.record(7, 'verdict', 'a'))!;
  const later = (): void => {
    const [known] = [...index.documents.values()];
    index.documents.set(known!._id, { ...known!, _seq_no: known!._seq_no + 100 });
  };
  index.before['_doc'] = () => queueMicrotask(() => (index.before['_doc'] = later)); // before the PUT behind the GET
  await assert.rejects(records.changeRecords(7, [change('a', 'two', version)]), { error: 'CONFLICT' });
  assert.equal(textOf((await records.record(7, 'verdict', 'a'))!.body), 'one');
});
