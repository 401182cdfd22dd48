import { useState } from 'preact/hooks';
import type { FormValue } from '@sosia/client/form';
import type { Found, Point } from '../../api/answers.ts';
import { ask, requestFor, thumbnailOf } from '../../api/call.ts';
import { keepPicture } from '../../intake/kept-pictures.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Choice } from '../../parts/choice.tsx';
import { Failed } from '../../parts/notice.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { Shown } from '../../parts/thumbnail.tsx';
import { go, linkTo } from '../../route.ts';
import { useApplication } from '../../session.ts';
import { Aligned, Differences, differing } from '../compare/differences.tsx';
import type { MatchInfo } from './match-info.ts';
import { Pair } from './pair.tsx';
import type { SearchRequest } from './search-request.ts';

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
