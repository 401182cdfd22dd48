import { scopes } from '@sosia/contract';
import type { Application } from '../applications/application.ts';
import type { Caller } from '../applications/applications.ts';
import type { HttpContext } from './context.ts';

/** Applications by their keys, each with all scopes. */
export function callersOf(find: (key: string) => Application | undefined): HttpContext['applications'] {
  function caller(key: string): Caller | undefined {
    const application = find(key);
    const created = '2026-01-01T00:00:00.000Z';
    return application && { key: { id: 'first', name: 'first', digest: key, hint: '', scopes, created }, application };
  }
  return { recognize: caller, caller, withNumber: () => undefined };
}
