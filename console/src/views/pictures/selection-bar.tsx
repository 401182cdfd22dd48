import { Icon } from '../../parts/icon.tsx';
import { count, whole } from '../../parts/figures.ts';
import { useScopes } from '../../session.ts';
import { deleteSoon } from './deletions.ts';

interface SelectionBarProps {
  readonly ids: ReadonlySet<string>;
  /** Pictures of the list. */
  readonly total: number;
  readonly onAll: () => void;
  readonly onNone: () => void;
  readonly onChanged: () => void;
}

/** What can be done with the selected pictures. */
export function SelectionBar({ ids, total, onAll, onNone }: SelectionBarProps) {
  const deletes = useScopes().includes('delete');
  return (
    <div class="selection" role="group" aria-label="Selection">
      <p role="status">{count(ids.size, 'picture')} selected</p>
      {ids.size < total && (
        <button type="button" class="quiet" onClick={onAll}>
          Select all {whole(total)}
        </button>
      )}
      <button type="button" class="quiet" onClick={onNone}>
        Select none
      </button>
      <span class="spring" />
      {deletes && (
        <button
          type="button"
          onClick={() => {
            for (const id of ids) deleteSoon(id);
            onNone();
          }}
        >
          <Icon name="remove" />
          Delete {whole(ids.size)}
        </button>
      )}
    </div>
  );
}
