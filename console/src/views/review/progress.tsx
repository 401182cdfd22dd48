import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../api/call.ts';
import type { CallError } from '../../api/call.ts';
import { useAction } from '../../parts/action.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { count, whole } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { Failed } from '../../parts/notice.tsx';
import type { ReviewProgress } from './review-requests.ts';

export interface Reviewing {
  readonly state: ReviewProgress | undefined;
  readonly error: CallError | undefined;
  readonly run: (operation: 'StartReview' | 'StopReview') => void;
}

/** The comparison, which the service runs; its progress is read more often while it runs. */
export function useReview(): Reviewing {
  const [running, setRunning] = useState(false);
  const { value, error, again } = useAnswer(
    'review',
    (signal) => ask({ family: 'review', operation: 'GetReview', values: {} }, signal),
    { every: running ? 1000 : 5000 },
  );
  const { error: failed, run } = useAction();
  const state = value?.review;
  useEffect(() => setRunning(state?.state === 'running'), [state]);
  return {
    state,
    error: failed ?? error,
    run: (operation) => {
      void run(() => ask({ family: 'review', operation, values: {} })).then(again);
    },
  };
}

export function Progress({ review: { state, error, run } }: { review: Reviewing }) {
  if (!state) return <Failed error={error} />;
  const { compared, pictures, judged, later } = state;
  const running = state.state === 'running';
  return (
    <section class="surface row review-progress" aria-label="Search for duplicates">
      <div>
        <p class="figure" role="status">
          {running
            ? `Comparing ${whole(compared)} of ${count(pictures, 'picture')} …`
            : compared < pictures
              ? `${count(pictures - compared, 'picture')} not compared yet`
              : `All ${count(pictures, 'picture')} compared`}
        </p>
        <p class="soft">
          {count(judged, 'verdict')}, {whole(later)} put off
        </p>
      </div>
      {running && <progress aria-label="Pictures compared" max={Math.max(1, pictures)} value={compared} />}
      <span class="spring" />
      {running ? (
        <Button text="Stop" onClick={() => run('StopReview')} />
      ) : (
        <button
          type="button"
          class={compared < pictures ? 'main' : ''}
          disabled={compared >= pictures}
          onClick={() => run('StartReview')}
        >
          <Icon name="search" />
          Find duplicates
        </button>
      )}
      <Failed error={error} />
    </section>
  );
}
