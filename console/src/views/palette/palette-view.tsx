import { useState } from 'preact/hooks';
import { requestFor } from '../../api/call.ts';
import { useRequest } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { KeywordsField } from '../../parts/fields.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { linkTo } from '../../route.ts';

const MOST = 48;

/** The most frequent colours of all pictures, or of those with keywords; each links to a search. */
export function PaletteView() {
  const [keywords, setKeywords] = useState<readonly string[]>([]);
  const [chosen, setChosen] = useState<readonly string[]>([]);
  const values = { nb_colors: MOST, keywords, colors: chosen };
  const request = requestFor('enginequery', 'GetPalette', values);
  const { value, error, busy } = useRequest(request);
  const most = Math.max(1, ...(value?.image_count ?? []));
  const toggle = (rgb: string): void =>
    setChosen(chosen.includes(rgb) ? chosen.filter((each) => each !== rgb) : [...chosen, rgb]);
  return (
    <div class="stack">
      <div class="row bar">
        <KeywordsField label="Of the pictures with the keywords" value={keywords} onChange={setKeywords} />
        <p class="count" role="status">
          {value
            ? `${value.colors.length} colours${chosen.length > 0 ? ` beside ${chosen.map((rgb) => `#${rgb}`).join(', ')}` : ''}`
            : ''}
        </p>
        <span class="spring" />
        {chosen.length > 0 && (
          <>
            <Button kind="quiet" text="Clear the choice" onClick={() => setChosen([])} />
            <a class="button main" href={linkTo('search', { colors: chosen })}>
              Search for {chosen.length === 1 ? 'it' : 'them'}
            </a>
          </>
        )}
      </div>
      <Failed error={error} />
      {value?.colors.length === 0 && <Empty title="No pictures, so no colours" />}
      <ul class={busy ? 'tiles palette busy' : 'tiles palette'} aria-label="Colours, the most frequent first">
        {value?.colors.map((rgb, i) => (
          <li key={rgb}>
            <button type="button" aria-pressed={chosen.includes(rgb)} onClick={() => toggle(rgb)}>
              <span class="swatch" style={{ background: `#${rgb}` }} />
              <code>{rgb}</code>
              <small>{value.image_count[i]!.toLocaleString('en')}</small>
              <span class="share" aria-hidden="true">
                <span style={{ width: `${(value.image_count[i]! / most) * 100}%` }} />
              </span>
            </button>
          </li>
        ))}
      </ul>
      <CurlLine request={request} />
    </div>
  );
}
