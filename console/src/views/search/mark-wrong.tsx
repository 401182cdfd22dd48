import { useState } from 'preact/hooks';
import { ask, requestFor } from '../../api/call.ts';
import { useAction } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/notice.tsx';
import { linkTo } from '../../route.ts';
import type { SearchRequest } from './search-request.ts';

/** Marks a result as wrong; the review then lists it. */
export function MarkWrong({ id, request }: { id: string; request: SearchRequest }) {
  const [marked, setMarked] = useState(false);
  const { busy, error, run } = useAction();
  const { image_id: query_id, image_content, dna } = request.values;
  if (query_id === id || !(query_id ?? image_content ?? dna)) return null;
  const mark = async (): Promise<void> => {
    const values = { image_id: id, query_id, image_content, dna };
    await ask(requestFor('review', 'MarkWrong', values));
    setMarked(true);
  };
  if (marked) {
    return (
      <span role="status">
        Marked as wrong, see <a href={linkTo('review', { queue: 'wrong' })}>Review</a>
      </span>
    );
  }
  return (
    <>
      <Button kind="quiet" icon="alert" text="This is wrong" disabled={busy} onClick={() => void run(mark)} />
      <Failed error={error} />
    </>
  );
}
