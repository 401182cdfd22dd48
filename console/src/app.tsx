import { useEffect, useState } from 'preact/hooks';
import type { Session } from './api/answers.ts';
import { currentSession, whenSignedOut } from './api/call.ts';
import type { CallError } from './api/call.ts';
import { Failed } from './parts/notice.tsx';
import { SessionContext } from './session.ts';
import { Shell } from './shell/shell.tsx';
import { SignIn } from './shell/sign-in.tsx';

export function App() {
  const [session, setSession] = useState<Session>();
  const [error, setError] = useState<CallError>();
  useEffect(() => {
    whenSignedOut(() => location.reload()); // nothing of one application may continue in another
    currentSession().then(setSession, setError);
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
