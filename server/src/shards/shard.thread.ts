import { typeDefinitions, type Steps } from '@sosia/engine';
import { StepQueue } from '../workers/step-queue.ts';
import { serveThread } from '../workers/thread.ts';
import { Shard } from './shard.ts';

const queue = new StepQueue();
serveThread(new Shard((type) => typeDefinitions[type].createPartition()), (begin, [application]) =>
  queue.run(application as number, begin as () => Steps<unknown>),
);
