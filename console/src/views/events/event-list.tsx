import { useRef, useState } from 'preact/hooks';
import { relations } from '@sosia/client/result-info';
import type { Answers } from '@sosia/contract';
import { ask, requestFor, type Request } from '../../api/call.ts';
import { useAction, useAnswer, useRequest } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { ago, count } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { Id } from '../../parts/id.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Select, useFields } from '../../parts/fields.tsx';
import { useStore } from '../../parts/store.ts';
import { SentThumbnail, Shown, Thumbnail } from '../../parts/thumbnail.tsx';
import { Score, Verdict } from '../search/verdict.tsx';
import { EventDialog } from './event-dialog.tsx';
import { markRead, unread } from './unread.ts';
import { watchedPicture } from './watched-picture.ts';

export type Event = Answers['review']['ReviewEvents']['events'][number];

export type Search = Answers['review']['ListSavedSearches']['saved_searches'][number];

export const searchesRequest = requestFor('review', 'ListSavedSearches', { nb_results: 1000 });

/** The words for verdicts. */
export const verdictNames = { same: 'Right', different: 'Wrong', ignore: 'Ignored' } as const;

const states = { '': 'All', unread: 'Unread', open: 'Not judged', ...verdictNames } as const;

/** Decisions and relations to choose from; a name of the parameter stands before each. */
const kinds: [string, string][] = [
  ['', 'All'],
  ...['Clone', 'Match', 'Similar'].map((name): [string, string] => [`decision ${name}`, name]),
  ...relations.map((name): [string, string] => [`relation ${name}`, name]),
];

/** The highest id that the interface takes. */
const LAST = 999_999_999_999;

/** Events of the list, the latest first, and whether there are more. */
async function eventsOf(filter: Request['values'], most: number, signal: AbortSignal) {
  const events: Event[] = [];
  let before: number | undefined;
  do {
    const values = { ...filter, before, nb_results: most - events.length };
    const answer = await ask(requestFor('review', 'ReviewEvents', values), signal);
    events.push(...answer.events);
    before = answer.next;
  } while (before !== undefined && events.length < most);
  return { events, more: before !== undefined };
}

/** What saved searches found, the latest first; each opens with both pictures. */
export function EventList() {
  const { values, field } = useFields({ search: '', state: '' as keyof typeof states, kind: '' });
  const { search, state, kind } = values;
  const [most, setMost] = useState(48);
  const [opened, setOpened] = useState<{ readonly events: readonly Event[]; readonly at: number }>();
  const [parameter, ...name] = kind.split(' ');
  const filter = {
    search_id: search || undefined,
    state: state || undefined,
    ...(kind && { [parameter!]: name.join(' ') }),
  };
  const unreadCount = useStore(unread);
  const key = JSON.stringify([filter, most, unreadCount]);
  const shownKey = useRef(key);
  if (!opened) shownKey.current = key; // an open event stays where it is
  const { value, error, again } = useAnswer(shownKey.current, (signal) => eventsOf(filter, most, signal));
  const { error: failed, run } = useAction();
  const { value: saved } = useRequest(searchesRequest);
  const searches = saved?.saved_searches ?? [];
  const events = value?.events ?? [];
  return (
    <>
      <div class="row bar">
        <Select
          label="Saved search"
          options={[['', 'All'], ...searches.map(({ id }): [string, string] => [id, id])]}
          {...field('search')}
        />
        <Select label="Decision or relation" options={kinds} {...field('kind')} />
        <Select label="Show" options={Object.entries(states) as [typeof state, string][]} {...field('state')} />
        <span class="spring" />
        <Button
          text="Mark all as read"
          disabled={unreadCount === 0}
          onClick={() => void run(() => markRead(LAST, true))}
        />
      </div>
      <Failed error={failed ?? error} />
      <p class="count" role="status">
        {value && `${count(events.length, 'event')}${value.more ? ', the latest' : ''}`}
      </p>
      {value && events.length === 0 && <None filtered={search + state + kind !== ''} saved={saved?.nb_results_found} />}
      <ul class="tiles events" aria-label="Events, the latest first">
        {events.map((event, at) => (
          <li key={event.id}>
            <EventCard event={event} onOpen={() => setOpened({ events, at })} />
          </li>
        ))}
      </ul>
      {value?.more && most < 1000 && <Button text="Show more" onClick={() => setMost(Math.min(1000, 4 * most))} />}
      <CurlLine request={requestFor('review', 'ReviewEvents', { ...filter, nb_results: 48 })} />
      {opened && (
        <EventDialog
          key={opened.events[opened.at]!.id}
          event={opened.events[opened.at]!}
          at={opened.at}
          of={opened.events.length}
          search={searches.find(({ id }) => id === opened.events[opened.at]!.search_id)}
          onStep={(at) => opened.events[at] && setOpened({ ...opened, at })}
          onJudged={(judged) =>
            setOpened({ ...opened, events: opened.events.map((each) => (each.id === judged.id ? judged : each)) })
          }
          onClose={() => {
            setOpened(undefined);
            again();
          }}
        />
      )}
    </>
  );
}

function None({ filtered, saved }: { filtered: boolean; saved: number | undefined }) {
  if (filtered) return <Empty title="No such events" />;
  return (
    <Empty title="No events yet">
      {saved
        ? 'Each picture that is added from now on and that a saved search finds is an event.'
        : 'Save a search: each picture that is added from then on and that it finds is an event.'}
    </Empty>
  );
}

function EventCard({ event, onOpen }: { event: Event; onOpen: () => void }) {
  const { image_id, search_id, similarity, score, verdict } = event;
  const watched = watchedPicture(event);
  return (
    <button type="button" class={event.unread ? 'card event is-unread' : 'card event'} onClick={onOpen}>
      <span class="event-pictures">
        <Thumbnail id={image_id} />
        {watched ? <Shown source={watched} /> : <SentThumbnail jpeg={undefined} reason="a hash alone" />}
      </span>
      <span class="card-text">
        <span class="line ends event-line">
          <Id id={image_id} />
          <small>{ago(Date.parse(event.at))}</small>
        </span>
        <span class="line ends event-line">
          <Score score={score} similarity={similarity} />
          <Verdict decision={event.decision} {...(event.relation && { relation: event.relation })} />
        </span>
        <span class="line ends event-line soft">
          <span class="one-line">found by {search_id}</span>
          {verdict && (
            <span class="line">
              <Icon name={verdict.verdict === 'same' ? 'check' : 'close'} />
              {verdictNames[verdict.verdict]}
            </span>
          )}
        </span>
        {event.unread && <span class="hidden">unread</span>}
      </span>
    </button>
  );
}
