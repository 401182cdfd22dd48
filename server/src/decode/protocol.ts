import type { ApplicationType, Side } from '@sosia/engine';
import { errors, fail, type ErrorName } from '../errors.ts';
import type { Frame } from './frames.ts';

/** What a decode child is asked; the body is the picture file. */
export type Question =
  | { readonly ask: 'describe'; readonly type: ApplicationType; readonly side: Side }
  | { readonly ask: 'decode'; readonly longestSide: number };

/** Most that may be asked for as pixels, a side. */
export const LARGEST_DECODED_SIDE = 4096;

/** What it answers; `rss` is its resident memory in bytes. */
export type Answer = { readonly rss: number } & (
  Done | { readonly failed: ErrorName; readonly detail: string } | { readonly fault: string }
);

/** The body is the DNA, or the pixels of `size`. A child's first frame, `start`, tells that it can be asked. */
export interface Done {
  readonly done: 'start' | Question['ask'];
  readonly size?: PictureSize;
}

export interface PictureSize {
  readonly width: number;
  readonly height: number;
  readonly originalWidth: number;
  readonly originalHeight: number;
}

/**
 * The frame as an answer to what was asked, if it is one: the picture may have taken the child over.
 * @throws for anything that no sound child says
 */
export function checkedAnswer({ head, body }: Frame, asked: Done['done']): Answer {
  const answer = Object(head) as Answer;
  const wellFormed = isCount(answer.rss) && (isDone(answer, asked, body.length) || isExcuse(answer));
  if (!wellFormed) throw new Error('it answered in no known form');
  return answer;
}

/** Throws what the child says went wrong. */
export function assertDone(answer: Answer): asserts answer is Answer & Done {
  if ('failed' in answer) throw fail(answer.failed, answer.detail);
  if ('fault' in answer) throw new Error(`in the decoder: ${answer.fault}`);
}

function isDone(answer: Answer, asked: Done['done'], bytes: number): boolean {
  if (!('done' in answer) || answer.done !== asked) return false;
  if (asked !== 'decode') return true;
  const { width, height, originalWidth, originalHeight } = Object(answer.size) as PictureSize;
  return [width, height, originalWidth, originalHeight].every(isCount) && width * height * 3 === bytes;
}

function isExcuse(answer: Answer): boolean {
  if ('fault' in answer) return typeof answer.fault === 'string';
  return 'failed' in answer && Object.hasOwn(errors, answer.failed) && typeof answer.detail === 'string';
}

function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}
