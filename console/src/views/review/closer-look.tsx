import { useEffect, useState } from 'preact/hooks';
import { ask, thumbnailOf } from '../../api/call.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { useNaturalSize } from '../../parts/natural-size.ts';
import { Failed } from '../../parts/notice.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { matchInfoOf } from '../search/match-info.ts';
import type { Group } from './review-requests.ts';

const modes = {
  overlay: 'Overlay',
  flicker: 'Flicker',
  difference: 'Difference',
} as const;
type Mode = keyof typeof modes;

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
    o: () => setMode('overlay'),
    f: () => setMode('flicker'),
    d: () => setMode('difference'),
  };
  return (
    <Dialog title={`${keep} and ${other}`} onClose={onClose} onKey={(key) => keys[key]?.()}>
      <div class="match-facts">
        <div class="match-tools" role="group" aria-label="How the two are shown">
          {(Object.keys(modes) as Mode[]).map((each) => (
            <button
              key={each}
              type="button"
              aria-pressed={mode === each}
              aria-keyshortcuts={each[0]}
              onClick={() => setMode(each)}
            >
              {modes[each]}
              <kbd>{each[0]!.toUpperCase()}</kbd>
            </button>
          ))}
        </div>
        {others.length > 1 && (
          <label class="field inline">
            <span class="label">Beside</span>
            <select value={String(at)} onChange={(event) => setAt(Number(event.currentTarget.value))}>
              {others.map((id, i) => (
                <option key={id} value={String(i)}>
                  {id}
                </option>
              ))}
            </select>
          </label>
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
    const { images } = await ask({ family: 'enginequery', operation: 'SearchImageById', values }, signal);
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
      <p class="legend soft">
        {mode === 'difference'
          ? 'Black where both agree. The previews are compared, so fine differences may be missing.'
          : places
            ? 'The second picture lies aligned on the first.'
            : 'The two cannot be aligned, so they are shown at one size.'}
      </p>
    </div>
  );
}
