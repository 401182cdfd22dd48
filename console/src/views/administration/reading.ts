import { ask, requestFor, type Request } from '../../api/call.ts';
import type { Answers } from '@sosia/contract';
import { useChanging } from '../../parts/answer.ts';

type Administration = Answers['administration'];

export function useReading<Name extends keyof Administration>(
  operation: Name,
  values: Request['values'] = {},
  every = 0,
) {
  return useChanging(requestFor('administration', operation, values), { every });
}

export function change<Name extends keyof Administration>(operation: Name, values: Request['values']) {
  return ask(requestFor('administration', operation, values));
}
