import { signedBytes, VECTOR_LENGTHS } from '@sosia/engine';
import { AnswerError } from './score.ts';

/**
 * The vector in the answer of an embedding network, as signed bytes. An answer of several vectors gives its first one,
 * the class token of a vision transformer. Sides of 1 do not count.
 */
export function vectorOf(answer: Float32Array, shape: readonly number[]): Int8Array {
  const sides = shape.filter((length) => length !== 1);
  const [length] = sides.slice(-1);
  const { least, most } = VECTOR_LENGTHS;
  if (sides.length > 2 || length === undefined || length < least || length > most)
    throw new AnswerError(`expected a vector of ${least} to ${most} numbers, got an output of [${shape.join(', ')}]`);
  const vector = signedBytes(answer.subarray(0, length));
  if (!vector) throw new AnswerError('expected a vector with a direction, got only zeros or no finite numbers');
  return vector;
}
