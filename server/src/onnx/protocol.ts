import { VECTOR_LENGTHS } from '@sosia/engine';
import { type Answer, checkedAnswer, isCount } from '../workers/answer.ts';
import type { Frame } from '../workers/frames.ts';
import type { Size } from './tensor.ts';

/** A task for the ONNX child. `mark` names a network in the child. */
export type OnnxTask =
  /** The body is the network's block. */
  | { readonly kind: 'load'; readonly mark: string }
  /** The body is the pixels. The body of an answer to `embed` is the vector, as signed bytes. */
  | { readonly kind: 'score' | 'embed'; readonly mark: string; readonly size: Size };

export type OnnxAnswer = Answer<OnnxResult>;

export interface OnnxResult {
  readonly done: 'start' | OnnxTask['kind'];
  readonly about?: AboutNetwork;
  readonly score?: number;
}

/** The size of the input of a network, and how long it takes. */
export interface AboutNetwork extends Size {
  /** Milliseconds that one picture took. */
  readonly milliseconds: number;
  /** Numbers in the vector of an embedding; 0 for a classifier. */
  readonly vector: number;
}

/** @throws for anything that no sound child answers to the task */
export function checkedOnnxAnswer({ head, body }: Frame, task: string): OnnxAnswer {
  return checkedAnswer<OnnxResult>(head, (answer) => isResult(answer, task, body));
}

function isResult(answer: OnnxResult, task: string, body: Uint8Array): boolean {
  if (answer.done !== task) return false;
  if (task === 'start') return true;
  if (task === 'score') return Math.abs(answer.score!) <= 1;
  if (task === 'embed') return isVectorLength(body.length);
  const { width, height, milliseconds, vector } = Object(answer.about) as AboutNetwork;
  return isCount(width) && isCount(height) && milliseconds >= 0 && (vector === 0 || isVectorLength(vector));
}

function isVectorLength(length: number): boolean {
  return isCount(length) && length >= VECTOR_LENGTHS.least && length <= VECTOR_LENGTHS.most;
}
