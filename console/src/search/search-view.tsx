import { useLayoutEffect, useMemo, useState } from 'preact/hooks';
import type { ApplicationType } from '@sosia/engine';
import type { Found } from '../api/answers.ts';
import { ask, thumbnailOf } from '../api/call.ts';
import type { SearchRequest } from './search-request.ts';
import { ColourMixer } from '../colours/colour-mixer.tsx';
import { colorsOf, parsedColors } from '../colours/colours.ts';
import type { MixedColor } from '../colours/colours.ts';
import { describeHere } from '../dna/describe-here.ts';
import { useAnswer } from '../parts/answer.ts';
import { CurlLine } from '../parts/curl-line.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { KeywordsField } from '../parts/keywords-field.tsx';
import { Empty, Failed } from '../parts/notice.tsx';
import { useObjectUrl } from '../parts/object-url.ts';
import { Preview } from '../parts/preview.tsx';
import type { Route } from '../route.ts';
import { useSession } from '../session.ts';
import { Results } from './results.tsx';

type Way = 'picture' | 'id' | 'keywords' | 'colours';

const titles: Record<Way, string> = { picture: 'Picture', id: 'Id', keywords: 'Keywords', colours: 'Colours' };

/** All forms of a search, and its results. */
export function SearchView({ route }: { route: Route }) {
  const { type, traits, nb_results, color_weight, network } = useSession().application;
  const ways: Way[] = ['picture', ...(traits.symmetric ? ['id' as const] : []), 'keywords'];
  if (traits.colors) ways.push('colours');

  const [way, setWay] = useState<Way>('picture');
  const [file, setFile] = useState<File>();
  const [id, setId] = useState('');
  const [colors, setColors] = useState<readonly MixedColor[]>([{ rgb: '2f6f8f', share: 60 }]);
  const [keywords, setKeywords] = useState<string[]>([]);
  const [weight, setWeight] = useState(color_weight);
  const [most, setMost] = useState(nb_results);
  const [here, setHere] = useState(false);
  const url = useObjectUrl(file);

  const address = route.values.toString();
  useLayoutEffect(() => {
    const [wantedId, wantedColors] = [route.values.get('id'), route.values.getAll('colors')];
    if (wantedId !== null) {
      setWay('id');
      setId(wantedId);
    } else if (wantedColors.length > 0 && traits.colors) {
      setWay('colours');
      setColors(parsedColors(wantedColors));
    }
  }, [address]);

  const request = useMemo(
    () => requestOf({ way, file, id, colors, keywords, most, ...(traits.colorWeight && { weight }) }),
    [way, file, id, colors, keywords, most, weight],
  );
  const key = request && `${here} ${fileKey(file)} ${JSON.stringify(request)}`;
  const answer = useAnswer(
    key,
    async (signal) => {
      const sent = here && way === 'picture' ? await withDna(request!, file!, type) : request!;
      const found: Found = await ask(sent, signal);
      return { found, request: sent, way };
    },
    { settle: 200 },
  );

  const query = way === 'picture' ? url : way === 'id' && id ? thumbnailOf(id) : undefined;
  const take = (files: readonly { file: File }[]): void => {
    setWay('picture');
    setFile(files[0]!.file);
  };
  return (
    <div class="split">
      <form class="panel" aria-label="Search" onSubmit={(event) => event.preventDefault()}>
        <div class="ways" role="group" aria-label="Search by">
          {ways.map((each) => (
            <button key={each} type="button" aria-pressed={way === each} onClick={() => setWay(each)}>
              {titles[each]}
            </button>
          ))}
        </div>
        {way === 'picture' && (
          <DropZone label={file ? 'Another picture' : 'Choose a picture'} onFiles={take} pasted>
            {file ? <Preview file={file} what="The query" /> : <p>Drop a picture here or paste one.</p>}
          </DropZone>
        )}
        {way === 'id' && (
          <label class="field">
            <span class="label">Id of a picture of the application</span>
            <input type="text" value={id} autocomplete="off" onChange={(event) => setId(event.currentTarget.value)} />
          </label>
        )}
        {way === 'colours' && <ColourMixer colors={colors} onChange={setColors} />}
        <KeywordsField
          label={way === 'keywords' ? 'Keywords, all of them' : 'Only pictures with the keywords'}
          keywords={keywords}
          onChange={setKeywords}
        />
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
              onInput={(event) => setWeight(event.currentTarget.valueAsNumber)}
            />
          </label>
        )}
        <label class="field inline">
          <span class="label">At most</span>
          <select value={String(most)} onChange={(event) => setMost(Number(event.currentTarget.value))}>
            {[...new Set([nb_results, 10, 50, 200, 1000])]
              .sort((a, b) => a - b)
              .map((each) => (
                <option key={each} value={each}>
                  {each.toLocaleString('en')} results
                </option>
              ))}
          </select>
        </label>
        {way === 'picture' && !network && (
          <label class="check">
            <input type="checkbox" checked={here} onChange={(event) => setHere(event.currentTarget.checked)} />
            <span>
              Describe it in this browser
              <small>Only the DNA is sent; the picture does not leave this machine.</small>
            </span>
          </label>
        )}
        <CurlLine request={answer.value?.request ?? request} />
      </form>
      <div class="outcome">
        <Failed error={answer.error} />
        {answer.value && key !== undefined ? (
          <Results
            found={answer.value.found}
            request={answer.value.request}
            query={query}
            busy={answer.busy}
            scored={answer.value.way !== 'keywords'}
          />
        ) : (
          !answer.error && (
            <Empty title={answer.busy ? 'Searching …' : 'What are you looking for?'}>
              {!answer.busy && <p>{hints[way]}</p>}
            </Empty>
          )
        )}
      </div>
    </div>
  );
}

const hints: Record<Way, string> = {
  picture: 'Drop or paste a picture: whatever of this application shows in it, or looks like it, is listed here.',
  id: 'Give the id of a picture of this application to find those like it.',
  keywords: 'Give keywords: the pictures that have all of them are listed by id.',
  colours: 'Mix colours and their shares: pictures with these colours come first.',
};

interface SearchForm {
  readonly way: Way;
  readonly file: File | undefined;
  readonly id: string;
  readonly colors: readonly MixedColor[];
  readonly keywords: readonly string[];
  readonly most: number;
  readonly weight?: number;
}

/** Undefined while the form is incomplete. */
function requestOf({ way, file, id, colors, keywords, most, weight }: SearchForm): SearchRequest | undefined {
  const values = { keywords, nb_results: most };
  const family = 'enginequery';
  const weighed = { ...values, color_weight: weight };
  if (way === 'picture') {
    return file && { family, operation: 'SearchImageByUpload', values: { image_content: file, ...weighed } };
  }
  if (way === 'id')
    return id === '' ? undefined : { family, operation: 'SearchImageById', values: { image_id: id, ...weighed } };
  if (way === 'keywords')
    return keywords.length === 0 ? undefined : { family, operation: 'SearchImageByKeywords', values };
  if (colors.length === 0) return undefined;
  return { family, operation: 'SearchImageByColors', values: { colors: colorsOf(colors), ...values } };
}

/** The same search, with the DNA instead of the picture. */
async function withDna({ values }: SearchRequest, file: File, type: ApplicationType): Promise<SearchRequest> {
  const dna = await describeHere(file, type, 'query');
  return { family: 'enginequery', operation: 'SearchImageByDna', values: { ...values, image_content: undefined, dna } };
}

function fileKey(file: File | undefined): string {
  return file ? `${file.name} ${file.size} ${file.lastModified}` : '';
}
