import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { fail } from '../errors.ts';

/** Exit code of `stored-network.child` where the folder has no such network. */
export const UNKNOWN_NETWORK_EXIT = 3;

const script = fileURLToPath(new URL('./stored-network.child.js', import.meta.url));

/**
 * The block of a network of a data folder, unchecked, in pieces. Another process reads the database, which returns a block
 * as a whole: the server holds one piece at a time, and the ONNX child need not see the folder.
 * @throws Failure UNKNOWN_PROFILE, before the first piece
 */
export async function storedNetwork(folder: string, name: string): Promise<AsyncIterable<Uint8Array>> {
  const child = spawn(process.execPath, [script, resolve(folder), name], { stdio: ['ignore', 'pipe', 'inherit'] });
  const ended = once(child, 'exit') as Promise<[number | null]>;
  const pieces = child.stdout[Symbol.asyncIterator]() as AsyncIterator<Uint8Array, undefined>;
  const first = await pieces.next();
  if (first.done) {
    const [code] = await ended;
    throw code === UNKNOWN_NETWORK_EXIT
      ? fail('UNKNOWN_PROFILE', name)
      : new Error(`reading the network ${name} ended with ${code}`);
  }
  return (async function* () {
    yield first.value;
    yield* { [Symbol.asyncIterator]: () => pieces };
  })();
}
