import { parentPort } from 'node:worker_threads';
import { recipes } from '@sosia/engine';
import { createShare } from './share.ts';
import type { Call, Reply } from './thread.ts';

const share = createShare(recipes);
const port = parentPort!;

port.on('message', ({ id, method, args }: Call) => port.postMessage(answer(id, method, args)));

function answer(id: number, method: Call['method'], args: Call['args']): Reply {
  try {
    return { id, value: (share[method] as (...args: unknown[]) => unknown)(...args) };
  } catch (cause) {
    return { id, fault: cause instanceof Error ? (cause.stack ?? cause.message) : String(cause) };
  }
}
