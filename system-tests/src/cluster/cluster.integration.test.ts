import assert from 'node:assert/strict';
import { test } from 'node:test';
import { engineInstalled } from '@sosia/testing/cluster/engine';
import { runSystemTest } from '@sosia/testing/harness/system-test';
import cluster from './cluster.ts';

const skip = !engineInstalled() && 'OpenSearch is not installed: `npm run cluster -- install`';

/** A short form of the system test; what the environment names is kept. */
const few = {
  SOSIA_NODE_KILLS: 1,
  SOSIA_SERVICE_KILLS: 1,
  SOSIA_CUTS: 1,
  SOSIA_STOPS: 0,
  SOSIA_FULL_DISKS: 0,
  SOSIA_CUT_SECONDS: 8,
  SOSIA_ADDS_AT_ONCE: 40,
};

test('a kill and a cut of a node, a kill of a service, and a shard that is missing', { skip }, async (t) => {
  for (const [name, value] of Object.entries(few)) process.env[name] ??= String(value);
  const { passed, figures } = await runSystemTest(cluster, { whole: false });
  t.diagnostic(JSON.stringify(figures));
  assert.ok(passed, JSON.stringify(figures));
});
