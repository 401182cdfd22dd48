import type { FileChoice } from '@sosia/contract';
import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/notice.tsx';
import { useStore } from '../../parts/store.ts';
import { deletions, undo } from './deletions.ts';

const fates: Record<FileChoice, string> = {
  keep: '',
  trash: '. Files of writable sources go to the trash.',
  delete: '. Files of writable sources are deleted.',
};

/** At the foot of the page while a deletion can be undone, and after a failed one. */
export function UndoBar() {
  const all = useStore(deletions);
  const waiting = all.filter(({ state }) => state === 'waiting');
  const failed = all.filter(({ state }) => state === 'failed');
  const kept = all.filter((each) => each.kept !== undefined);
  const last = waiting.at(-1);
  return (
    <div class="undo" role="status">
      {last && (
        <p class="line toast">
          <span>
            {waiting.length === 1 ? <>Deleted {last.id}</> : `Deleted ${waiting.length} pictures`}
            {fates[last.files]}
          </span>
          <Button text="Undo" onClick={() => waiting.forEach(({ id }) => undo(id))} />
        </p>
      )}
      {kept.map((each) => (
        <Failed key={each.id} error={{ code: 0, message: `The file of ${each.id} stays: ${each.kept}` }} />
      ))}
      {failed.map(({ id, error }) => (
        <Failed key={id} error={error && { code: error.code, message: `${id} was not deleted. ${error.message}` }} />
      ))}
    </div>
  );
}
