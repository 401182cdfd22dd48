import { useEffect } from 'preact/hooks';
import type { EventVerdict } from '@sosia/contract';
import { ask, requestFor, thumbnailOf } from '../../api/call.ts';
import { useAction, useRequest } from '../../parts/answer.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { count, dateOf } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { Stepper, stepOf } from '../../parts/stepper.tsx';
import { linkTo } from '../../route.ts';
import { useScopes } from '../../session.ts';
import { undoVerdicts } from '../review/review-requests.ts';
import { matchInfoOf } from '../search/match-info.ts';
import { OriginLine } from '../search/match-view.tsx';
import { Places } from '../search/places.tsx';
import { Meaning, Score, Verdict } from '../search/verdict.tsx';
import type { Event, Search } from './event-list.tsx';
import { markRead } from './unread.ts';
import { isReference, watchedPicture } from './watched-picture.ts';

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
export function EventDialog({ event, at, of, search, onStep, onJudged, onClose }: EventDialogProps) {
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
