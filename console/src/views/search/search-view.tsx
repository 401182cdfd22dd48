import { useEffect } from 'preact/hooks';
import type { ApplicationType, Traits } from '@sosia/engine';
import type { Found } from '../../api/answers.ts';
import { ask, requestFor, thumbnailOf, CallError } from '../../api/call.ts';
import { describeHere } from '../../dna/describe-here.ts';
import { keepPicture, useKeptPicture } from '../../intake/kept-pictures.ts';
import { useAnswer, type Answering } from '../../parts/answer.ts';
import { colorsOf } from '../../parts/colours.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { useObjectUrl } from '../../parts/object-url.ts';
import { Split } from '../../parts/split.tsx';
import { go, type Route } from '../../route.ts';
import { useApplication } from '../../session.ts';
import { SampleQueries } from './sample-queries.tsx';
import { noteSearch } from './recent-searches.ts';
import { Results } from './results.tsx';
import { addressOf, stateOf, type SearchState, type Way } from './search-address.ts';
import { SearchForm } from './search-form.tsx';
import type { SearchRequest } from './search-request.ts';

/** All forms of a search, and its results. The address has the state. */
export function SearchView({ route }: { route: Route }) {
  const { name, type, traits, nb_results, color_weight } = useApplication();
  const defaults = { most: nb_results, weight: color_weight };
  const state = stateOf(route.values, defaults);
  const { way, id, here } = state;
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
    <Split
      label="Search"
      form={
        <SearchForm state={state} file={file} request={value?.request ?? request} onPicture={take} onChange={change} />
      }
      outcome="Results"
      busy={answer.busy}
      answered={shown}
    >
      <Failed error={stored.error ?? answer.error} />
      {shown && (
        <Results
          key={value.key}
          found={value.found}
          request={value.request}
          query={query}
          itself={way === 'id' ? id : ''}
          scored={value.way !== 'keywords'}
          open={state.open}
          onIgnored={(ignored) => change({ ignored })}
          onOpen={(opened) => go(addressOf({ ...state, open: opened }, defaults), { replace: state.open !== '' })}
        />
      )}
      {!shown && !answer.error && !stored.error && (
        <Empty title={answer.busy ? 'Searching …' : 'What are you looking for?'}>
          {!answer.busy && hints[way]}
          {!answer.busy && way === 'picture' && <SampleQueries onFile={(chosen) => take(chosen)} />}
        </Empty>
      )}
    </Split>
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
  { way, id, colors, keywords, where, most, weight, ignored, fold }: SearchState,
  file: File | undefined,
  { colorWeight, symmetric }: Pick<Traits, 'colorWeight' | 'symmetric'>,
): SearchRequest | undefined {
  const values = { keywords, where, nb_results: most };
  const compared = { ...values, similarity: 1, fold: fold ? 1 : undefined };
  const weighed = {
    ...compared,
    color_weight: colorWeight ? weight : undefined,
    ignored: ignored ? 1 : undefined,
  };
  if (way === 'picture' || (way === 'id' && !symmetric)) {
    return file && requestFor('enginequery', 'SearchImageByUpload', { image_content: file, ...weighed });
  }
  if ((way === 'id' ? id : way === 'keywords' ? keywords : colors).length === 0) return undefined;
  if (way === 'id') return requestFor('enginequery', 'SearchImageById', { image_id: id, ...weighed });
  if (way === 'keywords') return requestFor('enginequery', 'SearchImageByKeywords', values);
  return requestFor('enginequery', 'SearchImageByColors', { colors: colorsOf(colors), ...compared });
}

/** The same search, with the DNA instead of the picture. */
async function withDna({ values }: SearchRequest, file: File, type: ApplicationType): Promise<SearchRequest> {
  const dna = await describeHere(file, type, 'query');
  return requestFor('enginequery', 'SearchImageByDna', { ...values, image_content: undefined, dna });
}

/** The preview of a stored picture as a query, for types whose references are no queries. @param id  none where empty */
function useStoredQuery(id: string): Answering<File> {
  const { value, ...rest } = useAnswer(id || undefined, async (signal) => {
    const response = await fetch(thumbnailOf(id), { signal });
    const jpeg = await response.blob();
    if (jpeg.size === 0) throw new CallError(0, `No preview of ${id} is kept, so it cannot be a query.`);
    return { id, file: new File([jpeg], id, { type: 'image/jpeg' }) };
  });
  return { ...rest, ...(value?.id === id && { value: value.file }) };
}
