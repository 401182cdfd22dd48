import type { Origin } from '@sosia/contract';
import type { Image } from '../../api/answers.ts';
import { originalOf, ask, requestFor } from '../../api/call.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { FoundCount } from '../../parts/found-count.tsx';
import { Icon } from '../../parts/icon.tsx';
import { MetadataTable } from '../../parts/metadata.tsx';
import { Stepper, stepOf } from '../../parts/stepper.tsx';
import { linkTo } from '../../route.ts';
import { useApplication, useScopes } from '../../session.ts';
import { matchInfoOf, type MatchInfo } from './match-info.ts';
import { Places } from './places.tsx';
import type { SearchRequest } from './search-request.ts';
import { Meaning, Score, Verdict } from './verdict.tsx';
import { useState } from 'preact/hooks';
import { useAction } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/notice.tsx';

interface MatchViewProps {
  readonly image: Image;
  /** Its place in the list. */
  readonly at: number;
  readonly of: number;
  /** Shows the query; undefined if there is no picture of it. */
  readonly query: string | undefined;
  readonly request: SearchRequest;
  readonly onStep: (to: number) => void;
  readonly onClose: () => void;
}

/** One result beside the query: where they match, why, and one as an overlay on the other. */
export function MatchView({ image, at, of, query, request, onStep, onClose }: MatchViewProps) {
  const info = matchInfoOf(image);
  return (
    <Dialog
      title={image.id}
      onClose={onClose}
      onKey={(key) => onStep(at + stepOf(key))}
      head={<Stepper what="result" at={at} of={of} onStep={onStep} />}
    >
      <MatchFacts image={image} info={info} request={request} onClose={onClose} />
      <Meaning {...info} />
      {image.ignored && <p class="lead">Both pictures have only a picture of the ignore list in common.</p>}
      <FoundCount id={image.id} />
      {image.metadata && <MetadataTable metadata={image.metadata} />}
      <Places
        id={image.id}
        places={query ? info.places : undefined}
        query={query}
        names={['the query', image.id]}
        request={request}
      />
    </Dialog>
  );
}

/** Where the picture lies, which opens it. @param id  undefined where the service no longer has it */
export function OriginLine({ id, origin }: { id: string | undefined; origin: Origin }) {
  const { source, path, bucket, key, address, time, interval = [time!, time!] } = origin;
  const href = address ?? (id && originalOf(id));
  const place = address ?? path ?? `${bucket}/${key}`;
  return (
    <span class="soft">
      {source}:{' '}
      {href ? (
        <a href={href} target="_blank" rel="noreferrer" title="Open the original">
          {place}
        </a>
      ) : (
        place
      )}
      {time !== undefined && ` at ${[...new Set(interval.map(clock))].join(' to ')}`}
    </span>
  );
}

/** Seconds of a film. */
function clock(seconds: number): string {
  return new Date(1000 * seconds).toISOString().slice(11, 19);
}

type MatchFactsProps = Pick<MatchViewProps, 'image' | 'request' | 'onClose'> & { readonly info: MatchInfo };

function MatchFacts({ image, info, request, onClose }: MatchFactsProps) {
  const { traits } = useApplication();
  const scopes = useScopes();
  return (
    <div class="row">
      <Verdict {...info} />
      <Score score={image.score} similarity={image.similarity} />
      {[{ name: '', score: image.score }, ...info.parts].map(({ name, score }) => (
        <span key={name} class="soft">
          {name} score <span>{score.toFixed(4)}</span>
        </span>
      ))}
      {image.keywords.length > 0 && <span class="soft">{image.keywords.join(' · ')}</span>}
      {image.origin && <OriginLine id={image.id} origin={image.origin} />}
      <span class="spring" />
      {scopes.includes('add') && <MarkWrong id={image.id} request={request} />}
      {traits.symmetric && (
        <a class="button quiet" href={linkTo('search', { id: image.id })} onClick={onClose}>
          <Icon name="search" />
          Search with this one
        </a>
      )}
    </div>
  );
}

/** Marks a result as wrong; the review then lists it. */
function MarkWrong({ id, request }: { id: string; request: SearchRequest }) {
  const [marked, setMarked] = useState(false);
  const { busy, error, run } = useAction();
  const { image_id: query_id, image_content, dna } = request.values;
  if (query_id === id || !(query_id ?? image_content ?? dna)) return null;
  const mark = async (): Promise<void> => {
    const values = { image_id: id, query_id, image_content, dna };
    await ask(requestFor('review', 'MarkWrong', values));
    setMarked(true);
  };
  if (marked) {
    return (
      <span role="status">
        Marked as wrong, see <a href={linkTo('review', { queue: 'wrong' })}>Review</a>
      </span>
    );
  }
  return (
    <>
      <Button kind="quiet" icon="alert" text="This is wrong" disabled={busy} onClick={() => void run(mark)} />
      <Failed error={error} />
    </>
  );
}
