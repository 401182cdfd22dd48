/** A child whose codec was taken over: each task is an attempt to break out. */
import { randomBytes } from 'node:crypto';
import { Socket } from 'node:net';
import { promisify } from 'node:util';
import { readFrames, writeFrame } from '../frames.ts';
import { attempts, readsInAnotherThread, replacements, THREAD, type Targets } from './attempts.test.kit.ts';
import { serveConfined } from '../serve-child.ts';

interface Trial {
  readonly attempt: string;
  readonly targets: Targets;
}

await Promise.all([1, 2].map(() => promisify(randomBytes)(1000))); // the threads of the pool are there from now on

if (process.argv[2] !== 'unconfined') {
  await serveConfined(1000, async (task) => ({ head: await tried(task as Trial) }));
} else {
  const answers = new Socket({ fd: 3, readable: false });
  for await (const { head } of readFrames(process.stdin, 0))
    writeFrame(answers, await tried(head as Trial), Buffer.of());
}

async function tried({ attempt, targets }: Trial): Promise<object> {
  if (attempt in replacements) replacements[attempt]!(targets); // comes back only where it was refused
  const worked =
    attempt in attempts ? attempts[attempt]!(targets) : attempt === THREAD && (await readsInAnotherThread(targets));
  return { done: 'attempt', worked };
}
