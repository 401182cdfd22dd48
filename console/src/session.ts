import { createContext } from 'preact';
import { useContext } from 'preact/hooks';
import type { SessionInfo } from './api/answers.ts';

export const SessionContext = createContext<SessionInfo | undefined>(undefined);

/** The current session; only below the sign-in. */
export function useSession(): SessionInfo {
  return useContext(SessionContext)!;
}

/** The application of the session; only in the views of an application. */
export function useApplication(): SessionInfo['application'] {
  return useSession().application;
}
