import assert from 'node:assert/strict';
import { extname } from 'node:path';
import { test, type TestContext } from 'node:test';
import { Failure } from '../errors.ts';
import { checkedAnswer, type Answer } from './answer.ts';
import { type ChildKind, ConfinedChild } from './confined-child.ts';
import { NOBODY } from './confinement/launch.ts';
import { measureNames } from './confinement/measures.ts';

interface Done {
  readonly done: string;
  readonly pid: number;
}

const scriptOf = (name: string): URL => new URL(`./${name}${extname(import.meta.url)}`, import.meta.url);
const kind: ChildKind<Answer<Done>> = {
  name: 'child',
  script: scriptOf('pool.test.child'),
  memory: 1e9,
  largestAnswer: 1000,
  check: ({ head }, task) => checkedAnswer<Done>(head, ({ done }) => done === task),
  failures: { late: 'DECODE_TIMEOUT', crashed: 'DECODER_CRASHED' },
};

function started(t: TestContext, of = kind): ConfinedChild<Answer<Done>> {
  const child = new ConfinedChild(of, NOBODY);
  t.after(() => child.kill());
  return child;
}
/** The error and the detail of a task that fails. */
async function failed(child: ConfinedChild<Answer<Done>>, task: string, timeLimit = 60_000): Promise<string> {
  const cause: unknown = await child.run({ kind: task }, new Uint8Array(), timeLimit).then(
    () => assert.fail('it was done'),
    (reason: unknown) => reason,
  );
  assert.ok(cause instanceof Failure);
  return `${cause.error}: ${cause.detail}`;
}
const ENDED = /^DECODER_CRASHED: it (?:was ended by SIG[A-Z]+|ended with code \d+)$/;

test('a child counts its answers and says its memory; it lives until it is ended', async (t) => {
  const child = started(t);
  assert.equal(await child.ready, true);
  assert.deepEqual(Object.keys(child.confinement!).sort(), [...measureNames].sort());
  assert.deepEqual([child.answered, child.alive], [0, true]);
  const before = child.memory;
  assert.ok(before > 2 ** 20, String(before));
  for (let i = 1; i <= 2; i++) {
    const { answer, body } = await child.run({ kind: 'work' }, new Uint8Array(9), 60_000);
    assert.deepEqual([(answer as Done).pid, body.length, child.answered], [child.pid, 0, i]);
    assert.equal(child.memory, answer.rss);
  }
  assert.equal((await child.run({ kind: 'fault' }, new Uint8Array(), 60_000)).answer.rss, child.memory);
  assert.deepEqual([child.answered, child.alive], [3, true]);
  child.kill();
  assert.equal(child.alive, false);
  assert.equal(await child.ended, 'it was ended by SIGKILL');
});

test('why a task has failed is said: the end of the child, its silence, or a wrong answer', async (t) => {
  for (const [task, said, timeLimit] of [
    ['end', ENDED],
    ['nonsense', /^DECODER_CRASHED: it answered in no known form$/],
    ['never', /^DECODE_TIMEOUT: expected an answer within 300 ms, got none$/, 300.4],
  ] as const) {
    const child = started(t);
    assert.match(await failed(child, task, timeLimit), said);
    assert.deepEqual([child.alive, child.answered], [false, 0], task);
    await child.ended;
    assert.match(await failed(child, 'work'), ENDED, `after ${task}`);
  }
});

test('a child that does not start is not ready, and fails each task with how it ended', async (t) => {
  const child = started(t, { ...kind, script: scriptOf('no-such.child') });
  assert.equal(await child.ready, false);
  assert.match(await failed(child, 'work'), ENDED);
  assert.deepEqual([child.alive, child.confinement], [false, undefined]);
  assert.match(child.stderr(), /MODULE_NOT_FOUND/);
});
