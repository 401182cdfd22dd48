import { scopes } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import type { HttpContext } from './context.ts';

/** Applications by their keys, each with all scopes. */
export function callersOf(find: (key: string) => Application | undefined): HttpContext['applications'] {
  function caller(key: string): Caller | undefined {
    const application = find(key);
    return application && { key: { id: 'first', name: 'first', digest: key, hint: '', scopes }, application };
  }
  return { recognize: caller, caller, withNumber: () => undefined };
}
