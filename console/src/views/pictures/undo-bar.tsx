import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/notice.tsx';
import { useStore } from '../../parts/store.ts';
import { deletions, undo } from './deletions.ts';

/** At the foot of the page while a deletion can be undone, and after a failed one. */
export function UndoBar() {
  const all = useStore(deletions);
  const waiting = all.filter(({ state }) => state === 'waiting');
  const failed = all.filter(({ state }) => state === 'failed');
  const last = waiting.at(-1);
  return (
    <div class="undo" role="status">
      {last && (
        <p class="toast">
          <span>{waiting.length === 1 ? <>Deleted {last.id}</> : `Deleted ${waiting.length} pictures`}</span>
          <Button text="Undo" onClick={() => waiting.forEach(({ id }) => undo(id))} />
        </p>
      )}
      {failed.map(({ id, error }) => (
        <Failed key={id} error={error && { code: error.code, message: `${id} was not deleted. ${error.message}` }} />
      ))}
    </div>
  );
}
