/** The network child: the only process that runs somebody's own network. */
import { LARGEST_NETWORK, openNetwork, ProfileError, type Picture } from '@sosia/engine';
import { serveConfined, type Reply } from '../workers/serve-child.ts';
import { Failure, fail } from '../errors.ts';
import type { AboutNetwork, Question } from './protocol.ts';
import { loadRuntime, openSession, type Session } from './session.ts';

/** Room for name and manner in front of a model. */
const MANNER = 100_000;

const sessions = new Map<string, Session>();
await loadRuntime(); // now, since no file can be read later
await serveConfined(LARGEST_NETWORK + MANNER, (question, body) => answer(question as Question, body).catch(explain));

async function answer(question: Question, body: Uint8Array): Promise<Reply> {
  if (question.ask === 'load') return { head: { done: 'load', about: await load(question.mark, body) } };
  const { mark, size } = question;
  const session = sessions.get(mark);
  if (!session) throw fail('NETWORK_FAILED', 'what ran it has just been started anew');
  const picture = { ...size, rgb: body, originalWidth: size.width, originalHeight: size.height };
  return { head: { done: 'score', score: await session.score(picture) } };
}

/** Asked once here, so that what cannot work is known before a picture comes. */
async function load(mark: string, block: Uint8Array): Promise<AboutNetwork> {
  const session = await openSession(openNetwork(block));
  try {
    await session.score(ramp(session.size));
    const before = performance.now();
    await session.score(ramp(session.size));
    sessions.set(mark, session);
    return { ...session.size, milliseconds: performance.now() - before };
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

function explain(cause: unknown): Reply {
  const failure = cause instanceof ProfileError ? fail('BAD_PROFILE', cause.message) : cause;
  if (failure instanceof Failure) return { head: { failed: failure.error, detail: failure.detail } };
  return { head: { fault: cause instanceof Error ? cause.stack : String(cause) } };
}
