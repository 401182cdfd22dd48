import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { CausedPictures } from './caused-pictures.ts';
import type { Call } from './connection.ts';
import { CAUSED, type Caused } from './document.ts';
import { hits, PictureIndex } from './picture-index.test.kit.ts';
import { keyOf } from './pictures.ts';

let cluster: PictureIndex;
let pictures: CausedPictures;
beforeEach(() => {
  cluster = new PictureIndex();
  pictures = cluster.caused;
});

const event = (image: string) => ({ image }) as Caused['events'][number];
const caused = (...tokens: string[]): Caused[] => tokens.map((token) => ({ token, events: [event(token)] }));
const picture = (id: string, ...tokens: string[]) => ({
  ...{ id, keywords: ['k', CAUSED], dna: 'AQID', thumbnail: 'CQ==', change: 'x', changed: 5 },
  details: { width: 9, caused: caused(...tokens) },
});
/** What was written in the places of documents, without what is drawn anew. */
const written = () =>
  cluster.calls.flatMap(({ method, body }) => {
    const { change: _, changed: __, ...rest } = (body ?? {}) as Record<string, unknown>;
    return method === 'PUT' ? [JSON.parse(JSON.stringify(rest))] : [];
  });
const searched = { digest: 'd', norm: 1, terms: 'AAAAB', beginning: 'AQ==', rest: 'Ag==' };
const pass = (): void => {};

test('documents in which events wait are found, marks of deleted pictures first, then by the time of the change', async () => {
  cluster.store('a', picture('a', 'one', 'two'));
  cluster.store('b', { ...picture('b'), keywords: ['k'], details: {} });
  cluster.store('c', { change: 'y', deleted: 5, keywords: [CAUSED], details: { caused: caused('three') } });
  assert.deepEqual(await pictures.waiting(9), [
    { key: keyOf(7, 'a'), caused: caused('one', 'two') },
    { key: keyOf(7, 'c'), caused: caused('three') },
  ]);
  assert.deepEqual(cluster.calls[0]!.body, {
    size: 9,
    track_total_hits: false,
    _source: ['details.caused'],
    query: { term: { keywords: CAUSED } },
    sort: [{ changed: { order: 'asc', missing: '_first' } }, { id: 'asc' }],
  });
  cluster.before = [() => ({ body: hits([{ _id: 'x', _source: {} }]) })];
  assert.deepEqual(await pictures.waiting(1), [{ key: 'x', caused: [] }]);
});

test('events that were numbered are taken out of the picture, which is otherwise as before', async () => {
  cluster.store('a', picture('a', 'one', 'two', 'three'));
  await pictures.settle(keyOf(7, 'a'), ['one', 'three']);
  const common = { application: 7, id: 'a', ...searched, dna: 'AQID', thumbnail: 'CQ==' };
  const left = { ...common, keywords: ['k', CAUSED], details: { width: 9, caused: caused('two') } };
  assert.deepEqual(written(), [left]);
  const [read, shown, put, again] = cluster.calls as [Call, Call, Call, Call];
  assert.equal(read.path, `/own-7/_doc/${keyOf(7, 'a')}?_source=change,deleted,details.caused`);
  assert.deepEqual(shown.body, {
    size: 1,
    track_total_hits: false,
    seq_no_primary_term: true,
    stored_fields: ['dna'],
    docvalue_fields: ['thumbnail'],
    _source: ['id', 'keywords', 'details', 'deleted'],
    query: { ids: { values: [keyOf(7, 'a')] } },
  });
  assert.equal(put.path, `/own-7/_doc/${keyOf(7, 'a')}?refresh=true&require_alias=true&if_seq_no=1&if_primary_term=1`);
  assert.equal(put.changes, true);
  assert.equal(again.path, read.path);
  await pictures.settle(keyOf(7, 'a'), ['two']);
  assert.deepEqual(written()[1], { ...common, keywords: ['k'], details: { width: 9 } });
  cluster.calls = [];
  await pictures.settle(keyOf(7, 'a'), ['two']);
  assert.equal(cluster.calls.length, 1, 'they are no longer in it');
});

test('they are taken out of the mark of a deleted picture, which stays one', async () => {
  cluster.store('a', { change: 'y', deleted: 5, keywords: [CAUSED], details: { caused: caused('one', 'two') } });
  await pictures.settle(keyOf(7, 'a'), ['two']);
  await pictures.settle(keyOf(7, 'a'), ['one']);
  assert.deepEqual(written(), [
    { application: 7, deleted: 5, keywords: [CAUSED], details: { caused: caused('one') } },
    { application: 7, deleted: 5 },
  ]);
});

test('a picture without thumbnail and details has none afterwards', async () => {
  const { thumbnail: _, ...plain } = picture('a', 'one');
  cluster.store('a', { ...plain, details: { caused: caused('one') } });
  await pictures.settle(keyOf(7, 'a'), ['one']);
  assert.deepEqual(written(), [{ application: 7, id: 'a', keywords: ['k'], ...searched, dna: 'AQID' }]);
});

test('nothing is written where the picture was removed, or the document has no events', async () => {
  await pictures.settle(keyOf(7, 'a'), ['one']);
  cluster.store('b', { id: 'b', keywords: [], dna: 'AQID' });
  await pictures.settle(keyOf(7, 'b'), ['one']);
  assert.equal(cluster.calls.length, 2);
});

test('a document that searches do not show yet, or that changes meanwhile, is read again', async () => {
  cluster.store('a', picture('a', 'one'));
  const behind = { _id: keyOf(7, 'a'), _source: picture('a', 'one'), _seq_no: 0, _primary_term: 1 };
  cluster.before = [pass, () => ({ body: hits([behind]) }), pass, pass, () => ({ body: hits([]) }), pass];
  cluster.before.push(pass, pass, () => cluster.store('a', picture('a', 'one', 'two')));
  await pictures.settle(keyOf(7, 'a'), ['one']);
  const how = cluster.calls.map(({ method, path }) => `${method} ${path.split('?')[0]!.split('/')[2]}`);
  const refreshed = ['GET _doc', 'POST _search', 'POST _refresh'];
  const put = ['GET _doc', 'POST _search', 'PUT _doc'];
  assert.deepEqual(how, [...refreshed, ...refreshed, ...put, ...put, 'GET _doc']);
  assert.deepEqual((cluster.sourceOf('a')['details'] as { caused: unknown }).caused, caused('two'));
});

test('what one copy of three has is of unknown outcome', async () => {
  cluster.store('a', picture('a', 'one'));
  cluster.copies = [1];
  await assert.rejects(pictures.settle(keyOf(7, 'a'), ['one']), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
});
