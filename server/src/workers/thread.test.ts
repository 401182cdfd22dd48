import assert from 'node:assert/strict';
import { extname } from 'node:path';
import { test } from 'node:test';
import { Thread } from './thread.ts';

interface Methods {
  add(a: number, b: number): number;
  later(value: string): Promise<string>;
  never(): Promise<void>;
  fails(): void;
  failsLater(): Promise<void>;
  throwsText(): void;
  crash(): void;
  exit(): void;
  answersAgain(): void;
}
const script = new URL(`./thread.test.thread${extname(import.meta.url)}`, import.meta.url);

test('calls are answered each with its own result, also out of order', async () => {
  const thread = new Thread<Methods>(script);
  const { remote } = thread;
  assert.deepEqual(await Promise.all([remote.later('slow'), remote.add(1, 2), remote.add(3, 4)]), ['slow', 3, 7]);
  await thread.stop();
});

test('a method that throws rejects its call with message and code, and the thread goes on', async () => {
  const thread = new Thread<Methods>(script);
  const { remote } = thread;
  await assert.rejects(remote.fails(), (cause: any) => {
    assert.ok(cause instanceof Error);
    assert.deepEqual([cause.message, (cause as { code?: string }).code], ['at once', 'E_ONCE']);
    assert.match(cause.stack!, /thread\.test\.thread/);
    return true;
  });
  await assert.rejects(remote.failsLater(), /^Error: later/);
  await assert.rejects(remote.throwsText(), /^Error: a text$/);
  assert.equal(await remote.add(2, 2), 4);
  await thread.stop();
});

for (const [how, end, words] of [
  ['terminated', (thread: Thread<Methods>) => thread.terminate(), /ended with code 1/],
  ['ended by an error', (thread: Thread<Methods>) => void thread.remote.crash().catch(() => {}), /unexpected/],
  ['ended by itself', (thread: Thread<Methods>) => void thread.remote.exit().catch(() => {}), /ended with code 7/],
] as const) {
  test(`of a thread that is ${how}, pending and later calls reject with the same`, async () => {
    const causes: Error[] = [];
    const rejection = new Error('for the caller');
    const thread = new Thread<Methods>(script, (cause) => (causes.push(cause), rejection));
    await thread.remote.add(1, 1);
    const pending = assert.rejects(thread.remote.never(), rejection);
    await end(thread);
    await pending;
    await assert.rejects(thread.remote.add(1, 1), rejection);
    await thread.stop();
    assert.equal(causes.length, 1);
    assert.match(causes[0]!.message, words);
  });
}

test('an answer that nobody waits for any more changes nothing', async () => {
  const thread = new Thread<Methods>(script);
  assert.equal(await thread.remote.add(1, 2), 3);
  await thread.remote.answersAgain();
  assert.equal(await thread.remote.add(2, 2), 4);
  await thread.stop();
});

test('a stop comes after the answers to earlier calls; later calls reject', async () => {
  const thread = new Thread<Methods>(script);
  const sum = thread.remote.add(1, 2);
  await thread.stop();
  assert.equal(await sum, 3);
  await assert.rejects(thread.remote.add(1, 1), /the thread ended with code 0/);
  await thread.stop();
});
