import { requestFor } from '../api/call.ts';
import { useRequest } from './answer.ts';
import { ago, count, whole } from './figures.ts';

/** How often searches with an uploaded picture or a DNA found a picture; nothing where that is not counted. */
export function FoundCount({ id }: { id: string }) {
  const { value } = useRequest(requestFor('review', 'ListMatchCounts', { ids_list: id }));
  if (!value) return null;
  const [found] = value.images;
  if (!found) return <p class="soft">No search with an uploaded picture has found this one yet.</p>;
  const { clone, match, similar } = found;
  const parts = Object.entries({ Clone: clone, Match: match, Similar: similar }).filter(([, times]) => times > 0);
  return (
    <p class="soft">
      Found {count(found.found, 'time')}
      {parts.length > 0 && ` (${parts.map(([name, times]) => `${whole(times)} ${name}`).join(', ')})`}, last{' '}
      {ago(Date.parse(found.last))}.
    </p>
  );
}
