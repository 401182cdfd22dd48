import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { randomFor } from '../pictures/random.ts';
import { Coverage } from './coverage.ts';
import { explore } from './explore.ts';
import { readPlanted } from './planted.test.kit.ts';

// made before the code is first executed, for V8 counts the blocks only of what it compiles from then on
const coverage = new Coverage(/planted\.test\.kit\.js$/);
after(() => coverage.close());

const planted = { seeds: [new Uint8Array(12)], run: readPlanted };
const MOST = 100_000;

test('a fault behind five conditions is found by coverage, and not without it', async () => {
  const search = (way: { coverage?: Coverage }) =>
    explore(planted, {
      ...way,
      random: randomFor('planted'),
      limit: 10_000,
      more: (executions) => executions < MOST,
    });
  const { finding, executions } = await search({ coverage });
  assert.match(finding?.fault ?? '', /planted/, `not found in ${executions} executions`);
  assert.throws(() => readPlanted(finding!.input), /planted/);

  const blind = await search({});
  assert.equal(blind.finding, undefined, `found blindly in ${blind.executions} executions`);
});

test('the same seed tries the same inputs', async () => {
  const tried: string[][] = [];
  for (let run = 0; run < 2; run++) {
    const inputs: string[] = [];
    await explore(planted, {
      random: randomFor('again'),
      limit: 10_000,
      more: (executions) => executions < 300,
      before: (input) => inputs.push(Buffer.from(input).toString('hex')),
    });
    tried.push(inputs);
  }
  assert.deepEqual(tried[0], tried[1]);
  assert.ok(new Set(tried[0]).size > 200);
});

test('an input that takes too much processor time is a finding', async () => {
  const slow = {
    seeds: [Uint8Array.of(1)],
    run() {
      const started = process.cpuUsage();
      while (process.cpuUsage(started).user < 30_000);
      return 'read';
    },
  };
  const { finding } = await explore(slow, { random: randomFor('slow'), limit: 10, more: () => true });
  assert.match(finding!.fault, /expected at most 10 ms of processor time/);
});
