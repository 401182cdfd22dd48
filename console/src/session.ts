import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { Scope } from '@sosia/contract';
import type { AdministratorInfo, Session, SessionInfo } from './api/answers.ts';

export const SessionContext = createContext<Session>({ session: null, administrator: null });

/** The session with an application; only in the views of an application. */
export function useSession(): SessionInfo {
  return useContext(SessionContext).session!;
}

export function useApplication(): SessionInfo['application'] {
  return useSession().application;
}

/** The application, for views that also show themselves without one. */
export function useChosenApplication(): SessionInfo['application'] | undefined {
  return useContext(SessionContext).session?.application;
}

/** Null where the key of the session is not an administrator's. */
export function useAdministrator(): AdministratorInfo | null {
  return useContext(SessionContext).administrator;
}

/** What the session may do with its application. */
export function useScopes(): readonly Scope[] {
  return useContext(SessionContext).session?.key.scopes ?? [];
}
