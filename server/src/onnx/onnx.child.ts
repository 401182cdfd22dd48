/** The ONNX child: the only process that runs networks of users. */
import { MAX_NETWORK_BYTES, openNetwork, ProfileError, type Picture } from '@sosia/engine';
import { serveConfined, type Reply } from '../workers/serve-child.ts';
import { fail } from '../errors.ts';
import type { AboutNetwork, OnnxTask } from './protocol.ts';
import { loadRuntime, openSession, type Session } from './session.ts';

/** Bytes for name and spec in front of a model. */
const HEAD_BYTES = 100_000;

const sessions = new Map<string, Session>();
await loadRuntime(); // now, since no file can be read later
await serveConfined(MAX_NETWORK_BYTES + HEAD_BYTES, (task, body) => run(task as OnnxTask, body).catch(asFailure));

async function run(task: OnnxTask, body: Uint8Array): Promise<Reply> {
  if (task.kind === 'load') return { head: { done: 'load', about: await load(task.mark, body) } };
  const { mark, size } = task;
  const session = sessions.get(mark);
  if (!session) throw fail('NETWORK_FAILED', 'what ran it has just been started anew');
  const picture = { ...size, rgb: body, originalWidth: size.width, originalHeight: size.height };
  if (task.kind === 'score') return { head: { done: 'score', score: await session.score(picture) } };
  const vector = await session.embed(picture);
  return { head: { done: 'embed' }, body: new Uint8Array(vector.buffer) };
}

/** Runs the network, so that a model that cannot work is refused before a picture comes. */
async function load(mark: string, block: Uint8Array): Promise<AboutNetwork> {
  const network = openNetwork(block);
  const session = await openSession(network);
  const isEmbedding = network.spec.output === 'embedding';
  const run = async (): Promise<number> => {
    const picture = ramp(session.size);
    return isEmbedding ? (await session.embed(picture)).length : (await session.score(picture), 0);
  };
  try {
    await run();
    const before = performance.now();
    const vector = await run();
    sessions.set(mark, session);
    return { ...session.size, milliseconds: performance.now() - before, vector };
  } catch (cause) {
    await session.close();
    throw cause;
  }
}

/** A picture with every brightness in it. */
function ramp({ width, height }: Session['size']): Picture {
  const rgb = Uint8Array.from({ length: 3 * width * height }, (_, i) => i % 256);
  return { width, height, rgb, originalWidth: width, originalHeight: height };
}

function asFailure(cause: unknown): never {
  throw cause instanceof ProfileError ? fail('BAD_PROFILE', cause.message) : cause;
}
