import { useState } from 'preact/hooks';
import type { CallError } from '../../api/call.ts';
import { count, whole } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { Failed } from '../../parts/notice.tsx';
import { useStore } from '../../parts/store.ts';
import { findDuplicates, found, stop } from './find-duplicates.ts';

/** The search for duplicates: how far it is, and the button that starts it. */
export function Progress({ pictures }: { pictures: number | undefined }) {
  const { state, compared, pictures: listed } = useStore(found);
  const [error, setError] = useState<CallError>();
  const running = state === 'running';
  const total = Math.max(running ? listed : (pictures ?? listed), compared);
  const start = (): void => {
    setError(undefined);
    findDuplicates().catch((cause: unknown) => setError(cause as CallError));
  };
  return (
    <section class="surface review-progress" aria-label="Search for duplicates">
      <p class="review-words" role="status">
        {running
          ? `Comparing ${whole(compared)} of ${count(total, 'picture')} …`
          : compared < total
            ? `${count(total - compared, 'picture')} not compared yet`
            : `All ${count(total, 'picture')} compared`}
      </p>
      {running && <progress aria-label="Pictures compared" max={Math.max(1, total)} value={compared} />}
      <span class="spring" />
      {running ? (
        <button type="button" onClick={stop}>
          Stop
        </button>
      ) : (
        <button type="button" class={compared < total ? 'main' : ''} disabled={total === 0} onClick={start}>
          <Icon name="search" />
          Find duplicates
        </button>
      )}
      <Failed error={error} />
    </section>
  );
}
