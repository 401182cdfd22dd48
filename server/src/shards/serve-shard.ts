import type { Steps } from '@sosia/engine';
import { StepQueue } from '../workers/step-queue.ts';
import { serveThread } from '../workers/thread.ts';
import { type CreatePartition, Shard } from './shard.ts';

/** The program of a search thread. Saving waits for the disk between its steps, so it queues them itself. */
export function serveShard(create: CreatePartition): void {
  const queue = new StepQueue();
  serveThread(new Shard(create, queue), (begin, [application], method) =>
    method === 'save' ? begin() : queue.run(application as number, begin as () => Steps<unknown>),
  );
}
