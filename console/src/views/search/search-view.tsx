import { useEffect, useState } from 'preact/hooks';
import type { ApplicationType, Traits } from '@sosia/engine';
import type { Found } from '../../api/answers.ts';
import { ask, thumbnailOf } from '../../api/call.ts';
import { describeHere } from '../../dna/describe-here.ts';
import { keepPicture } from '../../intake/kept-pictures.ts';
import { useKeptPicture } from '../../intake/use-kept-picture.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Check } from '../../parts/check.tsx';
import { colorsOf } from '../../parts/colours.ts';
import { CurlLine } from '../../parts/curl-line.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { whole } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { KeywordsField } from '../../parts/keywords-field.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { useObjectUrl } from '../../parts/object-url.ts';
import { Preview } from '../../parts/preview.tsx';
import { Select } from '../../parts/select.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { go } from '../../route.ts';
import type { Route } from '../../route.ts';
import { useApplication } from '../../session.ts';
import { SampleQueries } from './sample-queries.tsx';
import { ColourMixer } from './colour-mixer.tsx';
import { noteSearch } from './recent-searches.ts';
import { useStoredQuery } from './stored-query.ts';
import { Results } from './results.tsx';
import { addressOf, stateOf } from './search-address.ts';
import type { SearchState, Way } from './search-address.ts';
import type { SearchRequest } from './search-request.ts';

const titles: Record<Way, string> = { picture: 'Picture', id: 'Id', keywords: 'Keywords', colours: 'Colours' };
const FIRST_COLOR = { rgb: '2f6f8f', share: 60 };

/** All forms of a search, and its results. The address has the state. */
export function SearchView({ route }: { route: Route }) {
  const { name, type, traits, nb_results, color_weight, network } = useApplication();
  const ways: Way[] = ['picture', 'id', 'keywords'];
  if (traits.colors) ways.push('colours');

  const defaults = { most: nb_results, weight: color_weight };
  const state = stateOf(route.values, defaults);
  const { way, id, colors, keywords, most, weight, here } = state;
  const [unfolded, setUnfolded] = useState(false);
  const file = useKeptPicture(way === 'picture' ? state.picture : '');
  const stored = useStoredQuery(way === 'id' && !traits.symmetric ? id : '');
  const url = useObjectUrl(file ?? undefined);
  /** A new search is an entry of the history, a refinement is not. */
  const change = (to: Partial<SearchState>, fresh = false): void =>
    go(addressOf({ ...state, open: '', ...to }, defaults), { replace: !fresh });
  const take = (taken: File): void => change({ way: 'picture', picture: keepPicture(taken) }, true);

  const request = requestOf(state, file ?? stored.value, traits);
  const key = request && JSON.stringify([here, state.picture, id, request]);
  const answer = useAnswer(
    key,
    async (signal) => {
      const sent = here && way === 'picture' ? await withDna(request!, file!, type) : request!;
      const found: Found = await ask(sent, signal);
      return { found, request: sent, way, key: key! };
    },
    { settle: 200 },
  );

  const { value } = answer;
  const current = value?.key === key ? value : undefined;
  useEffect(() => {
    if (!current) return;
    noteSearch(name, {
      to: addressOf({ ...state, open: '' }, defaults),
      label: labelOf(state, file ?? undefined),
      ...(way === 'picture' && { picture: state.picture }),
      ...(way === 'id' && { reference: id }),
      found:
        current.found.nb_results_found - Number(way === 'id' && current.found.images.some((each) => each.id === id)),
      at: Date.now(),
    });
  }, [current]);

  const query = way === 'picture' ? url : way === 'id' && id ? thumbnailOf(id) : undefined;
  const shown = value !== undefined && key !== undefined;
  return (
    <div class={shown ? 'split answered' : 'split'}>
      <form class="surface stack panel" aria-label="Search" onSubmit={(event) => event.preventDefault()}>
        <div class="stack panel-query">
          <div class="ways" role="group" aria-label="Search by">
            {ways.map((each) => (
              <button
                key={each}
                type="button"
                aria-pressed={way === each}
                onClick={() =>
                  change(
                    { way: each, ...(each === 'colours' && colors.length === 0 && { colors: [FIRST_COLOR] }) },
                    true,
                  )
                }
              >
                {titles[each]}
              </button>
            ))}
          </div>
          {way === 'picture' && (
            <DropZone
              label={state.picture ? 'Another picture' : 'Choose a picture'}
              onFiles={([first]) => take(first!.file)}
            >
              {file && <Preview file={file} what="The query" />}
              {file === null && <p>The picture of this search is no longer kept in this browser.</p>}
              {!state.picture && (
                <p>
                  <Icon name="upload" />
                  Drop or paste a picture, or its address, anywhere on this page.
                </p>
              )}
            </DropZone>
          )}
          {way === 'id' && (
            <>
              <label class="field">
                <span class="label">Id of a picture of the application</span>
                <input
                  type="text"
                  value={id}
                  autocomplete="off"
                  onChange={(event) => change({ id: event.currentTarget.value.trim() }, true)}
                />
              </label>
              {id && (
                <div class="query-thumbnail">
                  <Thumbnail id={id} />
                </div>
              )}
            </>
          )}
          {way === 'colours' && <ColourMixer colors={colors} onChange={(mixed) => change({ colors: mixed })} />}
          {way === 'keywords' && (
            <KeywordsField
              label="Keywords, all of them"
              keywords={keywords}
              onChange={(typed) => change({ keywords: typed })}
            />
          )}
        </div>
        <button type="button" class="unfold" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
          <Icon name="options" />
          Options
        </button>
        <div class={unfolded ? 'stack panel-options unfolded' : 'stack panel-options'}>
          {way !== 'keywords' && (
            <KeywordsField
              label="Only pictures with the keywords"
              keywords={keywords}
              onChange={(typed) => change({ keywords: typed })}
            />
          )}
          {traits.colorWeight && (way === 'picture' || way === 'id') && (
            <label class="field">
              <span class="label ends">
                <span>Shape</span>
                <span class="figure">{weight}</span>
                <span>Colour</span>
              </span>
              <input
                type="range"
                min="0"
                max="100"
                value={weight}
                aria-label="From shape to colour"
                onInput={(event) => change({ weight: event.currentTarget.valueAsNumber })}
              />
            </label>
          )}
          <Select
            label="At most"
            kind="inline"
            value={String(most)}
            options={[...new Set([nb_results, most, 10, 50, 200, 1000])]
              .sort((a, b) => a - b)
              .map((each) => [String(each), `${whole(each)} results`])}
            onChange={(chosen) => change({ most: Number(chosen) })}
          />
          {way === 'picture' && !network && (
            <Check
              label="Keep the picture on this machine"
              about="The browser computes the fingerprint (DNA) and sends that alone."
              checked={here}
              onChange={(checked) => change({ here: checked })}
            />
          )}
          <CurlLine request={value?.request ?? request} />
        </div>
      </form>
      <div class="outcome">
        <Failed error={stored.error ?? answer.error} />
        {shown ? (
          <Results
            key={value.key}
            found={value.found}
            request={value.request}
            query={query}
            itself={way === 'id' ? id : ''}
            busy={answer.busy}
            scored={value.way !== 'keywords'}
            open={state.open}
            onIgnored={(ignored) => change({ ignored })}
            onOpen={(opened) => go(addressOf({ ...state, open: opened }, defaults), { replace: state.open !== '' })}
          />
        ) : (
          !answer.error &&
          !stored.error && (
            <Empty title={answer.busy ? 'Searching …' : 'What are you looking for?'}>
              {!answer.busy && <p>{hints[way]}</p>}
              {!answer.busy && way === 'picture' && <SampleQueries onFile={(chosen) => take(chosen)} />}
            </Empty>
          )
        )}
      </div>
    </div>
  );
}

const hints: Record<Way, string> = {
  picture: 'Give a picture: the pictures of this application that show the same, or look like it, are listed here.',
  id: 'Give the id of a picture of this application to find those like it.',
  keywords: 'Give keywords: the pictures that have all of them are listed by id.',
  colours: 'Mix colours and their shares: pictures with these colours come first.',
};

function labelOf({ way, id, colors, keywords }: SearchState, file: File | undefined): string {
  if (way === 'picture') return file?.name ?? 'a picture';
  if (way === 'id') return id;
  return way === 'keywords' ? keywords.join(', ') : colorsOf(colors).join(', ');
}

/** Undefined while the form is incomplete. */
function requestOf(
  { way, id, colors, keywords, most, weight, ignored }: SearchState,
  file: File | undefined,
  { colorWeight, symmetric }: Pick<Traits, 'colorWeight' | 'symmetric'>,
): SearchRequest | undefined {
  const values = { keywords, nb_results: most };
  const family = 'enginequery';
  const weighed = {
    ...values,
    color_weight: colorWeight ? weight : undefined,
    ignored: ignored ? 1 : undefined,
    similarity: 1,
  };
  if (way === 'picture' || (way === 'id' && !symmetric)) {
    return file && { family, operation: 'SearchImageByUpload', values: { image_content: file, ...weighed } };
  }
  if (way === 'id')
    return id === '' ? undefined : { family, operation: 'SearchImageById', values: { image_id: id, ...weighed } };
  if (way === 'keywords')
    return keywords.length === 0 ? undefined : { family, operation: 'SearchImageByKeywords', values };
  if (colors.length === 0) return undefined;
  return { family, operation: 'SearchImageByColors', values: { colors: colorsOf(colors), ...values, similarity: 1 } };
}

/** The same search, with the DNA instead of the picture. */
async function withDna({ values }: SearchRequest, file: File, type: ApplicationType): Promise<SearchRequest> {
  const dna = await describeHere(file, type, 'query');
  return { family: 'enginequery', operation: 'SearchImageByDna', values: { ...values, image_content: undefined, dna } };
}
