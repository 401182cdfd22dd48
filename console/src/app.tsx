import { useEffect, useState } from 'preact/hooks';
import type { Session } from './api/answers.ts';
import { currentSession, whenSignedOut, type CallError, signIn } from './api/call.ts';
import { Failed } from './parts/notice.tsx';
import { SessionContext } from './session.ts';
import { Shell } from './shell/shell.tsx';
import { useAction } from './parts/answer.ts';

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

function SignIn({ onSignedIn }: { onSignedIn: (session: Session) => void }) {
  const [key, setKey] = useState('');
  const { busy, error, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(async () => onSignedIn(await signIn(key.trim())));
  };
  return (
    <main class="sign-in">
      <form class="surface stack" onSubmit={submit}>
        <p class="line name">
          <img src="icon.svg" alt="" width="36" height="36" />
          Sosia
        </p>
        <h1>Sign in</h1>
        <label class="field">
          <span class="label">Key</span>
          <input
            type="password"
            name="application_key"
            autocomplete="current-password"
            spellcheck={false}
            autofocus
            required
            value={key}
            onInput={(event) => setKey(event.currentTarget.value)}
          />
        </label>
        <button type="submit" class="main" disabled={busy}>
          Sign in
        </button>
        <Failed error={error} />
        <small>
          The first start of the service prints an administrator's key, with which applications are made. The key of an
          application opens this application alone. A key stays out of addresses and out of this browser's storage.
        </small>
      </form>
    </main>
  );
}
