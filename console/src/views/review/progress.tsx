import { useEffect, useRef, useState } from 'preact/hooks';
import { ask, requestFor } from '../../api/call.ts';
import { useChanging } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { count, duration, whole } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { linkTo } from '../../route.ts';
import type { ReviewProgress } from './review-requests.ts';

/** The comparison, which the service runs; its progress is read more often while it runs. */
export function useReview() {
  const [running, setRunning] = useState(false);
  const timing = { every: running ? 1000 : 5000 };
  const { value, error, act, again } = useChanging(requestFor('review', 'GetReview'), timing);
  const state = value?.review;
  const begun = useRef<{ at: number; compared: number }>();
  if (state?.state !== 'running') begun.current = undefined;
  else begun.current ??= { at: performance.now(), compared: state.compared };
  useEffect(() => setRunning(state?.state === 'running'), [state]);
  const run = (operation: 'StartReview' | 'StopReview') => void act(() => ask(requestFor('review', operation)));
  return { state, error, again, run, left: state && begun.current && timeLeft(state, begun.current) };
}

/** Milliseconds until the comparison ends at its pace so far; undefined while that is unknown. */
function timeLeft({ compared, pictures }: ReviewProgress, begun: { at: number; compared: number }): number | undefined {
  const done = compared - begun.compared;
  return done > 0 ? ((performance.now() - begun.at) / done) * (pictures - compared) : undefined;
}

export function Progress({ review: { state, error, run, left } }: { review: ReturnType<typeof useReview> }) {
  if (!state) return <Failed error={error} />;
  const { compared, pictures, similar } = state;
  const running = state.state === 'running';
  return (
    <section class="row review-progress" aria-label="Search for duplicates">
      <p role="status">
        {running
          ? `Comparing ${whole(compared)} of ${count(pictures, 'picture')} …`
          : compared < pictures
            ? `${count(pictures - compared, 'picture')} not compared yet`
            : `All ${count(pictures, 'picture')} compared`}
      </p>
      <p class="soft">
        {running
          ? left && `${duration(left)} left`
          : similar > 0 && (
              <a href={linkTo('review', { queue: 'similar' })}>{count(similar, 'pair')} of similar pictures</a>
            )}
      </p>
      {running && <progress aria-label="Pictures compared" max={Math.max(1, pictures)} value={compared} />}
      {running ? (
        <Button text="Stop" onClick={() => run('StopReview')} />
      ) : (
        compared < pictures && (
          <Button kind="main" icon="search" text="Find duplicates" onClick={() => run('StartReview')} />
        )
      )}
      <Failed error={error} />
    </section>
  );
}
