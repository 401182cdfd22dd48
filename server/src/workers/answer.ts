import { errors, fail, type ErrorName } from '../errors.ts';

/** The head of an answer of a child: the result `R` or why there is none, and the resident memory of the child in bytes. */
export type Answer<R> = { readonly rss: number } & (
  | R
  | { readonly failed: ErrorName; readonly detail: string }
  | { readonly fault: string }
);

/**
 * Checks every field, since foreign bytes may have taken over the child.
 * @throws for anything that no sound child sends
 */
export function checkedAnswer<R extends object>(head: unknown, isResult: (answer: R) => boolean): Answer<R> {
  const answer = Object(head) as Answer<R> & R;
  if (isCount(answer.rss) && (isResult(answer) || isExcuse(answer))) return answer;
  throw new Error('it answered in no known form');
}

/** @throws the failure or the fault that the child answered with */
export function assertDone<R>(answer: Answer<R>): asserts answer is { readonly rss: number } & R {
  const { failed, detail, fault } = answer as { failed?: ErrorName; detail?: string; fault?: string };
  if (failed !== undefined) throw fail(failed, detail);
  if (fault !== undefined) throw new Error(`in the child: ${fault}`);
}

export function isCount(value: unknown): boolean {
  return Number.isSafeInteger(value) && (value as number) > 0;
}

function isExcuse(answer: object): boolean {
  const { fault, failed, detail } = answer as { fault?: unknown; failed?: unknown; detail?: unknown };
  if (fault !== undefined) return typeof fault === 'string';
  return typeof failed === 'string' && Object.hasOwn(errors, failed) && typeof detail === 'string';
}
