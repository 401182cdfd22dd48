import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Directory, packed } from './directory.ts';
import { Documents } from './documents.test.kit.ts';

const reserve = (number: number) => (content: Directory['content']) => ({ ...content, highest: number });

test('a change beside a faster one is made again on the newer content', async () => {
  const documents = new Documents();
  const directory = await Directory.open(documents.connection);
  await directory.change(reserve(1));
  const [path] = documents.paths;
  documents.before = [() => documents.change(path!, packed({ ...directory.content, highest: 5, change: 'other' }))];
  const { highest } = await directory.change((content) => ({ ...content, highest: content.highest + 1 }));
  assert.deepEqual([highest, documents.writes], [6, 2]);
});

test('a change is refused by what others have written, not by what was read before', async () => {
  const documents = new Documents();
  const directory = await Directory.open(documents.connection);
  await directory.change(reserve(1));
  documents.change(documents.paths[0]!, packed({ ...directory.content, highest: 5, change: 'other' }));
  const refused = directory.change(({ highest }) => {
    throw new Error(`found ${highest}`);
  });
  await assert.rejects(refused, { message: 'found 5' });
  assert.equal(documents.writes, 1);
});

test('a refresh sees changes of others, each as a revision, and none where nothing has changed', async () => {
  const documents = new Documents();
  const directory = await Directory.open(documents.connection);
  const empty = directory.revision;
  await directory.refresh();
  assert.equal(directory.revision, empty);
  await directory.change(reserve(1));
  const one = directory.revision;
  assert.notEqual(one, empty);
  await directory.refresh();
  assert.equal(directory.revision, one);
  documents.change(documents.paths[0]!, packed({ highest: 2 }));
  await directory.refresh();
  assert.notEqual(directory.revision, one);
  assert.deepEqual([directory.content.highest, directory.content.administrators], [2, []]);
  documents.change(documents.paths[0]!, { highest: 3 });
  await assert.rejects(directory.refresh(), { error: 'CLUSTER_FORMAT' });
  documents.remove(documents.paths[0]!);
  await assert.rejects(directory.refresh(), { error: 'CLUSTER_FOREIGN' });
});

test('a change that one copy of three has is written again', async () => {
  const documents = new Documents();
  const directory = await Directory.open(documents.connection);
  documents.copies = [1];
  assert.equal((await directory.change(reserve(1))).highest, 1);
  assert.equal(documents.writes, 2);
});

test('what too few copies have is read again', async () => {
  const documents = new Documents();
  const directory = await Directory.open(documents.connection);
  await directory.change(reserve(1));
  documents.copies = Array.from({ length: 11 }, () => 1);
  await assert.rejects(directory.change(reserve(2)), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
  assert.equal(directory.content.highest, 1);
  await directory.refresh();
  assert.equal(directory.content.highest, 2);
});

test('a block that is not there has nothing to remove', async () => {
  const documents = new Documents();
  const directory = await Directory.open(documents.connection);
  const { send } = documents.connection;
  const methods: string[] = [];
  documents.connection.send = (call) => (methods.push(call.method), send(call));
  await directory.deleteBlock('none');
  assert.deepEqual(methods, ['GET']);
});

test('a block is stored in pieces, each of which needs two copies, and is removed with all of them, the first one last', async (t) => {
  const documents = new Documents();
  const directory = await Directory.open(documents.connection);
  await directory.putBlock('a/b', [Uint8Array.of(1, 2), Uint8Array.of(3)]);
  assert.deepEqual(await directory.block('a/b', 1), { bytes: Uint8Array.of(3), pieces: 2 });
  assert.equal(await directory.block('a/b', 2), undefined);
  assert.equal(documents.paths.length, 2);
  const paths = documents.paths.toReversed();
  const { mock } = t.mock.method(documents.connection, 'send');
  await directory.deleteBlock('a/b');
  await directory.deleteBlock('a/b');
  const deletions = mock.calls.map(({ arguments: [call] }) => call).filter(({ method }) => method === 'DELETE');
  assert.deepEqual(
    deletions.map(({ path }) => path.split('/').at(-1)),
    paths.map((path) => path.split('/').at(-1)),
  );
  assert.deepEqual(documents.paths, []);
  documents.copies = [1];
  await assert.rejects(directory.putBlock('a', [Uint8Array.of(1)]), { error: 'CLUSTER_OUTCOME_UNKNOWN' });
});
