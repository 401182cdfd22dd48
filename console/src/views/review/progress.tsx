import { useEffect, useState } from 'preact/hooks';
import { ask } from '../../api/call.ts';
import type { CallError } from '../../api/call.ts';
import { useAnswer } from '../../parts/answer.ts';
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
  const [tick, setTick] = useState(0);
  const [failed, setFailed] = useState<CallError>();
  const { value, error } = useAnswer(tick, (signal) =>
    ask({ family: 'review', operation: 'GetReview', values: {} }, signal),
  );
  const state = value?.review;
  const running = state?.state === 'running';
  useEffect(() => {
    const timer = setTimeout(() => setTick((before) => before + 1), running ? 1000 : 5000);
    return () => clearTimeout(timer);
  }, [value, error, running]);
  const run = (operation: 'StartReview' | 'StopReview'): void => {
    setFailed(undefined);
    ask({ family: 'review', operation, values: {} }).then(
      () => setTick((before) => before + 1),
      (cause: unknown) => setFailed(cause as CallError),
    );
  };
  return { state, error: failed ?? error, run };
}

export function Progress({ review: { state, error, run } }: { review: Reviewing }) {
  if (!state) return <Failed error={error} />;
  const { compared, pictures, judged, later } = state;
  const running = state.state === 'running';
  return (
    <section class="surface review-progress" aria-label="Search for duplicates">
      <div>
        <p class="review-words" role="status">
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
        <button type="button" onClick={() => run('StopReview')}>
          Stop
        </button>
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
