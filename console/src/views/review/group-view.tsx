import { Facts } from '../../parts/facts.tsx';
import type { Fact } from '../../parts/facts.tsx';
import { bytes, percent } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { SentThumbnail, Thumbnail } from '../../parts/thumbnail.tsx';
import { Verdict } from '../search/verdict.tsx';
import type { Group, GroupImage } from './review-requests.ts';

interface GroupViewProps {
  readonly group: Group;
  /** The id of the picture to keep. */
  readonly keep: string;
  readonly onKeep: (id: string) => void;
}

/** The pictures of a group side by side, each with what speaks for keeping it. */
export function GroupView({ group, keep, onKeep }: GroupViewProps) {
  const best = {
    pixels: bestOf(group.images.map(pixelsOf)),
    bytes: bestOf(group.images.map((each) => each.bytes)),
    grade: bestOf(group.images.map((each) => each.grade)),
  };
  const factsOf = (image: GroupImage): Fact[] => {
    const { width, height, grade, added, similarity, keywords } = image;
    return [
      ['Size', width && height && `${width} × ${height}`, pixelsOf(image) === best.pixels],
      ['File', image.bytes && bytes(image.bytes), image.bytes === best.bytes],
      ['Grade', grade === null ? null : `${grade} of 4`, grade === best.grade],
      ['Added', added && new Date(added).toLocaleDateString('en-GB')],
      ['Similarity', image.id === group.keep ? null : percent(similarity)],
      ['Keywords', keywords.join(' · ')],
    ];
  };
  return (
    <>
      {group.query && <p class="reason">Marked as a false match.</p>}
      {group.keep && !group.query && (
        <p class="reason">
          Proposed to keep: <strong>{group.keep}</strong>, since {group.reason}.
        </p>
      )}
      <ol class="group-images">
        {group.query && (
          <li class="surface stack group-image">
            <span class="group-picture">
              <SentThumbnail jpeg={group.query.thumbnail} reason="only its DNA was sent" />
            </span>
            <span class="group-id">The picture of the search</span>
          </li>
        )}
        {group.images.map((image, i) => {
          const kept = image.id === keep && !group.query;
          return (
            <li key={image.id} class={kept ? 'surface stack group-image is-kept' : 'surface stack group-image'}>
              <button type="button" aria-pressed={kept} onClick={() => onKeep(image.id)}>
                <span class="group-picture">
                  <Thumbnail id={image.id} />
                </span>
                {!group.query && (
                  <span class="group-choice">
                    {kept ? <Icon name="check" /> : null}
                    {kept ? 'Keep' : 'Remove'}
                    <kbd>{i + 1}</kbd>
                  </span>
                )}
                <span class="group-id">{image.id}</span>
              </button>
              <Facts kind="tiles" facts={factsOf(image)} />
              <Verdict {...image} />
            </li>
          );
        })}
      </ol>
    </>
  );
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
