import { useState } from 'preact/hooks';
import type { FormValue } from '@sosia/client/form';
import type { Origin } from '@sosia/contract';
import type { Found, Image, Point } from '../../api/answers.ts';
import { ask, thumbnailOf } from '../../api/call.ts';
import type { SearchRequest } from './search-request.ts';
import { Aligned, Differences, differing } from '../compare/differences.tsx';
import { keepPicture } from '../../intake/kept-pictures.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Icon } from '../../parts/icon.tsx';
import { FoundCount } from '../../parts/found-count.tsx';
import { MetadataTable } from '../../parts/metadata.tsx';
import { Failed } from '../../parts/notice.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { go, linkTo } from '../../route.ts';
import { useApplication, useScopes } from '../../session.ts';
import { matchInfoOf, verdictOf } from './match-info.ts';
import type { MatchInfo } from './match-info.ts';
import { MarkWrong } from './mark-wrong.tsx';
import { Pair } from './pair.tsx';
import { Score, Verdict } from './verdict.tsx';

interface MatchViewProps {
  readonly image: Image;
  readonly rank: number;
  readonly of: number;
  /** Shows the query; undefined if there is no picture of it. */
  readonly query: string | undefined;
  readonly request: SearchRequest;
  readonly onStep: (step: 1 | -1) => void;
  readonly onClose: () => void;
}

const forms = [
  ['pair', 'Side by side'],
  ['overlay', 'Overlay'],
  ['differences', 'Differences'],
] as const;

/** One result beside the query: where they match, why, and one as an overlay on the other. */
export function MatchView({ image, rank, of, query, request, onStep, onClose }: MatchViewProps) {
  const info = matchInfoOf(image);
  const { places } = info;
  const keys: Record<string, () => void> = { ArrowLeft: () => onStep(-1), ArrowRight: () => onStep(1) };
  const head = (
    <div class="row">
      <span class="soft">
        {rank} of {of}
      </span>
      <Button kind="quiet" icon="left" label="Result before" disabled={rank === 1} onClick={() => onStep(-1)} />
      <Button kind="quiet" icon="right" label="Next result" disabled={rank === of} onClick={() => onStep(1)} />
    </div>
  );
  return (
    <Dialog title={image.id} onClose={onClose} onKey={(key) => keys[key]?.()} head={head}>
      <MatchFacts image={image} info={info} request={request} onClose={onClose} />
      {info.decision && (
        <p class="lead">
          {verdictOf(info.decision, info.relation).sentence}
          {info.agreeing !== undefined && ` ${Math.round(info.agreeing * 100)} % of what both show agrees.`}
        </p>
      )}
      {image.ignored && <p class="lead">Both pictures have only a picture of the ignore list in common.</p>}
      <FoundCount id={image.id} />
      {image.metadata && <MetadataTable metadata={image.metadata} />}
      {places && query ? (
        <Places id={image.id} places={places} query={query} request={request} />
      ) : (
        <div class="beside">
          {query && (
            <figure>
              <img class="picture whole" src={query} alt="" />
              <figcaption>Query</figcaption>
            </figure>
          )}
          <figure>
            <span class="picture whole">
              <Thumbnail id={image.id} />
            </span>
            <figcaption>{image.id}</figcaption>
          </figure>
        </div>
      )}
    </Dialog>
  );
}

/** Where the picture lies. */
function OriginLine({ origin: { source, path, bucket, key, address } }: { origin: Origin }) {
  return (
    <span class="soft">
      {source}:{' '}
      {address ? (
        <a href={address} target="_blank" rel="noreferrer">
          {address}
        </a>
      ) : (
        <code>{path ?? `${bucket}/${key}`}</code>
      )}
    </span>
  );
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
      {image.origin && <OriginLine origin={image.origin} />}
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

interface PlacesProps {
  readonly id: string;
  readonly places: NonNullable<MatchInfo['places']>;
  readonly query: string;
  readonly request: SearchRequest;
}

/** Both pictures with the place of the match, in one of three forms. */
function Places({ id, places, query, request }: PlacesProps) {
  const { traits } = useApplication();
  const [shown, setShown] = useState<(typeof forms)[number][0]>('pair');
  const [why, setWhy] = useState(false);
  const { value: explained, error } = useAnswer(why ? id : undefined, async (signal) => {
    const values = { ...request.values, ids_list: id, explain: 1, starting_index: undefined, nb_results: 1 };
    const { images }: Found = await ask({ ...request, values }, signal);
    return images[0]?.explanation;
  });
  const side = traits.fineComparison ? sideOf(request) : undefined;
  const reference = thumbnailOf(id);
  const lines = explained?.correspondences ?? [];
  return (
    <>
      <Choice
        label="How the two are shown"
        value={shown}
        options={side ? forms : forms.slice(0, 2)}
        onChange={setShown}
      >
        {shown === 'pair' && (
          <button type="button" aria-pressed={why} onClick={() => setWhy(!why)}>
            {explained ? `${lines.length} correspondences` : 'Why?'}
          </button>
        )}
      </Choice>
      {shown === 'differences' && <Compared id={id} side={side} onOpen={() => openComparison(request, id)} />}
      {shown === 'overlay' && (
        <Overlay
          query={{ source: query, frame: places.query.frame }}
          reference={{ source: reference, frame: places.reference.frame }}
          homography={places.homography}
          start={middleOf(places.query.box)}
        />
      )}
      {shown === 'pair' && (
        <>
          <Pair places={places} query={query} reference={reference} correspondences={lines} />
          <p class="soft">
            Left the query, right the reference. The boxes mark what both show
            {explained && `; of ${explained.alike} features that look alike, those with a line agree on one place`}.
          </p>
        </>
      )}
      <Failed error={error} />
    </>
  );
}

/** The query of a FineComparison without another upload; undefined if the page has sent its DNA alone. */
function sideOf({ values: { image_content, image_id } }: SearchRequest): Record<string, FormValue> | undefined {
  if (image_content) return { query_image: image_content };
  return image_id ? { query_id: image_id } : undefined;
}

interface ComparedProps {
  readonly id: string;
  readonly side: Record<string, FormValue> | undefined;
  /** Opens the view Compare with the same two. */
  readonly onOpen: () => void;
}

function Compared({ id, side, onOpen }: ComparedProps) {
  const { value: compared, error } = useAnswer(id, (signal) => {
    const values = { reference_id: id, ...side };
    return ask({ family: 'enginequery', operation: 'FineComparison', values }, signal);
  });
  if (!compared) return error ? <Failed error={error} /> : <p class="soft">Comparing …</p>;
  return (
    <>
      <Aligned {...compared} />
      <p class="soft" role="status">
        {differing(compared)}. This is coarse: the thumbnail was compared, so that the smallest differences may be
        missing.
      </p>
      <Differences {...compared} />
      <Button icon="compare" text="Open in Compare" onClick={onOpen} />
    </>
  );
}

function openComparison({ values }: SearchRequest, id: string): void {
  const { image_content, image_id } = values;
  const query: Record<string, string> =
    image_content instanceof File ? { query: keepPicture(image_content) } : { query_id: image_id as string };
  go(linkTo('compare', { reference_id: id, ...query }));
}

/** Per cent from the left, so that the line crosses the common part. */
function middleOf(box: readonly Point[]): number {
  const across = box.map(([x]) => x);
  const middle = (Math.min(...across) + Math.max(...across)) / 2;
  return Math.round(Math.min(0.95, Math.max(0.05, middle)) * 100);
}
