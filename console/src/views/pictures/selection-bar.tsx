import { useState } from 'preact/hooks';
import { useAction } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { count, whole } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { useScopes } from '../../session.ts';
import { changeKeywords } from './change-keywords.ts';
import { deleteSoon } from './deletions.ts';

interface SelectionBarProps {
  readonly ids: ReadonlySet<string>;
  /** Pictures of the list. */
  readonly total: number;
  readonly onAll: () => void;
  readonly onNone: () => void;
  /** After keywords have changed. */
  readonly onChanged: () => void;
}

/** What can be done with the selected pictures. */
export function SelectionBar({ ids, total, onAll, onNone, onChanged }: SelectionBarProps) {
  const scopes = useScopes();
  const [keyword, setKeyword] = useState('');
  const [changed, setChanged] = useState(0);
  const { busy, error, run } = useAction();
  const typed = keyword.trim().normalize('NFC');
  const change = async (to: (keywords: readonly string[]) => readonly string[]): Promise<void> => {
    setChanged(0);
    await run(async () => {
      await changeKeywords(ids, to, setChanged);
      setKeyword('');
    });
    onChanged();
  };
  const without = (keywords: readonly string[]): readonly string[] => keywords.filter((each) => each !== typed);
  return (
    <div class="surface row selection" role="group" aria-label="Selection">
      <p role="status">
        {busy ? `${whole(changed)} of ${count(ids.size, 'picture')} changed` : `${count(ids.size, 'picture')} selected`}
      </p>
      {ids.size < total && <Button kind="quiet" text={`Select all ${whole(total)}`} onClick={onAll} />}
      <Button kind="quiet" text="Select none" onClick={onNone} />
      <span class="spring" />
      {scopes.includes('add') && (
        <form class="row selection-keyword" onSubmit={(event) => event.preventDefault()}>
          <input
            type="text"
            aria-label="Keyword for the selected pictures"
            placeholder="keyword"
            value={keyword}
            onInput={(event) => setKeyword(event.currentTarget.value)}
          />
          <button
            type="submit"
            disabled={!typed || busy}
            onClick={() => void change((keywords) => [...without(keywords), typed])}
          >
            Add to {whole(ids.size)}
          </button>
          <Button
            text={`Remove from ${whole(ids.size)}`}
            disabled={!typed || busy}
            onClick={() => void change(without)}
          />
        </form>
      )}
      {scopes.includes('delete') && (
        <Button
          icon="remove"
          text={`Delete ${whole(ids.size)}`}
          onClick={() => {
            for (const id of ids) deleteSoon(id);
            onNone();
          }}
        />
      )}
      <Failed error={error} />
    </div>
  );
}
