import type { ErrorName } from '../errors.ts';
import { isCount, isExcuse } from '../decode/protocol.ts';
import type { Frame } from '../workers/frames.ts';
import type { Size } from './tensor.ts';

/** What a network child is asked. `mark` names a network in the child. */
export type Question =
  /** The body is the network's block. */
  | { readonly ask: 'load'; readonly mark: string }
  /** The body is the pixels. */
  | { readonly ask: 'score'; readonly mark: string; readonly size: Size };

/** What it answers; `rss` is its resident memory in bytes. */
export type Answer = { readonly rss: number } & (
  | { readonly done: 'start' }
  | { readonly done: 'load'; readonly about: AboutNetwork }
  | { readonly done: 'score'; readonly score: number }
  | { readonly failed: ErrorName; readonly detail: string }
  | { readonly fault: string }
);

/** What is known of a network once it has been run. */
export interface AboutNetwork extends Size {
  /** Milliseconds that one picture took. */
  readonly milliseconds: number;
}

/** @throws for anything that no sound child says */
export function checkedAnswer({ head }: Frame, asked: string): Answer {
  const answer = Object(head) as Answer;
  if (isCount(answer.rss) && (isDone(answer, asked) || isExcuse(answer))) return answer;
  throw new Error('it answered in no known form');
}

function isDone(answer: Answer, asked: string): boolean {
  if (!('done' in answer) || answer.done !== asked) return false;
  if (answer.done === 'start') return true;
  if (answer.done === 'score') return Math.abs(answer.score) <= 1;
  const { width, height, milliseconds } = Object(answer.about) as AboutNetwork;
  return isCount(width) && isCount(height) && milliseconds >= 0;
}
