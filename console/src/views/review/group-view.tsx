import { Facts, type Fact } from '../../parts/table.tsx';
import { bytes, percent } from '../../parts/figures.ts';
import { Icon, Choice } from '../../parts/controls.tsx';
import { SentThumbnail, Thumbnail } from '../../parts/pictures.tsx';
import { Verdict } from '../search/verdict.tsx';
import type { Group, GroupImage } from './review-requests.ts';
import { useEffect, useState } from 'preact/hooks';
import { ask, requestFor, thumbnailOf } from '../../api/call.ts';
import { useAnswer, useNaturalSize, Failed } from '../../parts/answer.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Overlay } from '../../parts/overlay.tsx';
import { Select } from '../../parts/fields.tsx';
import { matchInfoOf } from '../search/match-info.ts';

interface GroupViewProps {
  readonly group: Group;
  /** The id of the picture to keep. */
  readonly keep: string;
  /** Undefined where none is removed. */
  readonly onKeep: ((id: string) => void) | undefined;
}

/** More pictures than this are shown small, so that all are seen at once. */
const MAX_LARGE = 4;

/** The pictures of a group side by side, each with what speaks for keeping it; the proposed one first. */
export function GroupView({ group, keep, onKeep }: GroupViewProps) {
  const many = group.images.length > MAX_LARGE;
  const images = inOrder(group);
  const best = {
    pixels: bestOf(group.images.map(pixelsOf)),
    bytes: bestOf(group.images.map((each) => each.bytes)),
    grade: bestOf(group.images.map((each) => each.grade)),
  };
  const factsOf = (image: GroupImage): Fact[] => {
    const { width, height, grade, added, similarity, keywords } = image;
    return [
      ['Size', width && height && `${width} × ${height}`, pixelsOf(image) === best.pixels],
      ['To the proposed', image.id === group.keep ? null : percent(similarity)],
      ['File', image.bytes && bytes(image.bytes), image.bytes === best.bytes],
      ['Grade', grade === null ? null : `${grade} of 4`, grade === best.grade],
      ['Added', added && new Date(added).toLocaleDateString('en-GB')],
      ['Keywords', keywords.join(' · ')],
    ];
  };
  return (
    <>
      {group.query && <p>Marked as a false match.</p>}
      {onKeep && group.keep && !group.query && (
        <p>
          Proposed to keep: <strong>{group.keep}</strong>, since {group.reason}.
        </p>
      )}
      <ol class={many ? 'tiles group-images is-many' : 'halves group-images'}>
        {group.query && (
          <li class="surface stack group-image">
            <span class="picture whole">
              <SentThumbnail jpeg={group.query.thumbnail} reason="only its DNA was sent" />
            </span>
            <span class="group-id">The picture of the search</span>
          </li>
        )}
        {images.map((image, i) => {
          const kept = onKeep !== undefined && image.id === keep && !group.query;
          return (
            <li key={image.id} class={kept ? 'surface stack group-image is-kept' : 'surface stack group-image'}>
              <button type="button" aria-pressed={kept} disabled={!onKeep} onClick={() => onKeep?.(image.id)}>
                <span class="picture whole">
                  <Thumbnail id={image.id} />
                </span>
                {onKeep && !group.query && (
                  <span class="group-choice">
                    {kept ? <Icon name="check" /> : null}
                    {kept ? 'Keep' : 'Remove'}
                    {i < 9 && <kbd>{i + 1}</kbd>}
                  </span>
                )}
                <span class="group-id">{image.id}</span>
              </button>
              {many ? (
                <p class="soft">{shortFactsOf(image, group)}</p>
              ) : (
                <>
                  <Facts kind="tiles" facts={factsOf(image)} />
                  <Verdict {...image} />
                </>
              )}
            </li>
          );
        })}
      </ol>
    </>
  );
}

function shortFactsOf({ id, width, height, similarity }: GroupImage, { keep }: Group): string {
  const size = width && height ? `${width} × ${height}` : '';
  return [size, id === keep ? '' : percent(similarity)].filter((each) => each !== '').join(' · ');
}

/** The proposed one first, as the keys number them. */
export function inOrder({ images, keep }: Group): GroupImage[] {
  return [...images.filter(({ id }) => id === keep), ...images.filter(({ id }) => id !== keep)];
}

function pixelsOf({ width, height }: GroupImage): number | null {
  return width === null || height === null ? null : width * height;
}

/** Undefined where one is not known, and where all are equal. */
function bestOf(values: readonly (number | null)[]): number | undefined {
  const known = values.filter((value) => value !== null);
  if (known.length < values.length || new Set(known).size === 1) return undefined;
  return Math.max(...known);
}

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
