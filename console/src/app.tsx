import { useEffect, useState } from 'preact/hooks';
import type { Session } from './api/answers.ts';
import { currentSession, whenSignedOut, type CallError } from './api/call.ts';
import { Failed } from './parts/notice.tsx';
import { SessionContext } from './session.ts';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './shell/sign-in.tsx';

/** Milliseconds before the next request where the service gives no session, such as during its start. */
const RETRY = 2000;

export function App() {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    whenSignedOut(() => location.reload()); // nothing of one application may continue in another
    const load = (): void => {
      currentSession().then(
        (current) => {
          setError(undefined);
          setSession(current);
        },
        (cause: unknown) => {
          setError(cause as CallError);
          setTimeout(load, RETRY);
        },
      );
    };
    load();
  }, []);

  if (error) return <Failed error={error} />;
  if (!session) return null;
  if (!session.session && !session.administrator) return <SignIn onSignedIn={setSession} />;
  return (
    <SessionContext.Provider value={session}>
      <Shell />
    </SessionContext.Provider>
  );
}
