/** A child of a pool that does what its task says. */
import { fail } from '../errors.ts';
import { serveConfined } from './serve-child.ts';

interface Task {
  readonly kind: string;
}

await serveConfined(1000, async (task) => {
  const { kind } = task as Task;
  if (kind === 'end') process.abort();
  if (kind === 'never') await new Promise(() => setInterval(() => {}, 1000));
  if (kind === 'work on') for (;;);
  if (kind === 'fault') throw new Error('a fault of the child');
  if (kind === 'failure') throw fail('BAD_DNA', 'a detail');
  return { head: { done: kind === 'nonsense' ? 7 : kind, pid: process.pid } };
});
