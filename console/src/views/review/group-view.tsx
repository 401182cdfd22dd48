import { bytes, percent } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { Thumbnail } from '../../parts/thumbnail.tsx';
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
          <li class="group-image">
            <span class="group-picture">
              {group.query.thumbnail ? (
                <img class="thumbnail" src={`data:image/jpeg;base64,${group.query.thumbnail}`} alt="" />
              ) : (
                <span class="thumbnail missing">
                  <Icon name="picture" />
                  <small>only its DNA was sent</small>
                </span>
              )}
            </span>
            <span class="group-id">The picture of the search</span>
          </li>
        )}
        {group.images.map((image, i) => {
          const kept = image.id === keep && !group.query;
          return (
            <li key={image.id} class={kept ? 'group-image is-kept' : 'group-image'}>
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
              <dl>
                <Fact
                  name="Size"
                  value={image.width && image.height ? `${image.width} × ${image.height}` : undefined}
                  best={pixelsOf(image) === best.pixels}
                />
                <Fact
                  name="File"
                  value={image.bytes ? bytes(image.bytes) : undefined}
                  best={image.bytes === best.bytes}
                />
                <Fact
                  name="Grade"
                  value={image.grade === null ? undefined : `${image.grade} of 4`}
                  best={image.grade === best.grade}
                />
                <Fact
                  name="Added"
                  value={image.added ? new Date(image.added).toLocaleDateString('en-GB') : undefined}
                />
                <Fact name="Similarity" value={image.id === group.keep ? undefined : percent(image.similarity)} />
                <Fact name="Keywords" value={image.keywords.join(' · ') || undefined} />
              </dl>
              <Verdict decision={image.decision || undefined} />
            </li>
          );
        })}
      </ol>
    </>
  );
}

function Fact({ name, value, best = false }: { name: string; value: string | undefined; best?: boolean }) {
  if (value === undefined) return null;
  return (
    <div class={best ? 'is-best' : ''}>
      <dt>{name}</dt>
      <dd>{value}</dd>
    </div>
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
