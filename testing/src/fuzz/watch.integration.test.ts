import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { test } from 'node:test';
import { findingsOf } from './findings.ts';
import { targets } from './targets/targets.ts';
import { watched } from './watch.ts';

for (const { name } of targets) {
  const replay = findingsOf(name);
  test(
    `${name}: what was found once is answered well (${replay.length} inputs)`,
    { skip: replay.length === 0 },
    async () => {
      assert.ok(replay.every((path) => existsSync(path)));
      const { findings } = await watched({ target: name, seed: 0, seconds: 0, replay });
      assert.deepEqual(findings, []);
    },
  );
}

test('every target reads its seeds and a few changes of them', async () => {
  for (const { name } of targets) {
    const { executions, kept, findings } = await watched({ target: name, seed: 1, seconds: 0.2 });
    assert.deepEqual(findings, [], name);
    assert.ok(executions > 3 && kept > 3, `${name}: ${executions} executions, ${kept} kept`);
  }
});
