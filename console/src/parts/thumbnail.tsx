import { useEffect, useState } from 'preact/hooks';
import { thumbnailOf } from '../api/call.ts';
import { Icon } from './icon.tsx';

/** The small picture the service keeps; a drawing where it has none. */
export function Thumbnail({ id, source = thumbnailOf(id) }: { id: string; source?: string }) {
  const [missing, setMissing] = useState(false);
  useEffect(() => setMissing(false), [source]);
  if (missing) {
    return (
      <span class="thumbnail missing">
        <Icon name="picture" />
        <small>no preview</small>
      </span>
    );
  }
  return <img class="thumbnail" src={source} alt="" loading="lazy" decoding="async" onError={() => setMissing(true)} />;
}
