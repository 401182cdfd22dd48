import { useState } from 'preact/hooks';
import { thumbnailOf } from '../api/call.ts';
import { Icon } from './icon.tsx';

/** The thumbnail of the service; a drawing if it has none. */
export function Thumbnail({ id }: { id: string }) {
  const source = thumbnailOf(id);
  const [missing, setMissing] = useState<string>();
  if (missing === source) {
    return (
      <span class="thumbnail missing">
        <Icon name="picture" />
        <small>no preview</small>
      </span>
    );
  }
  return <img class="thumbnail" src={source} alt="" decoding="async" onError={() => setMissing(source)} />;
}
