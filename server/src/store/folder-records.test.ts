import assert from 'node:assert/strict';
import { test } from 'node:test';
import { folderRecords } from './folder-records.ts';
import type { RecordChange, RecordStore, SharedRecords, StoredRecord } from './store.ts';

const record = (id: string): StoredRecord => ({ id, version: 1, body: Buffer.from(id) });

/** Records of application 1, one of each kind, and what is changed. */
function opened(): { records: SharedRecords; changes: RecordChange[][] } {
  const changes: RecordChange[][] = [];
  const store: Pick<RecordStore, 'records' | 'record' | 'changeRecords'> = {
    records: async (application, kind) => (application === 1 ? [record(`${kind} a`)] : []),
    record: async (application, kind, id) => (application === 1 && id === `${kind} a` ? record(id) : undefined),
    changeRecords: async (_, changed) => void changes.push([...changed]),
  };
  return { records: folderRecords(store as Parameters<typeof folderRecords>[0]), changes };
}

test('the first look has all records of the kinds, and a later one nothing, since no other process changes them', async () => {
  const { records } = opened();
  const { changes, at } = await records.changed(1, ['group', 'verdict']);
  assert.deepEqual(
    changes.map(({ kind, id, body }) => [kind, id, String(body)]),
    [
      ['group', 'group a', 'group a'],
      ['verdict', 'verdict a', 'verdict a'],
    ],
  );
  assert.deepEqual(await records.changed(1, ['group'], at), { changes: [], at });
  assert.equal(records.shared, false);
});

test('applications without records are left out', async () => {
  const { records } = opened();
  assert.deepEqual(await records.ofAll([1, 2], 'group'), new Map([[1, [record('group a')]]]));
});

test('an update sees what is there, and writes what it returns alone', async () => {
  const { records, changes } = opened();
  const seen: (string | undefined)[] = [];
  const body = Buffer.from('new');
  await records.update(1, 'group', ['group a', 'group b'], (id, old) => {
    seen.push(old && String(old));
    return id === 'group b' ? body : undefined;
  });
  assert.deepEqual(seen, ['group a', undefined]);
  assert.deepEqual(changes, [[{ kind: 'group', id: 'group b', body }]]);
  await records.update(1, 'group', ['group a'], () => undefined);
  assert.equal(changes.length, 1);
});
