import { useRef, useState, useEffect } from 'preact/hooks';
import { relations } from '@sosia/client/result-info';
import type { Answers, EventVerdict } from '@sosia/contract';
import { ask, requestFor, thumbnailOf, useScopes, type Request } from '../../api/call.ts';
import { useAction, useAnswer, useRequest, CurlLine, Empty, Failed } from '../../parts/answer.tsx';
import { Button, Icon, Choice, Stepper, stepOf } from '../../parts/controls.tsx';
import { ago, count, dateOf } from '../../parts/figures.ts';
import { Id, SentThumbnail, Shown, Thumbnail } from '../../parts/pictures.tsx';
import { Select, useFields } from '../../parts/fields.tsx';
import { useStore } from '../../parts/store.ts';
import { Score, Verdict, Meaning } from '../search/verdict.tsx';
import { markRead, unread } from './unread.ts';
import { watchedPicture, isReference } from './watched-picture.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { linkTo } from '../../route.ts';
import { undoVerdicts } from '../review/review-requests.ts';
import { matchInfoOf } from '../search/match-info.ts';
import { OriginLine } from '../search/match-view.tsx';
import { Places } from '../search/results.tsx';

export type Event = Answers['review']['ReviewEvents']['events'][number];

export type Search = Answers['review']['ListSavedSearches']['saved_searches'][number];

export const searchesRequest = requestFor('review', 'ListSavedSearches', { nb_results: 1000 });

/** The words for verdicts. */
const verdictNames = { same: 'Right', different: 'Wrong', ignore: 'Ignored' } as const;

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

interface EventDialogProps {
  readonly event: Event;
  readonly at: number;
  readonly of: number;
  /** Undefined where it was deleted. */
  readonly search: Search | undefined;
  readonly onStep: (to: number) => void;
  /** With its new verdict. */
  readonly onJudged: (event: Event) => void;
  readonly onClose: () => void;
}

const choices = [
  ['same', 'Right', 'R'],
  ['different', 'Wrong', 'W'],
  ['ignore', 'Ignore', 'I'],
] as const;
const keys: Readonly<Record<string, EventVerdict>> = { r: 'same', w: 'different', i: 'ignore' };

/** The added picture beside the one that was searched for, with the place of the match. */
function EventDialog({ event, at, of, search, onStep, onJudged, onClose }: EventDialogProps) {
  const { id, image_id, search_id, watched, watched_in, hash, similarity, score } = event;
  useEffect(() => {
    if (event.unread) void markRead(id);
  }, [id]);
  const info = matchInfoOf(event);
  const judges = useScopes().includes('add');
  const { error, run } = useAction();
  const judge = (chosen: EventVerdict | ''): void =>
    void run(async () => {
      if (chosen === event.verdict?.verdict) {
        const { verdict, ...open } = event;
        await undoVerdicts([verdict!.id]);
        onJudged(open);
      } else if (chosen) {
        const values = { event_id: id, verdict: chosen };
        const { verdict } = await ask(requestFor('review', 'JudgeEvent', values));
        onJudged({ ...event, verdict: { id: verdict, verdict: chosen } });
      }
    });
  const byId = isReference(event);
  return (
    <Dialog
      title={image_id}
      onClose={onClose}
      onKey={(key) => (keys[key] && judges ? judge(keys[key]) : onStep(at + stepOf(key)))}
      head={<Stepper what="event" at={at} of={of} onStep={onStep} />}
    >
      <div class="row">
        <Verdict {...info} />
        <Score score={score} similarity={similarity} />
        <span class="soft">score {score.toFixed(4)}</span>
        <span class="soft">{dateOf(event.at)}</span>
        <span class="spring" />
        {judges && <Choice label="Verdict" value={event.verdict?.verdict ?? ''} options={choices} onChange={judge} />}
      </div>
      <Failed error={error} />
      <Meaning {...info} />
      <Places
        id={watched}
        places={info.places}
        query={thumbnailOf(image_id)}
        reference={watchedPicture(event) ?? ''}
        names={['the added picture', 'the saved one']}
        request={byId ? requestFor('enginequery', 'SearchImageById', { image_id }) : undefined}
      />
      <div class="halves">
        <Side title="Added" id={image_id} origin={event.origin}>
          {event.count > 1 && (
            <p class="soft">
              Added {count(event.count, 'time')} within a day, also as {event.repeats.join(', ')}
            </p>
          )}
        </Side>
        <Side
          title={`${hash ? 'List of hashes' : 'Saved search'} ${search_id}`}
          id={byId ? watched : undefined}
          origin={event.watched_origin}
        >
          {watched_in && (
            <p>
              {watched_in.image_id} of {watched_in.application}
            </p>
          )}
          <Why event={event} search={search} />
        </Side>
      </div>
    </Dialog>
  );
}

/** The hash of a list that was near, or who saved the search. */
function Why({ event: { hash }, search }: Pick<EventDialogProps, 'event' | 'search'>) {
  if (hash) return <p>{`${hash.label ?? hash.pdq}: ${hash.distance} of 256 bits differ`}</p>;
  const saved = search ? `Saved ${dateOf(search.added)} by ${search.who}` : 'The saved search was deleted.';
  return <p class="soft">{saved}</p>;
}

interface SideProps {
  readonly title: string;
  /** Of a reference picture; undefined for a picture that was saved alone. */
  readonly id: string | undefined;
  readonly origin: Event['origin'];
  readonly children: preact.ComponentChildren;
}

/** Where one of both pictures comes from. */
function Side({ title, id, origin, children }: SideProps) {
  const { value, error } = useRequest(
    id === undefined ? undefined : requestFor('enginequery', 'GetImageById', { image_id: id }),
  );
  return (
    <section>
      <h2>{title}</h2>
      {id && <p>{error ? `${id} is no longer there.` : <a href={linkTo('search', { id })}>{id}</a>}</p>}
      {origin && <OriginLine id={error ? undefined : id} origin={origin} />}
      {value && value.image.keywords.length > 0 && <p class="soft">{value.image.keywords.join(' · ')}</p>}
      {children}
    </section>
  );
}
