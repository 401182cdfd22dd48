import { useState } from 'preact/hooks';
import type { Compared } from '../../api/answers.ts';
import { ask, requestFor, type Request } from '../../api/call.ts';
import { useIntake } from '../../intake/intake.tsx';
import { keepPicture, useKeptPicture } from '../../intake/kept-pictures.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Choice } from '../../parts/choice.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Preview } from '../../parts/preview.tsx';
import { Split } from '../../parts/split.tsx';
import { jpegUrl, Thumbnail } from '../../parts/thumbnail.tsx';
import { currentValues, go, linkTo, type Route } from '../../route.ts';
import { Aligned, differing, Differences } from './differences.tsx';

const sides = ['reference', 'query'] as const;
type Side = (typeof sides)[number];
const titles: Record<Side, string> = { reference: 'Reference', query: 'Query' };
const forms = [
  ['slider', 'Slider'],
  ['beside', 'Side by side'],
] as const;

/** A reference picture by its id, or a file; null for a file that is no longer kept. */
interface Given {
  readonly id: string;
  readonly file: File | null | undefined;
}

/** Two pictures of the same thing, with their differences. Each is a file or the thumbnail of a reference picture. */
export function CompareView({ route: { values } }: { route: Route }) {
  const given: Record<Side, Given> = {
    reference: { id: values.get('reference_id') ?? '', file: useKeptPicture(values.get('reference') ?? '') },
    query: { id: values.get('query_id') ?? '', file: useKeptPicture(values.get('query') ?? '') },
  };
  const has = (side: Side): boolean => Boolean(given[side].id || given[side].file);
  const take = (side: Side, file: File): void => {
    const next = { ...Object.fromEntries(currentValues()), [`${side}_id`]: undefined, [side]: keepPicture(file) };
    go(linkTo('compare', next), { replace: true });
  };
  const next: Side = has('reference') ? 'query' : 'reference';
  useIntake({
    hint: `Drop the picture to compare, as the ${titles[next].toLowerCase()}`,
    take: ([first, second]) => {
      if (!second) take(next, first!.file);
      else {
        const both = { reference: keepPicture(first!.file), query: keepPicture(second.file) };
        go(linkTo('compare', both), { replace: true });
      }
    },
  });

  const sent = (side: Side): Request['values'] => {
    const { id, file } = given[side];
    return id ? { [`${side}_id`]: id } : { [`${side}_image`]: file ?? undefined };
  };
  const request: Request<'enginequery', 'FineComparison'> | undefined =
    has('reference') && has('query')
      ? requestFor('enginequery', 'FineComparison', { ...sent('reference'), ...sent('query') })
      : undefined;
  const key = request && values.toString();
  const { value, error, busy } = useAnswer(key, (signal) => ask(request!, signal));
  return (
    <Split
      label="Compare"
      form={
        <>
          <div class="stack">
            {sides.map((side) => (
              <Slot key={side} side={side} {...given[side]} onFile={(file) => take(side, file)} />
            ))}
          </div>
          <CurlLine request={request} />
        </>
      }
      outcome="Comparison"
      busy={busy}
      answered={value !== undefined}
    >
      <Failed error={error} />
      {!value && !error && (
        <Empty title={busy ? 'Comparing …' : 'Two pictures of the same thing'}>
          {!busy &&
            'Give both. What differs is outlined. Other light, another size and recompression are no differences.'}
        </Empty>
      )}
      {value && request && <Outcome {...value} />}
    </Split>
  );
}

interface SlotProps extends Given {
  readonly side: Side;
  readonly onFile: (file: File) => void;
}

function Slot({ side, id, file, onFile }: SlotProps) {
  return (
    <div>
      <h2 class="label">{titles[side]}</h2>
      <DropZone
        label={id || file ? `Another ${side}` : `Choose the ${side}`}
        onFiles={([first]) => onFile(first!.file)}
      >
        {id ? (
          <>
            <div class="picture whole">
              <Thumbnail id={id} />
            </div>
            <p class="soft">{id}</p>
          </>
        ) : file ? (
          <Preview file={file} what={titles[side]} />
        ) : (
          <p>Drop or paste a picture.</p>
        )}
      </DropZone>
    </div>
  );
}

function Outcome(compared: Compared) {
  const [shown, setShown] = useState<(typeof forms)[number][0]>('slider');
  return (
    <>
      <div class="row bar">
        <p class="count" role="status">
          {differing(compared)}, score <span>{compared.score.toFixed(4)}</span>
          {compared.coarse && '. A thumbnail was compared, so the smallest differences may be missing'}
        </p>
        <span class="spring" />
        <Choice label="How the two are shown" value={shown} options={forms} onChange={setShown} />
      </div>
      {shown === 'beside' ? (
        <div class="halves twins">
          <img src={jpegUrl(compared.ref_image)} alt="The reference with the differences marked" />
          <img src={jpegUrl(compared.query_image)} alt="The query with the differences marked" />
        </div>
      ) : (
        <Aligned {...compared} />
      )}
      <Differences {...compared} />
    </>
  );
}
