import { useEffect, useState } from 'preact/hooks';
import { ask, requestFor, thumbnailOf } from '../../api/call.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Choice } from '../../parts/choice.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { useNaturalSize } from '../../parts/loaded.ts';
import { Failed } from '../../parts/notice.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { Select } from '../../parts/fields.tsx';
import { matchInfoOf } from '../search/match-info.ts';
import type { Group } from './review-requests.ts';

const modes = [
  ['overlay', 'Overlay', 'O'],
  ['flicker', 'Flicker', 'F'],
  ['difference', 'Difference', 'D'],
] as const;
type Mode = (typeof modes)[number][0];

interface CloserLookProps {
  readonly group: Group;
  /** The id of the picture to keep, with which each other one is compared. */
  readonly keep: string;
  readonly onClose: () => void;
}

/** Two pictures of a group, one aligned on the other: with a movable edge, alternating, or their difference. */
export function CloserLook({ group, keep, onClose }: CloserLookProps) {
  const others = group.images.map(({ id }) => id).filter((id) => id !== keep);
  const [at, setAt] = useState(0);
  const [mode, setMode] = useState<Mode>('overlay');
  const other = others[at]!;
  const keys: Record<string, () => void> = {
    ArrowLeft: () => setAt(Math.max(0, at - 1)),
    ArrowRight: () => setAt(Math.min(others.length - 1, at + 1)),
    ...Object.fromEntries(modes.map(([each, , key]) => [key.toLowerCase(), () => setMode(each)])),
  };
  return (
    <Dialog title={`${keep} and ${other}`} onClose={onClose} onKey={(key) => keys[key]?.()}>
      <div class="row">
        <Choice label="How the two are shown" value={mode} options={modes} onChange={setMode} />
        {others.length > 1 && (
          <Select
            label="Beside"
            kind="inline"
            value={other}
            options={others.map((id) => [id, id])}
            onChange={(id) => setAt(others.indexOf(id))}
          />
        )}
      </div>
      <AlignedPair key={`${keep}\n${other}`} query={keep} reference={other} mode={mode} />
    </Dialog>
  );
}

function AlignedPair({ query, reference, mode }: { query: string; reference: string; mode: Mode }) {
  const [below, above] = [useNaturalSize(thumbnailOf(query)), useNaturalSize(thumbnailOf(reference))];
  const { value, error, busy } = useAnswer(`${query}\n${reference}`, async (signal) => {
    const values = { image_id: query, ids_list: reference, nb_results: 1 };
    const { images } = await ask(requestFor('enginequery', 'SearchImageById', values), signal);
    return { places: images[0] && matchInfoOf(images[0]).places };
  });
  const [shown, setShown] = useState(true);
  useEffect(() => {
    if (mode !== 'flicker') return;
    const timer = setInterval(() => setShown((before) => !before), 700);
    return () => clearInterval(timer);
  }, [mode]);
  if (busy || !below || !above) return <Failed error={error} />;

  const places = value?.places;
  const frame = places?.query.frame ?? below;
  const own = places?.reference.frame ?? above;
  // without an alignment the two are shown at one size
  const homography = places?.homography ?? [frame[0] / own[0], 0, 0, 0, frame[1] / own[1], 0, 0, 0, 1];
  return (
    <div class={`closer is-${mode} ${mode === 'flicker' && !shown ? 'is-below' : ''}`}>
      <Overlay
        query={{ source: thumbnailOf(query), frame }}
        reference={{ source: thumbnailOf(reference), frame: own }}
        homography={homography}
        start={mode === 'overlay' ? 50 : 100}
        key={mode === 'overlay' ? 'overlay' : 'whole'}
      />
      <p class="soft">
        {mode === 'difference'
          ? 'Black where both agree. The previews are compared, so fine differences may be missing.'
          : places
            ? 'The second picture lies aligned on the first.'
            : 'The two cannot be aligned, so they are shown at one size.'}
      </p>
    </div>
  );
}
