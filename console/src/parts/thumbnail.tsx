import { useState } from 'preact/hooks';
import { thumbnailOf, type ThumbnailOf } from '../api/call.ts';
import { Icon } from './icon.tsx';

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
