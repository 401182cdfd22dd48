import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Application } from '../applications/application.ts';
import { bodyOf } from '../applications/records.ts';
import type { RecordChange } from '../store/store.ts';
import { newState, Schedule } from './schedule.ts';
import type { Known, ScheduleParts } from './schedule.ts';
import type { Item } from './source.ts';

test('what is stored is compared with a listing until nothing is to be done, and again once the listing is another one', async () => {
  const entry = (key: string) => ({ id: key, version: 1, body: bodyOf({ key, version: '1', digest: key }) });
  let readings = 0;
  let emptied = 0;
  const records = {
    shared: false,
    async records() {
      readings++;
      return [entry('a'), entry('b')];
    },
    async changeRecords(_: number, changes: readonly RecordChange[]) {
      if (changes.some(({ body }) => body === null)) emptied++;
    },
  };
  const both: Item[] = ['a', 'b'].map((key) => ({ key, version: '1' }));
  let items = both;
  let fault: Error | undefined;
  const source = {
    isListedFirst: true,
    async *list() {
      yield* items;
      if (fault) throw fault;
    },
  };
  const parts = { records, kinds: { folder: { open: async () => source } }, parallel: 1, failed: assert.ifError };
  const schedule = new Schedule(parts as unknown as ScheduleParts);
  const application = {
    record: { number: 1 },
    references: { loading: false },
    takesChanges: true,
  } as unknown as Application;
  const request = { number: 0, retry: false };
  const definition = { kind: 'folder', settings: {}, prefix: '', keywords: [], interval: 0, request };
  const known = { id: 's', application, definition, state: newState(application) } as unknown as Known;
  /** How often what is stored was read in a pass. */
  const pass = async (): Promise<number> => {
    const before = readings;
    schedule.look([known], () => {});
    while (schedule.runs('s')) await immediate();
    assert.deepEqual([known.state.progress.listed, known.state.running], [items.length, false]);
    return readings - before;
  };

  assert.deepEqual([await pass(), await pass(), await pass()], [1, 0, 0]);
  assert.deepEqual([known.state.pictures, known.state.fault], [2, '']);
  items = [
    { key: 'a', version: '1' },
    { key: 'b', version: null },
  ];
  assert.deepEqual([await pass(), await pass()], [1, 1], 'b is being written');
  items = both;
  assert.deepEqual([await pass(), await pass()], [1, 0]);
  fault = new Error('a folder cannot be read');
  assert.deepEqual([await pass(), known.state.fault, await pass()], [1, 'a folder cannot be read', 1]);
  fault = undefined;
  assert.deepEqual([await pass(), await pass(), known.state.fault], [1, 0, '']);
  items = [];
  assert.deepEqual([await pass(), known.state.question?.removals, await pass()], [1, 2, 1]);
  items = both;
  assert.deepEqual([await pass(), await pass()], [1, 0]);
  known.definition = { ...known.definition, request: { number: 1, retry: false } };
  assert.deepEqual([await pass(), await pass()], [1, 0], 'somebody started a pass');
  known.application = { ...application, record: { ...application.record, number: 2, origin: 1 } } as Application;
  assert.deepEqual([await pass(), emptied, await pass()], [2, 1, 0], 'the application was emptied');
  known.application = { ...known.application, takesChanges: false } as Application;
  assert.equal(await pass(), 0, 'the application was moved');
  known.application = { ...known.application, takesChanges: true } as Application;
  await schedule.stop();
  assert.equal(await pass(), 1, 'another process may have followed it');
});
