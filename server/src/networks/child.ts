/**
 * The network child: the only process that runs somebody's own network. It reads questions from standard input and
 * answers on descriptor 3, one at a time, and ends when its input does.
 */
import { Socket } from 'node:net';
import { LARGEST_NETWORK, openNetwork, ProfileError, type Picture } from '@sosia/engine';
import { readFrames, writeFrame } from '../decode/frames.ts';
import { Failure, fail } from '../errors.ts';
import { storedNetwork } from '../store/profile-store.ts';
import type { AboutNetwork, Question } from './protocol.ts';
import { openSession, type Session } from './session.ts';

/** Room for name and manner in front of a model. */
const MANNER = 100_000;

const sessions = new Map<string, Session>();
const answers = new Socket({ fd: 3, readable: false });
answers.on('error', () => process.exit()); // nobody is left to hear an answer
tell({ done: 'start' });
for await (const { head, body } of readFrames(process.stdin, LARGEST_NETWORK + MANNER)) {
  tell(await answer(head as Question, body).catch(explain));
}
process.exit();

async function answer(question: Question, body: Uint8Array): Promise<object> {
  if (question.ask === 'load') {
    const { mark, from } = question;
    return { done: 'load', about: await load(mark, from ? storedNetwork(from.folder, from.name) : body) };
  }
  const { mark, size } = question;
  const session = sessions.get(mark);
  if (!session) throw fail('NETWORK_FAILED', 'what ran it has just been started anew');
  const picture = { ...size, rgb: body, originalWidth: size.width, originalHeight: size.height };
  return { done: 'score', score: await session.score(picture) };
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

function explain(cause: unknown): object {
  const failure = cause instanceof ProfileError ? fail('BAD_PROFILE', cause.message) : cause;
  if (failure instanceof Failure) return { failed: failure.error, detail: failure.detail };
  return { fault: cause instanceof Error ? cause.stack : String(cause) };
}

function tell(head: object): void {
  writeFrame(answers, { ...head, rss: process.memoryUsage.rss() }, new Uint8Array());
}
