import { useState } from 'preact/hooks';
import type { ApplicationActivity, ApplicationStatus } from '../../api/answers.ts';
import { get, requestFor } from '../../api/call.ts';
import { useAnswer, useRequest } from '../../parts/answer.ts';
import { Chart } from '../../parts/chart.tsx';
import { Choice } from '../../parts/choice.tsx';
import { bytes, time, whole, ago, count } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { linkTo, go } from '../../route.ts';
import { useApplication, useScopes } from '../../session.ts';
import { FirstSteps } from './first-steps.tsx';
import { mean, periods, summed, total, type Period } from './intervals.ts';
import { keepPicture, useKeptPicture } from '../../intake/kept-pictures.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Icon } from '../../parts/icon.tsx';
import { SampleQueries } from '../search/sample-queries.tsx';
import { useObjectUrl } from '../../parts/object-url.ts';
import { useStore } from '../../parts/store.ts';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { recentSearches, type RecentSearch } from '../search/recent-searches.ts';
import { Id } from '../../parts/id.tsx';

/** The application at a glance: its size, its last hours, and where to go on. */
export function HomeView() {
  const { traits } = useApplication();
  const every = 10_000;
  const status = useAnswer('status', (signal) => get<ApplicationStatus>('status', signal), { every });
  const activity = useAnswer('activity', (signal) => get<ApplicationActivity>('activity', signal), { every });
  const scopes = useScopes();
  const searches = scopes.includes('search');
  const empty = traits.references && status.value?.count === 0 && scopes.includes('add');
  return (
    <div class="stack">
      <Failed error={status.error ?? activity.error} />
      {empty && <FirstSteps />}
      {status.value && activity.value && !empty && <Figures status={status.value} activity={activity.value} />}
      {status.value && !empty && searches && (
        <div class="halves">
          <StartSearch />
          <RecentSearches />
        </div>
      )}
      {traits.references && !empty && searches && <MostFound />}
      {activity.value && (!empty || total(activity.value.others) > 0) && <LastHours activity={activity.value} />}
    </div>
  );
}

function Figures({ status, activity }: { status: ApplicationStatus; activity: ApplicationActivity }) {
  const { traits } = useApplication();
  const operations = summed(activity.searches, activity.additions, activity.deletions, activity.others);
  const answered = total(operations);
  const slowest = Math.max(...activity.slowest_ms);
  const [failures, refusals] = [total(activity.failures), total(activity.refusals)];
  return (
    <ul class="halves figures">
      {traits.references && (
        <Figure
          name="Pictures"
          value={whole(status.count)}
          about={status.index_bytes > 0 ? `${bytes(status.index_bytes)} of memory` : 'in the cluster'}
          to="pictures"
        />
      )}
      <Figure name="Searches" value={whole(total(activity.searches))} about="since the start, 24 hours at most" />
      <Figure
        name="Additions by request"
        value={whole(total(activity.additions))}
        about="since the start, 24 hours at most"
      />
      <Figure
        name="Answer time"
        value={answered > 0 ? time(mean(activity.total_ms, operations)) : '–'}
        about={answered > 0 ? `mean; ${time(slowest)} at most` : 'no operation yet'}
      />
      <Figure
        name="Failures"
        value={whole(failures)}
        about={`and ${whole(refusals)} refused ${refusals === 1 ? 'request' : 'requests'}`}
        to="status"
        bad={failures > 0}
      />
    </ul>
  );
}

interface FigureProps {
  readonly name: string;
  readonly value: string;
  readonly about: string;
  readonly to?: string;
  readonly bad?: boolean;
}

function Figure({ name, value, about, to, bad = false }: FigureProps) {
  return (
    <li>
      <a class="surface" href={to && linkTo(to)}>
        <strong>{name}</strong>
        <span class={bad ? 'figure-value is-bad' : 'figure-value'}>{value}</span>
        <small>{about}</small>
      </a>
    </li>
  );
}

/** The operations and their times, of the last hours or of the day. */
function LastHours({ activity }: { activity: ApplicationActivity }) {
  const [period, setPeriod] = useState<Period>('3 hours');
  const { bars, each } = periods[period];
  const grouped = (values: readonly number[]): number[] =>
    Array.from({ length: bars }, (_, i) => total(values.slice(values.length - (bars - i) * each).slice(0, each)));
  const { searches, additions, deletions, others, total_ms, seconds } = activity;
  const operations = grouped(summed(searches, additions, deletions, others));
  const times = grouped(total_ms).map((ms, i) => (operations[i]! > 0 ? ms / operations[i]! : 0));
  const at = (index: number): string => {
    const minutes = (bars - 1 - index) * each * (seconds / 60);
    if (minutes === 0) return 'now';
    return minutes < 60 ? `${minutes} min ago` : `${Math.round(minutes / 6) / 10} h ago`;
  };
  return (
    <section class="surface" aria-labelledby="last-hours">
      <div class="row bar">
        <h2 id="last-hours">The last {period}</h2>
        <span class="spring" />
        <Choice
          label="Period"
          value={period}
          options={(Object.keys(periods) as Period[]).map((one) => [one, one])}
          onChange={setPeriod}
        />
      </div>
      <div class="halves">
        <Chart
          title="Operations"
          at={at}
          series={[
            { name: 'searches', tone: 'var(--accent)', values: grouped(searches) },
            { name: 'additions', tone: 'var(--second)', values: grouped(additions) },
            { name: 'others', tone: 'var(--third)', values: grouped(summed(deletions, others)) },
          ]}
        />
        <Chart
          title="Mean answer time"
          at={at}
          format={time}
          sum={false}
          series={[{ name: 'time', tone: 'var(--accent)', values: times }]}
        />
      </div>
    </section>
  );
}

/** A place to begin: the picture leads to its results. */
function StartSearch() {
  const { traits } = useApplication();
  const take = (file: File): void =>
    go(linkTo(traits.references ? 'search' : 'filter', { picture: keepPicture(file) }));
  return (
    <section class="surface" aria-labelledby="start">
      <h2 id="start">{traits.references ? 'Search with a picture' : 'Classify a picture'}</h2>
      <DropZone label="Choose a picture" onFiles={([first]) => take(first!.file)}>
        <p>
          <Icon name="upload" />
          Drop or paste a picture, or its address, anywhere on this page.
        </p>
      </DropZone>
      <SampleQueries onFile={(file) => take(file)} />
    </section>
  );
}

/** The last searches of this browser; each opens again. */
function RecentSearches() {
  const { name, traits } = useApplication();
  const searches = useStore(recentSearches)[name] ?? [];
  if (!traits.references) return null;
  return (
    <section class="surface" aria-labelledby="recent">
      <h2 id="recent">Recent searches</h2>
      {searches.length === 0 ? (
        <p class="soft">Your last 12 searches in this browser are listed here until you sign out.</p>
      ) : (
        <ul class="tiles recent">
          {searches.map((search) => (
            <li key={search.to}>
              <a class="line" href={search.to}>
                <span class="picture small">
                  <Start {...search} />
                </span>
                <span class="card-text">
                  <span class="one-line">{search.label}</span>
                  <small>
                    {count(search.found, 'picture')} · {ago(search.at)}
                  </small>
                </span>
              </a>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}

function Start({ picture = '', reference }: RecentSearch) {
  const file = useKeptPicture(picture);
  const url = useObjectUrl(file ?? undefined);
  if (reference) return <Thumbnail id={reference} />;
  return url ? <img src={url} alt="" /> : <Icon name="search" />;
}

/** Pictures shown. */
const SHOWN = 6;

/** The pictures that searches find most often. */
function MostFound() {
  const { traits } = useApplication();
  const { value } = useRequest(requestFor('review', 'ListMatchCounts', { nb_results: SHOWN }));
  if (!value || value.images.length === 0) return null;
  return (
    <section class="surface" aria-labelledby="most-found">
      <h2 id="most-found">Found most often</h2>
      <ul class="tiles small">
        {value.images.map(({ id, found, last }) => (
          <li key={id}>
            <a class="card-text" href={traits.symmetric ? linkTo('search', { id }) : linkTo('pictures')}>
              <span class="picture">
                <Thumbnail id={id} />
              </span>
              <Id id={id} />
              <span class="soft">
                {count(found, 'time')}, {ago(Date.parse(last))}
              </span>
            </a>
          </li>
        ))}
      </ul>
    </section>
  );
}
