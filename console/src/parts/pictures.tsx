import { useState, useEffect } from 'preact/hooks';
import { thumbnailOf, type ThumbnailOf } from '../api/call.ts';
import { Icon, Button } from './controls.tsx';
import type { ComponentChildren } from 'preact';
import { ago } from './figures.ts';

/** The thumbnail of the service; a drawing if it has none. */
export function Thumbnail({ id, of }: { id: string | number; of?: ThumbnailOf }) {
  return <Shown source={thumbnailOf(id, of)} />;
}

/** The picture at an address; a drawing if there is none. */
export function Shown({ source }: { source: string }) {
  const [missing, setMissing] = useState<string>();
  if (missing === source) return <NoThumbnail />;
  return <img class="thumbnail" src={source} alt="" decoding="async" onError={() => setMissing(source)} />;
}

/** A thumbnail that an answer has in base64; a drawing with the reason if it has none. */
export function SentThumbnail({ jpeg, reason }: { jpeg: string | null | undefined; reason?: string }) {
  return jpeg ? <img class="thumbnail" src={jpegUrl(jpeg)} alt="" /> : <NoThumbnail reason={reason} />;
}

function NoThumbnail({ reason = 'no preview' }: { reason?: string | undefined }) {
  return (
    <span class="thumbnail missing">
      <Icon name="pictures" />
      <small>{reason}</small>
    </span>
  );
}

export function jpegUrl(base64: string): string {
  return `data:image/jpeg;base64,${base64}`;
}

/** Characters that fit into a card, and of these the last ones, in which copies differ. */
const [FITTING, LAST] = [22, 12];

/** An id in one line; a long one is shortened in its middle. */
export function Id({ id }: { id: string }) {
  if (id.length <= FITTING) return <span class="card-id">{id}</span>;
  return (
    <span class="card-id" title={id}>
      <span class="hidden">{id}</span>
      <span class="one-line" aria-hidden="true">
        {id.slice(0, -LAST)}
      </span>
      <span aria-hidden="true">{id.slice(-LAST)}</span>
    </span>
  );
}

/** A picture file as this browser shows it; its name if the browser cannot (HEIC, TIFF), though the service can. */
export function Preview({ file, what }: { file: File; what: string }) {
  const url = useObjectUrl(file);
  const [failed, setFailed] = useState<string>();
  if (!url) return null;
  if (failed === url) return <p>{file.name}, which this browser cannot show</p>;
  return <img class="query-picture" src={url} alt={`${what}, ${file.name}`} onError={() => setFailed(url)} />;
}

/** An address for displaying a file, revoked with the file. */
export function useObjectUrl(file: Blob | undefined): string | undefined {
  const [url, setUrl] = useState<string>();
  useEffect(() => {
    if (!file) {
      setUrl(undefined);
      return;
    }
    const made = URL.createObjectURL(file);
    setUrl(made);
    return () => URL.revokeObjectURL(made);
  }, [file]);
  return url;
}

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
