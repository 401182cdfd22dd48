import { useEffect, useState } from 'preact/hooks';
import type { SessionInfo } from './api/answers.ts';
import { currentSession, whenSignedOut } from './api/call.ts';
import type { CallError } from './api/call.ts';
import { Failed } from './parts/notice.tsx';
import { SessionContext } from './session.ts';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './shell/sign-in.tsx';

export function App() {
  const [session, setSession] = useState<SessionInfo | null>();
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    whenSignedOut(() => location.reload()); // nothing of one application may continue in another
    currentSession().then((found) => setSession(found ?? null), setError);
  }, []);

  if (error) return <Failed error={error} />;
  if (session === undefined) return null;
  if (session === null) return <SignIn onSignedIn={setSession} />;
  return (
    <SessionContext.Provider value={session}>
      <Shell session={session} />
    </SessionContext.Provider>
  );
}
