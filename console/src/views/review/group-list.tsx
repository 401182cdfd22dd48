import { useEffect, useRef } from 'preact/hooks';
import { thumbnailOf } from '../../api/call.ts';
import type { Group } from './review-requests.ts';

/** Groups shown at once; the others follow when these are decided. */
const SHOWN = 60;

export function GroupList({
  groups,
  at,
  onShow,
}: {
  groups: readonly Group[];
  at: number;
  onShow: (i: number) => void;
}) {
  const list = useRef<HTMLUListElement>(null);
  useEffect(() => list.current?.querySelector('[aria-current]')?.scrollIntoView({ block: 'nearest' }), [at]);
  const first = Math.max(0, Math.min(at - SHOWN / 2, groups.length - SHOWN));
  return (
    <ul ref={list} class="group-list" aria-label="Groups">
      {groups.slice(first, first + SHOWN).map(({ id, images }, i) => (
        <li key={id}>
          <button
            type="button"
            aria-label={`Group of ${images.map((each) => each.id).join(', ')}`}
            {...(first + i === at && { 'aria-current': 'true' as const })}
            onClick={() => onShow(first + i)}
          >
            {images.slice(0, images.length > 4 ? 3 : 4).map((image) => (
              <img key={image.id} class="picture small" src={thumbnailOf(image.id)} alt="" loading="lazy" />
            ))}
            {images.length > 4 && <span class="soft">+{images.length - 3}</span>}
          </button>
        </li>
      ))}
    </ul>
  );
}
