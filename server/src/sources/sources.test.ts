import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as immediate } from 'node:timers/promises';
import { Sources } from './sources.ts';
import type { SourcesParts } from './sources.ts';

test('a close does not wait for the next look', async (t) => {
  t.mock.timers.enable({ apis: ['setTimeout'] }); // no look ever comes
  const records = { shared: false, ofAll: async () => new Map() };
  const sources = new Sources({ records, applications: () => [], failed: assert.ifError } as unknown as SourcesParts);
  await sources.start();
  await immediate();
  await sources.close();
});
