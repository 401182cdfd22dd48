import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import type { Application } from '../applications/application.ts';
import { bodyOf } from '../applications/records.ts';
import { Sources } from './sources.ts';
import type { SourcesParts } from './sources.ts';
import { kinds } from './stored.ts';

test('a close does not wait for the next look', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] }); // no look ever comes
  const records = { shared: false, ofAll: async () => new Map() };
  const sources = new Sources({ records, applications: () => [], failed: assert.ifError } as unknown as SourcesParts);
  await sources.start();
  await immediate();
  await sources.close();
});

test('what is stored is known from the start; what other processes add, as soon as it is listed', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] });
  const application = { record: { number: 1 } } as Application;
  for (const shared of [false, true]) {
    const names = ['b'];
    const stored = (): object[] => names.map((name) => ({ id: name, body: bodyOf({ name }) }));
    const records = {
      shared,
      ofAll: async (_: number[], kind: string) => new Map(kind === kinds.definition ? [[1, stored()]] : []),
      exclusively: async () => {},
    };
    const parts = { records, applications: () => [application], failed: assert.ifError };
    const sources = new Sources(parts as unknown as SourcesParts);
    await sources.start();
    const listed = async (): Promise<string[]> => (await sources.list()).map(({ id }) => id);
    assert.deepEqual(await listed(), ['b']);
    names.push('a');
    assert.deepEqual(await listed(), shared ? ['a', 'b'] : ['b']);
    await sources.close();
  }
});
