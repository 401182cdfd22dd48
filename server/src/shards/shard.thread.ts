import { definitionOf, type Steps } from '@sosia/engine';
import { StepQueue } from '../workers/step-queue.ts';
import { serveThread } from '../workers/thread.ts';
import { Shard } from './shard.ts';

const queue = new StepQueue();
const shard = new Shard((type, network, records) => definitionOf(type, network).createPartition(records), queue);
// saving waits for the disk between its steps, so it queues them itself
serveThread(shard, (begin, [application], method) =>
  method === 'save' ? begin() : queue.run(application as number, begin as () => Steps<unknown>),
);
