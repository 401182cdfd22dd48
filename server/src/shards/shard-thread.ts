import { Worker } from 'node:worker_threads';
import type { Steps } from '@sosia/engine';
import { fail } from '../errors.ts';
import type { Shard } from './shard.ts';

/** The same methods, carried out somewhere else. */
export type Remote<T> = {
  [name in keyof T]: T[name] extends (...args: infer A) => Steps<infer R> ? (...args: A) => Promise<R> : never;
};

export interface Call {
  readonly id: number;
  readonly method: keyof Shard;
  readonly args: readonly unknown[];
}

export type Reply = { readonly id: number; readonly value: unknown } | { readonly id: number; readonly fault: string };

/** A shard in a worker thread. Calls about one application take effect in the order they are made. */
export interface Thread {
  readonly shard: Remote<Shard>;
  close(): Promise<void>;
}

/**
 * A call that throws in the thread rejects, and the thread goes on. When the thread itself ends, what waits for it is
 * rejected and `lost` is told: its pictures are gone from the index.
 */
export function startThread(
  lost: (cause: Error) => void,
  script = new URL('./shard.thread.js', import.meta.url),
): Thread {
  const worker = new Worker(script);
  const waiting = new Map<number, { resolve(value: unknown): void; reject(cause: Error): void }>();
  let calls = 0;
  let closing = false;

  worker.on('message', (reply: Reply) => {
    const call = waiting.get(reply.id)!;
    waiting.delete(reply.id);
    if ('fault' in reply) call.reject(new Error(`search thread: ${reply.fault}`));
    else call.resolve(reply.value);
  });
  worker.on('error', (cause) => end(cause));
  worker.on('exit', (code) => end(new Error(`search thread ended with code ${code}`)));

  let ended = false;
  function end(cause: Error): void {
    if (ended) return;
    ended = true;
    for (const call of waiting.values()) call.reject(fail('SHUTTING_DOWN'));
    waiting.clear();
    if (!closing) lost(cause);
  }

  function call(method: keyof Shard, args: readonly unknown[]): Promise<unknown> {
    if (ended || closing) return Promise.reject(fail('SHUTTING_DOWN'));
    return new Promise((resolve, reject) => {
      const id = ++calls;
      waiting.set(id, { resolve, reject });
      worker.postMessage({ id, method, args } satisfies Call);
    });
  }

  const method =
    (name: keyof Shard) =>
    (...args: unknown[]) =>
      call(name, args);
  return {
    shard: {
      open: method('open'),
      drop: method('drop'),
      add: method('add'),
      remove: method('remove'),
      candidates: method('candidates'),
      verify: method('verify'),
      explain: method('explain'),
      rank: method('rank'),
      fill: method('fill'),
      holders: method('holders'),
      size: method('size'),
    } as Remote<Shard>,
    async close() {
      closing = true;
      await worker.terminate();
    },
  };
}
