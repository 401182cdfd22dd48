import { ask } from '../../api/call.ts';
import type { Request } from '../../api/call.ts';
import type { Answers } from '@sosia/contract';
import { useAction } from '../../parts/action.ts';
import { useAnswer } from '../../parts/answer.ts';

type Administration = Answers['administration'];

export function useReading<Name extends keyof Administration>(
  operation: Name,
  values: Request['values'] = {},
  every = 0,
) {
  const key = JSON.stringify([operation, values]);
  return useAnswer(key, (signal) => ask({ family: 'administration', operation, values }, signal), { every });
}

/** Sends one change at a time; its failure is kept until the next one. */
export function useChange() {
  const { busy, error, run } = useAction();
  const change = <Name extends keyof Administration>(operation: Name, values: Request['values']) =>
    run(() => ask({ family: 'administration', operation, values }));
  return { busy, error, change };
}
