import { useState } from 'preact/hooks';
import type { Compared, Region } from '../api/answers.ts';
import { ask } from '../api/call.ts';
import type { Request } from '../api/call.ts';
import { useAnswer } from '../parts/answer.ts';
import { CurlLine } from '../parts/curl-line.tsx';
import { DropZone } from '../parts/drop-zone.tsx';
import { Empty, Failed } from '../parts/notice.tsx';
import { useNaturalSize } from '../parts/natural-size.ts';
import { Overlay } from '../parts/overlay.tsx';
import { Preview } from '../parts/preview.tsx';

/** Two pictures of the same thing, with their differences. */
export function CompareView() {
  const [reference, setReference] = useState<File>();
  const [query, setQuery] = useState<File>();
  const [beside, setBeside] = useState(false);
  const request: Request<'enginequery', 'FineComparison'> | undefined =
    reference && query
      ? {
          family: 'enginequery',
          operation: 'FineComparison',
          values: { reference_image: reference, query_image: query },
        }
      : undefined;
  const key =
    request && [reference, query].map((file) => `${file!.name} ${file!.size} ${file!.lastModified}`).join('\n');
  const { value, error, busy } = useAnswer(key, (signal) => ask(request!, signal));
  const [before, after] = value ? [jpegUrl(value.ref_image), jpegUrl(value.query_image)] : ['', ''];
  return (
    <div class="split">
      <form class="panel" aria-label="Compare" onSubmit={(event) => event.preventDefault()}>
        <Slot title="Reference" file={reference} onFile={setReference} pasted={!reference} />
        <Slot title="Query" file={query} onFile={setQuery} pasted={reference !== undefined} />
        <CurlLine request={request} />
      </form>
      <section class={busy ? 'outcome busy' : 'outcome'} aria-label="Comparison" aria-busy={busy}>
        <Failed error={error} />
        {!value && !error && (
          <Empty title={busy ? 'Comparing …' : 'Two pictures of the same thing'}>
            {!busy && (
              <p>
                Give both: what differs is outlined. Other light, another size and recompression are no differences.
              </p>
            )}
          </Empty>
        )}
        {value && request && (
          <>
            <div class="bar">
              <p class="count" role="status">
                {differing(value)}, score <span class="figure">{value.score.toFixed(4)}</span>
              </p>
              <span class="spring" />
              <div class="match-tools" role="group" aria-label="How the two are shown">
                <button type="button" aria-pressed={!beside} onClick={() => setBeside(false)}>
                  Slider
                </button>
                <button type="button" aria-pressed={beside} onClick={() => setBeside(true)}>
                  Side by side
                </button>
              </div>
            </div>
            {beside ? (
              <div class="twins">
                <img src={before} alt="The reference with the differences marked" />
                <img src={after} alt="The query with the differences marked" />
              </div>
            ) : (
              <Aligned {...value} />
            )}
            {value.regions.length > 0 && <Regions regions={value.regions} />}
          </>
        )}
      </section>
    </div>
  );
}

function Slot({
  title,
  file,
  onFile,
  pasted,
}: {
  title: string;
  file: File | undefined;
  onFile: (file: File) => void;
  pasted: boolean;
}) {
  return (
    <div class="slot">
      <h2 class="label">{title}</h2>
      <DropZone
        label={file ? `Another ${title.toLowerCase()}` : `Choose the ${title.toLowerCase()}`}
        pasted={pasted}
        onFiles={([first]) => onFile(first!.file)}
      >
        {file ? <Preview file={file} what={title} /> : <p>Drop a picture here or paste one.</p>}
      </DropZone>
    </div>
  );
}

/** The marked reference as an overlay on the marked query, aligned. */
export function Aligned({ ref_image, query_image, homography }: Compared) {
  const [reference, query] = [jpegUrl(ref_image), jpegUrl(query_image)];
  const own = useNaturalSize(reference);
  const frame = useNaturalSize(query);
  if (!own || !frame) return null;
  return (
    <Overlay
      reference={{ source: reference, frame: own }}
      query={{ source: query, frame }}
      homography={homography}
      tallest={720}
    />
  );
}

function Regions({ regions }: { regions: readonly Region[] }) {
  const percent = (fraction: number): string => `${(fraction * 100).toFixed(1)} %`;
  return (
    <div class="table-holder" tabIndex={0} role="region" aria-label="Differences">
      <table>
        <thead>
          <tr>
            <th>Difference</th>
            <th>Strength</th>
            <th>In the query, from the left and the top</th>
            <th>Size</th>
          </tr>
        </thead>
        <tbody>
          {regions.map(
            (
              {
                query: {
                  topLeftPoint: [x0, y0],
                  bottomRightPoint: [x1, y1],
                },
                strength,
              },
              i,
            ) => (
              <tr key={i}>
                <td>{i + 1}</td>
                <td>{strength.toFixed(3)}</td>
                <td>
                  {percent(x0)}, {percent(y0)}
                </td>
                <td>
                  {percent(x1 - x0)} × {percent(y1 - y0)}
                </td>
              </tr>
            ),
          )}
        </tbody>
      </table>
    </div>
  );
}

export function differing({ regions }: Compared): string {
  if (regions.length === 0) return 'No differences';
  return `${regions.length} ${regions.length === 1 ? 'difference' : 'differences'}`;
}

function jpegUrl(base64: string): string {
  return `data:image/jpeg;base64,${base64}`;
}
