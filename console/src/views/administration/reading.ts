import { ask } from '../../api/call.ts';
import type { Request } from '../../api/call.ts';
import type { Answers } from '@sosia/contract';
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

export function change<Name extends keyof Administration>(operation: Name, values: Request['values']) {
  return ask({ family: 'administration', operation, values });
}
