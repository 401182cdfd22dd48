import type { ComponentChildren } from 'preact';
import { Button } from './button.tsx';
import { ago } from './figures.ts';

interface Saved {
  readonly id: string;
  readonly added: string;
  readonly who: string;
}

interface SavedPicturesProps<Each extends Saved> {
  readonly label: string;
  readonly pictures: readonly Each[];
  readonly thumbnail: (each: Each) => ComponentChildren;
  readonly about?: (each: Each) => string;
  /** What the button says to screen readers; undefined where nobody may remove one. */
  readonly removal: ((id: string) => string) | undefined;
  readonly onRemove: (id: string) => void;
}

/** Pictures that are kept beside those of the application, each with its name. */
export function SavedPictures<Each extends Saved>(props: SavedPicturesProps<Each>) {
  const { label, pictures, thumbnail, about, removal, onRemove } = props;
  return (
    <ul class="tiles saved-pictures" aria-label={label}>
      {pictures.map((each) => (
        <li key={each.id} class="surface">
          <span class="picture whole">{thumbnail(each)}</span>
          <div>
            <strong>{each.id}</strong>
            {about && <p>{about(each)}</p>}
            <p class="soft">
              {ago(Date.parse(each.added))}, by {each.who}
            </p>
          </div>
          {removal && <Button kind="quiet" icon="remove" label={removal(each.id)} onClick={() => onRemove(each.id)} />}
        </li>
      ))}
    </ul>
  );
}
