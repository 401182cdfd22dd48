import { parentPort } from 'node:worker_threads';
import { recipes } from '@sosia/engine';
import { Rounds } from './rounds.ts';
import { createShare } from './share.ts';
import type { Share } from './share.ts';
import type { Call, Reply } from './thread.ts';

const share = createShare(recipes);
const rounds = new Rounds();
const port = parentPort!;

port.on('message', ({ id, method, args }: Call) => {
  const begin = () => (share[method] as (...args: unknown[]) => ReturnType<Share[typeof method]>)(...args);
  rounds.do<unknown>(args[0] as number, begin).then(
    (value) => port.postMessage({ id, value } satisfies Reply),
    (cause) => port.postMessage({ id, fault: textOf(cause) } satisfies Reply),
  );
});

function textOf(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
