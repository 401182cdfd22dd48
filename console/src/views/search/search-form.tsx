import { useState } from 'preact/hooks';
import { ask, requestFor, type Request } from '../../api/call.ts';
import { Check, fieldsOf, Select, ConditionsField, KeywordsField, type Field } from '../../parts/fields.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { whole } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { Preview } from '../../parts/preview.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
import { useApplication } from '../../session.ts';
import type { SearchState, Way } from './search-address.ts';
import { useIntake } from '../../intake/intake.tsx';
import { useAction } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/notice.tsx';
import { parsedColors, type MixedColor } from '../../parts/colours.ts';

const titles: Record<Way, string> = { picture: 'Picture', id: 'Id', keywords: 'Keywords', colours: 'Colours' };
const FIRST_COLOR = { rgb: '2f6f8f', share: 60 };

interface PartProps {
  readonly state: SearchState;
  /** The query; null if this browser no longer keeps it. */
  readonly file: File | null | undefined;
  readonly onPicture: (file: File) => void;
  /** @param fresh  whether it is another search, not a refinement */
  readonly onChange: (to: Partial<SearchState>, fresh?: boolean) => void;
}

/** The query in one of its forms, and the options. */
export function SearchForm({ request, ...props }: PartProps & { readonly request: Request | undefined }) {
  const { traits } = useApplication();
  const [unfolded, setUnfolded] = useState(false);
  const { state, onChange } = props;
  const ways: Way[] = ['picture', 'id', 'keywords'];
  if (traits.colors) ways.push('colours');
  const first = state.colors.length === 0 && { colors: [FIRST_COLOR] };
  return (
    <>
      <div class="stack">
        <div class="ways" role="group" aria-label="Search by">
          {ways.map((way) => (
            <button
              key={way}
              type="button"
              aria-pressed={way === state.way}
              onClick={() => onChange({ way, ...(way === 'colours' && first) }, true)}
            >
              {titles[way]}
            </button>
          ))}
        </div>
        <Query {...props} />
      </div>
      <button type="button" class="unfold" aria-expanded={unfolded} onClick={() => setUnfolded(!unfolded)}>
        <Icon name="options" />
        Options
      </button>
      <div class={unfolded ? 'stack panel-options unfolded' : 'stack panel-options'}>
        <Options {...props} />
        <CurlLine request={request} />
      </div>
    </>
  );
}

function Query({ state, file, onPicture, onChange }: PartProps) {
  const { way, picture, id } = state;
  const field = fieldsOf(state, onChange);
  if (way === 'colours') return <ColourMixer {...field('colors')} />;
  if (way === 'keywords') return <KeywordsField label="Keywords, all of them" {...field('keywords')} />;
  if (way === 'id') {
    return (
      <>
        <label class="field">
          <span class="label">Id of a picture of the application</span>
          <input
            type="text"
            value={id}
            autocomplete="off"
            onChange={(event) => onChange({ id: event.currentTarget.value.trim() }, true)}
          />
        </label>
        {id && (
          <div class="picture whole">
            <Thumbnail id={id} />
          </div>
        )}
      </>
    );
  }
  return (
    <DropZone label={picture ? 'Another picture' : 'Choose a picture'} onFiles={([first]) => onPicture(first!.file)}>
      {file && <Preview file={file} what="The query" />}
      {file === null && <p>The picture of this search is no longer kept in this browser.</p>}
      {!picture && (
        <p>
          <Icon name="upload" />
          Drop or paste a picture, or its address, anywhere on this page.
        </p>
      )}
    </DropZone>
  );
}

function Options({ state, onChange }: PartProps) {
  const { way, most, weight } = state;
  const field = fieldsOf(state, onChange);
  const { traits, nb_results, network } = useApplication();
  return (
    <>
      {way !== 'keywords' && <KeywordsField label="Only pictures with the keywords" {...field('keywords')} />}
      <ConditionsField {...field('where')} />
      {traits.colorWeight && (way === 'picture' || way === 'id') && (
        <label class="field">
          <span class="label line ends">
            <span>Shape</span>
            <span>{weight}</span>
            <span>Colour</span>
          </span>
          <input
            type="range"
            min="0"
            max="100"
            value={weight}
            aria-label="From shape to colour"
            onInput={(event) => onChange({ weight: event.currentTarget.valueAsNumber })}
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
        onChange={(chosen) => onChange({ most: Number(chosen) })}
      />
      {way !== 'keywords' && (
        <Check label="Fold copies" about="Copies of one picture are one result." {...field('fold')} />
      )}
      {way === 'picture' && !network && (
        <Check
          label="Keep the picture on this machine"
          about="The browser computes the fingerprint (DNA) and sends that alone."
          {...field('here')}
        />
      )}
    </>
  );
}

const MOST = 8;
/** Initial values of further colours. */
const FRESH = ['c8553d', 'e9b44c', '588157', 'f2efe9', '222222', '7d5ba6', 'd88c9a'];

/** Colours with their shares, as a bar and one row each. */
function ColourMixer({ value: colors, onChange }: Field<readonly MixedColor[]>) {
  const { error, run } = useAction();
  const change = (at: number, to: Partial<MixedColor>): void =>
    onChange(colors.map((color, i) => (i === at ? { ...color, ...to } : color)));
  const add = (): void => onChange([...colors, { rgb: FRESH[(colors.length - 1) % FRESH.length]!, share: 20 }]);
  const take = async ([first]: readonly { file: File }[]): Promise<void> => {
    const values = { image_content: first!.file };
    const found = await ask(requestFor('enginequery', 'GetImageColorsByUpload', values));
    onChange(parsedColors(found.colors.slice(0, MOST)));
  };
  useIntake({ hint: 'Drop a picture to take its colours', take: (files) => void run(() => take(files)) });
  return (
    <div class="stack mixer">
      <div class="mix" aria-hidden="true">
        {colors.map(({ rgb, share }, i) => (
          <span key={i} style={{ background: `#${rgb}`, flexGrow: Math.max(1, share) }} />
        ))}
      </div>
      <ul class="stack">
        {colors.map(({ rgb, share }, i) => (
          <li key={i}>
            <input
              type="color"
              aria-label={`Colour ${i + 1}`}
              value={`#${rgb}`}
              onInput={(event) => change(i, { rgb: event.currentTarget.value.slice(1) })}
            />
            <input
              type="range"
              min="1"
              max="100"
              aria-label={`Share of colour ${i + 1}`}
              value={share}
              onInput={(event) => change(i, { share: event.currentTarget.valueAsNumber })}
            />
            <span>{share} %</span>
            <Button
              kind="quiet"
              icon="close"
              label={`Without colour ${i + 1}`}
              disabled={colors.length === 1}
              onClick={() => onChange(colors.filter((_, at) => at !== i))}
            />
          </li>
        ))}
      </ul>
      <div>
        <Button kind="quiet" icon="add" text="Another colour" disabled={colors.length >= MOST} onClick={add} />
      </div>
      <DropZone label="Take the colours of a picture" onFiles={(files) => void run(() => take(files))} />
      <Failed error={error} />
    </div>
  );
}
