/**
 * The decode child: the only process that lets foreign bytes near native code. It reads questions from standard input
 * and answers on descriptor 3, one at a time, and ends when its input does, which is also when the server dies.
 */
import { Socket } from 'node:net';
import { PlainPictureError, recipes } from '@sosia/engine';
import { Failure, fail } from '../errors.ts';
import { confine } from './confine.ts';
import { decodePicture } from './decode.ts';
import { readFrames, writeFrame } from './frames.ts';
import { LARGEST_FILE } from './limits.ts';
import type { Question } from './protocol.ts';

/** Pictures over this are reduced while decoding, unless a recipe makes use of more; recipes reduce further themselves. */
const DECODED_SIDE = 1024;

interface Told {
  readonly head: object;
  readonly body?: Uint8Array;
}

confine();
const answers = new Socket({ fd: 3, readable: false });
answers.on('error', () => process.exit()); // nobody is left to hear an answer
tell({ head: { done: 'start' } });
for await (const { head, body } of readFrames(process.stdin, LARGEST_FILE)) {
  tell(await answer(head as Question, body).catch(explain));
}
process.exit();

async function answer(question: Question, file: Uint8Array): Promise<Told> {
  if (question.ask === 'decode') {
    const { rgb, ...size } = await decodePicture(file, question.longestSide);
    return { head: { done: 'decode', size }, body: rgb };
  }
  const recipe = recipes[question.type];
  if (!recipe) throw fail('NOT_AVAILABLE_YET', question.type);
  const picture = await decodePicture(file, Math.max(DECODED_SIDE, recipe.workingSize));
  return { head: { done: 'describe' }, body: recipe.describe(picture, question.side) };
}

function explain(cause: unknown): Told {
  const failure = cause instanceof PlainPictureError ? fail('NOT_ENOUGH_INFORMATION', cause.message) : cause;
  if (failure instanceof Failure) return { head: { failed: failure.error, detail: failure.detail } };
  return { head: { fault: cause instanceof Error ? cause.stack : String(cause) } };
}

function tell({ head, body = new Uint8Array() }: Told): void {
  writeFrame(answers, { ...head, rss: process.memoryUsage.rss() }, body);
}
