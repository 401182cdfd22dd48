import { parentPort } from 'node:worker_threads';
import { recipes } from '@sosia/engine';
import { StepQueue } from '../workers/step-queue.ts';
import { createShard } from './shard.ts';
import type { Shard } from './shard.ts';
import type { Call, Reply } from './shard-thread.ts';

const shard = createShard(recipes);
const rounds = new StepQueue();
const port = parentPort!;

port.on('message', ({ id, method, args }: Call) => {
  const begin = () => (shard[method] as (...args: unknown[]) => ReturnType<Shard[typeof method]>)(...args);
  rounds.do<unknown>(args[0] as number, begin).then(
    (value) => port.postMessage({ id, value } satisfies Reply),
    (cause) => port.postMessage({ id, fault: textOf(cause) } satisfies Reply),
  );
});

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
