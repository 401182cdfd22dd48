import { Facts, type Fact } from '../../parts/facts.tsx';
import { bytes, percent } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { SentThumbnail, Thumbnail } from '../../parts/thumbnail.tsx';
import { Verdict } from '../search/verdict.tsx';
import type { Group, GroupImage } from './review-requests.ts';

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
