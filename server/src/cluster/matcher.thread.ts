import type { Steps } from '@sosia/engine';
import { StepQueue } from '../workers/step-queue.ts';
import { serveThread } from '../workers/thread.ts';
import { Matcher } from './matcher.ts';

const queue = new StepQueue();
serveThread(new Matcher(), (begin, [application]) => queue.run(application as number, begin as () => Steps<unknown>));
