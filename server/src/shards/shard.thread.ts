import { definitionOf, type Steps } from '@sosia/engine';
import { StepQueue } from '../workers/step-queue.ts';
import { serveThread } from '../workers/thread.ts';
import { Shard } from './shard.ts';

const queue = new StepQueue();
serveThread(new Shard((type, network) => definitionOf(type, network).createPartition()), (begin, [application]) =>
  queue.run(application as number, begin as () => Steps<unknown>),
);
