import { useState } from 'preact/hooks';
import { ask } from '../../api/call.ts';
import type { Request } from '../../api/call.ts';
import type { Answers } from '@sosia/contract';
import { useAction } from '../../parts/action.ts';
import { useAnswer } from '../../parts/answer.ts';

type Administration = Answers['administration'];

/** An answer that is read again after each change. */
export function useReading<Name extends keyof Administration>(operation: Name, values: Request['values'] = {}) {
  const [version, setVersion] = useState(0);
  const key = JSON.stringify([operation, values, version]);
  const answer = useAnswer(key, (signal) => ask({ family: 'administration', operation, values }, signal));
  return { ...answer, again: () => setVersion((before) => before + 1) };
}

/** Sends one change at a time; its failure is kept until the next one. */
export function useChange() {
  const { busy, error, run } = useAction();
  const change = <Name extends keyof Administration>(operation: Name, values: Request['values']) =>
    run(() => ask({ family: 'administration', operation, values }));
  return { busy, error, change };
}
