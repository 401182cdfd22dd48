import { ask, requestFor, thumbnailOf, useApplication, type Found, type Image, type Point } from '../../api/call.ts';
import { Button, Choice } from '../../parts/controls.tsx';
import { useCardSize } from '../../parts/card-size.tsx';
import { count } from '../../parts/figures.ts';
import { Id, Thumbnail, Shown } from '../../parts/pictures.tsx';
import { Empty, Failed, useAction, useAnswer } from '../../parts/answer.tsx';
import { VirtualGrid } from '../../parts/virtual-grid.tsx';
import { linkTo, go } from '../../route.ts';
import { matchInfoOf, type MatchInfo } from './match-info.ts';
import { MatchView, Pair } from './match-view.tsx';
import type { SearchRequest } from './search-request.ts';
import { Score, Verdict } from './verdict.tsx';
import { useState } from 'preact/hooks';
import type { FormValue } from '@sosia/client/form';
import { keepPicture } from '../../intake/kept-pictures.ts';
import { Overlay } from '../../parts/overlay.tsx';
import { Aligned, Differences, differing } from '../compare/differences.tsx';

interface ResultsProps {
  readonly found: Found;
  readonly request: SearchRequest;
  /** Shows the query; undefined if there is no picture of it. */
  readonly query: string | undefined;
  /** The id of the reference that is the query and no result; empty if none is. */
  readonly itself: string;
  /** False for lists without scores. */
  readonly scored: boolean;
  /** The id of the result that is open; empty if none is. */
  readonly open: string;
  /** Lists pictures that match only by the ignore list, or leaves them out. */
  readonly onIgnored: (listed: boolean) => void;
  readonly onOpen: (id: string) => void;
}

export function Results({ found, request, query, itself, scored, open, onOpen, onIgnored }: ResultsProps) {
  const { images: all, total: counted, ...more } = useMore(found, request);
  const images = all.filter(({ id, copies }) => id !== itself || copies);
  const unfolded: Image[] = images.flatMap((each) => [each, ...(each.copies ?? [])]);
  const total = counted - (all.length - images.length);
  const next = Math.min(Number(request.values['nb_results']), total - unfolded.length);
  const shown = unfolded.length < total ? `, the first ${unfolded.length.toLocaleString('en')} shown` : '';
  const at = open ? unfolded.findIndex(({ id }) => id === open) : -1;
  const image = unfolded[at];
  const size = useCardSize();
  const listed = request.values['ignored'] === 1;
  return (
    <>
      <div class="row bar">
        <p class="count" role="status">
          {count(total, 'picture')} found{shown}
        </p>
        <span class="spring" />
        {total > 0 && size.slider}
      </div>
      {found.ignored && (
        <p class="notice-line">
          The picture shows {found.ignored.join(', ')} of the{' '}
          <a href={linkTo('review', { queue: 'ignored' })}>ignore list</a>.{' '}
          {listed ? 'Pictures that match only by it are listed, too.' : 'Pictures that match only by it are left out.'}{' '}
          <button type="button" class="link" onClick={() => onIgnored(!listed)}>
            {listed ? 'Leave them out' : 'Show them'}
          </button>
        </p>
      )}
      {total === 0 && (
        <Empty title="No picture matches">Fewer keywords, or another part of the picture, may find more.</Empty>
      )}
      <VirtualGrid
        label="Results, best first"
        count={images.length}
        {...size.cells}
        cell={(index) => {
          const each = images[index]!;
          return (
            <button type="button" class="card" onClick={() => onOpen(each.id)}>
              <Thumbnail id={each.id} />
              <span class="card-text">
                <Id id={each.id} />
                {scored && (
                  <span class="row ends card-facts">
                    <Score score={each.score} similarity={each.similarity} />
                    {each.ignored ? <span class="verdict rejected">ignored</span> : <Verdict {...matchInfoOf(each)} />}
                    {each.copies && <span class="verdict">and {each.copies.length} more</span>}
                  </span>
                )}
              </span>
            </button>
          );
        }}
      />
      <Failed error={more.error} />
      {next > 0 && (
        <p class="more">
          <Button text={`Show ${next.toLocaleString('en')} more`} disabled={more.busy} onClick={more.fetch} />
        </p>
      )}
      {image && (
        <MatchView
          key={image.id}
          image={image}
          at={at}
          of={unfolded.length}
          query={query}
          request={request}
          onStep={(to) => unfolded[to] && onOpen(unfolded[to].id)}
          onClose={() => onOpen('')}
        />
      )}
    </>
  );
}

/** The results of a search page by page. A result that moved up, because others were deleted, is not shown twice. */
function useMore({ images: first, nb_results_found }: Found, request: SearchRequest) {
  const [{ images, total }, set] = useState({ images: first, total: nb_results_found });
  const { busy, error, run } = useAction();
  /** Fetches the page after the last one. */
  const fetch = async (): Promise<void> => {
    const ids = new Set(images.map(({ id }) => id));
    const next = await ask({ ...request, values: { ...request.values, starting_index: images.length } });
    const all = [...images, ...next.images.filter(({ id }) => !ids.has(id))];
    set({ images: all, total: next.images.length === 0 ? all.length : next.nb_results_found });
  };
  return { images, total, busy, error, fetch: () => void run(fetch) };
}

interface PlacesProps {
  /** Undefined where the match has none. */
  readonly places: MatchInfo['places'];
  /** The address of the picture; undefined where there is none. */
  readonly query: string | undefined;
  /** The id of the picture. */
  readonly id: string;
  readonly reference?: string;
  readonly names: readonly [query: string, reference: string];
  /** Finds the match again, to explain it; undefined where none does. */
  readonly request: SearchRequest | undefined;
}

const forms = [
  ['pair', 'Side by side'],
  ['overlay', 'Overlay'],
  ['differences', 'Differences'],
] as const;

/** Both pictures with the place of the match, in one of three forms. */
export function Places({ places, query, id, reference = thumbnailOf(id), names, request }: PlacesProps) {
  const { traits } = useApplication();
  const [shown, setShown] = useState<(typeof forms)[number][0]>('pair');
  const [why, setWhy] = useState(false);
  const { value: explained, error } = useAnswer(why && request ? id : undefined, async (signal) => {
    const values = { ...request!.values, ids_list: id, explain: 1, starting_index: undefined, nb_results: 1 };
    const { images }: Found = await ask({ ...request!, values }, signal);
    return images[0]?.explanation;
  });
  if (!places || !query) {
    return (
      <div class="beside">
        {[query, reference].map(
          (source, i) =>
            source && (
              <figure key={source}>
                <span class="picture whole">
                  <Shown source={source} />
                </span>
                <figcaption>{names[i]}</figcaption>
              </figure>
            ),
        )}
      </div>
    );
  }
  const side = traits.fineComparison && request ? sideOf(request) : undefined;
  const lines = explained?.correspondences ?? [];
  return (
    <>
      <Choice
        label="How the two are shown"
        value={shown}
        options={side ? forms : forms.slice(0, 2)}
        onChange={setShown}
      >
        {shown === 'pair' && request && (
          <button type="button" aria-pressed={why} onClick={() => setWhy(!why)}>
            {explained ? `${lines.length} correspondences` : 'Why?'}
          </button>
        )}
      </Choice>
      {shown === 'differences' && <Compared id={id} side={side} onOpen={() => openComparison(request!, id)} />}
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
            First {names[0]}, then {names[1]}. The boxes mark what both show
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
    return ask(requestFor('enginequery', 'FineComparison', values), signal);
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
