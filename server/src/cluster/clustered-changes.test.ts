import assert from 'node:assert/strict';
import { beforeEach, test } from 'node:test';
import type { NewImage } from '../store/store.ts';
import type { ClusteredReferences } from './clustered-references.ts';
import type { Call } from './connection.ts';
import { withoutPauses } from './pauses.test.kit.ts';
import { type Answer, hits, PictureIndex, refused } from './picture-index.test.kit.ts';
import { keyOf } from './pictures.ts';

const pauses = withoutPauses();
let cluster: PictureIndex;
let references: ClusteredReferences;
beforeEach(() => {
  cluster = new PictureIndex();
  references = cluster.of('media-matching');
  pauses.length = 0;
});

const picture = (id: string): NewImage => ({ id, keywords: ['k'], dna: Uint8Array.of(1, 2, 3) });
/** How the documents were changed. */
const puts = () =>
  cluster.calls.filter(({ method }) => method === 'PUT').map(({ path }) => path.split('?')[0]!.split('/')[2]);
const pass = (): void => {};
const unknownOutcome = { error: 'CLUSTER_OUTCOME_UNKNOWN' };
/** A change that was made, and whose answer was lost. */
const madeWithoutAnswer = (call: Call): Answer => (cluster.answer(call), { status: 409, body: {}, repeated: true });

test('a picture is added under its alias where nothing is, and the answer waits until searches see it', async () => {
  const begin = performance.now();
  await references.add(picture('a'));
  const [{ path, changes, until }] = cluster.calls as [Call];
  assert.equal(path, `/own-7/_create/${keyOf(7, 'a')}?refresh=true&require_alias=true`);
  assert.equal(changes, true);
  assert.ok(until! >= begin + 12_000 && until! <= performance.now() + 12_000);
  assert.equal(cluster.calls.length, 1);
  const { id, keywords, dna } = cluster.sourceOf('a');
  assert.deepEqual([id, keywords, dna], ['a', ['k'], 'AQID']);
  await assert.rejects(references.add(picture('a')), { error: 'IMAGE_EXISTS', message: /a/ });
  assert.deepEqual(pauses, []);
});

test('a moved application takes no changes', async () => {
  await references.add(picture('a'));
  cluster.isMoved = true;
  await assert.rejects(references.add(picture('b')), { error: 'APPLICATION_MOVED' });
  await assert.rejects(references.delete('a'), { error: 'APPLICATION_MOVED' });
  assert.deepEqual(puts(), ['_create']);
});

test('a picture takes the place of the mark of a deleted one, unless that has changed since', async () => {
  cluster.store('a', { change: 'x', deleted: 5 });
  cluster.before = [pass, pass, () => cluster.store('a', { change: 'y', deleted: 6 })];
  await references.add(picture('a'));
  assert.deepEqual(puts(), ['_create', '_doc', '_doc']);
  assert.equal(cluster.sourceOf('a')['id'], 'a');
});

test('an addition that an earlier attempt has made is one, and one that may be done is not called another picture', async () => {
  cluster.before = [madeWithoutAnswer];
  await references.add(picture('a'));
  assert.deepEqual(puts(), ['_create', '_doc']);
  cluster.store('b', { change: 'of another', id: 'b' });
  cluster.before = [() => ({ status: 409, body: {}, repeated: true })];
  await assert.rejects(references.add(picture('b')), unknownOutcome);
  cluster.before = [() => ({ status: 409, body: {} }), refused];
  await assert.rejects(references.add(picture('c')), unknownOutcome);
});

test('a change is written again until two copies have it, ten times at most', async () => {
  cluster.copies = [1, 1, 2];
  await references.add(picture('a'));
  assert.deepEqual(puts(), ['_create', '_doc', '_doc']);
  assert.deepEqual(pauses, [500]);
  cluster.copies = Array.from({ length: 20 }, () => 1);
  cluster.calls = [];
  const message = /expected 2 of 3 copies to have the change, got 1/;
  await assert.rejects(references.add(picture('b')), { ...unknownOutcome, message });
  assert.equal(puts().length, 11);
});

test('where another client changes the picture before enough copies have it, or the cluster ends, the outcome is unknown', async () => {
  cluster.copies = [1];
  cluster.before = [pass, () => cluster.store('a', { change: 'of another', id: 'a' })];
  await assert.rejects(references.add(picture('a')), { ...unknownOutcome, message: /a was changed or lost since/ });
  cluster.copies = [1];
  cluster.before = [pass, pass, refused];
  await assert.rejects(references.add(picture('b')), { ...unknownOutcome, message: /no node/ });
  cluster.copies = [1];
  cluster.before = [pass, refused];
  await assert.rejects(references.add(picture('c')), { ...unknownOutcome, message: /no node/ });
  cluster.copies = [1];
  cluster.before = [pass, pass, () => ({ status: 409, body: {} })];
  await references.add(picture('d'));
  cluster.copies = [1];
  cluster.before = [
    pass,
    pass,
    ...Array.from({ length: 20 }, (_, i) => (i % 2 ? pass : () => ({ status: 409, body: {} }))),
  ];
  await assert.rejects(references.add(picture('e')), { ...unknownOutcome, message: /e$/ });
});

test('keywords are set of what is there alone, and again where another client was faster', async () => {
  await assert.rejects(references.change('a', { keywords: [] }), { error: 'UNKNOWN_IMAGE' });
  cluster.store('a', { change: 'x', deleted: 5 });
  await assert.rejects(references.change('a', { keywords: [] }), { error: 'UNKNOWN_IMAGE' });
  cluster.store('a', { change: 'x', id: 'a', dna: 'AQID', details: { width: 1 } });
  const thumbnail = ({ path }: Call) =>
    path.includes('_search') ? { body: hits([{ fields: { thumbnail: ['CQ=='] } }]) } : undefined;
  const answered = [thumbnail, thumbnail, thumbnail];
  cluster.before = [
    pass,
    ...answered,
    () => cluster.store('a', { ...cluster.sourceOf('a'), change: 'y' }),
    pass,
    pass,
    ...answered,
  ];
  await references.change('a', { keywords: ['new'] });
  const { keywords, dna, details, thumbnail: kept } = cluster.sourceOf('a');
  assert.deepEqual([keywords, dna, details, kept], [['new'], 'AQID', { width: 1 }, 'CQ==']);
  assert.equal(puts().length, 2);

  cluster.before = [pass, ...answered, madeWithoutAnswer];
  await references.change('a', { keywords: ['newer'] });
  assert.deepEqual(cluster.sourceOf('a')['keywords'], ['newer']);
  cluster.before = [pass, ...answered, () => ({ status: 409, body: {}, repeated: true })];
  await assert.rejects(references.change('a', { keywords: ['newest'] }), unknownOutcome);
});

test('a deleted picture leaves a mark with the time, and is not deleted twice', async () => {
  await assert.rejects(references.delete('a'), { error: 'IMAGE_NOT_FOUND' });
  cluster.store('a', { change: 'x', id: 'a' });
  const begin = Date.now();
  cluster.before = [pass, () => cluster.store('a', { change: 'y', id: 'a' })];
  await references.delete('a');
  const { deleted, ...rest } = cluster.sourceOf('a');
  assert.deepEqual(Object.keys(rest), ['application', 'change']);
  assert.equal(rest['application'], 7);
  assert.ok((deleted as number) >= begin && (deleted as number) <= Date.now());
  await assert.rejects(references.delete('a'), { error: 'IMAGE_NOT_FOUND' });
  cluster.store('b', { change: 'x', id: 'b' });
  cluster.before = [pass, madeWithoutAnswer];
  await references.delete('b');
  cluster.store('b', { change: 'x', id: 'b' });
  cluster.before = [pass, () => ({ status: 409, body: {}, repeated: true })];
  await assert.rejects(references.delete('b'), unknownOutcome);
});
