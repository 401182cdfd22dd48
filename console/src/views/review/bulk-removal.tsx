import { useState } from 'preact/hooks';
import type { FileChoice } from '@sosia/contract';
import { thumbnailOf } from '../../api/call.ts';
import { useAnswer } from '../../parts/answer.ts';
import { Check } from '../../parts/fields.tsx';
import { count, percent } from '../../parts/figures.ts';
import { FormDialog } from '../../parts/form.tsx';
import { Failed } from '../../parts/notice.tsx';
import { FileChoices } from '../../parts/file-choices.tsx';
import { allGroups, filesIn, othersIn, type Filter, type Group } from './review-requests.ts';

interface BulkRemovalProps {
  readonly filter: Filter;
  readonly onRemove: (groups: readonly Group[], files: FileChoice) => void;
  readonly onClose: () => void;
}

/** What becomes of so many files. */
const fates: Record<FileChoice, (files: number) => string> = {
  keep: () => 'Files stay where they are.',
  trash: (files) => `${count(files, 'file')} of writable sources go to the folder .trash there; Undo moves them back.`,
  delete: (files) => `${count(files, 'file')} of writable sources are deleted, which no undo brings back.`,
};

/** What stays and what goes in all groups that may be judged together, before anything is removed. */
export function BulkRemoval({ filter, onRemove, onClose }: BulkRemovalProps) {
  const [matches, setMatches] = useState(false);
  const [files, setFiles] = useState<FileChoice>('keep');
  const [spared, setSpared] = useState<ReadonlySet<string>>(new Set());
  const bulk = matches ? 'matches' : 'clones';
  const { value = [], error, busy } = useAnswer(bulk, () => allGroups('duplicates', { ...filter, bulk }));
  const chosen = value.filter(({ id }) => !spared.has(id));
  const removed = chosen.reduce((sum, group) => sum + othersIn(group).length, 0);
  const movable = chosen.reduce((sum, group) => sum + filesIn(group).length, 0);
  const spare = (id: string): void => {
    const next = new Set(spared);
    if (!next.delete(id)) next.add(id);
    setSpared(next);
  };
  return (
    <FormDialog
      title="Remove copies"
      action={`Remove ${count(removed, 'picture')}${files === 'delete' && movable > 0 ? ' and delete their files' : ''}`}
      danger
      disabled={busy || removed === 0}
      onSubmit={async () => {
        onRemove(chosen, files);
        onClose();
      }}
      onClose={onClose}
    >
      <p role="status">
        {busy ? 'Looking …' : `${count(chosen.length, 'picture')} stay, ${count(removed, 'copy', 'copies')} go.`}{' '}
        {fates[files](movable)}
      </p>
      <Failed error={error} />
      {movable > 0 && <FileChoices label="Their files" value={files} onChange={setFiles} />}
      <Check label="Also matches of 80 % and more, not only clones" value={matches} onChange={setMatches} />
      <ul class="bulk-groups" aria-label="What stays and goes" tabIndex={0}>
        {value.map((group) => (
          <li key={group.id} class={spared.has(group.id) ? 'is-spared' : ''}>
            <Check label={`${group.keep} stays`} value={!spared.has(group.id)} onChange={() => spare(group.id)} />
            <div class="bulk-pictures">
              <BulkPicture id={group.keep} words="stays" kept />
              {othersIn(group).map(({ id, similarity }) => (
                <BulkPicture key={id} id={id} words={`goes, ${percent(similarity)}`} />
              ))}
            </div>
          </li>
        ))}
      </ul>
    </FormDialog>
  );
}

interface BulkPictureProps {
  readonly id: string;
  readonly words: string;
  readonly kept?: boolean;
  readonly source?: string;
}

/** A picture of a group, small. */
export function BulkPicture({ id, words, kept = false, source = thumbnailOf(id) }: BulkPictureProps) {
  return (
    <figure class={kept ? 'is-kept' : ''} title={id}>
      <img class="picture whole" src={source} alt={id} loading="lazy" />
      <figcaption>{words}</figcaption>
    </figure>
  );
}
