import { requestFor } from '../../api/call.ts';
import { useEffect, useRef, useState } from 'preact/hooks';
import { useIntake } from '../../intake/intake.tsx';
import { Button } from '../../parts/button.tsx';
import { Check, useFields, KeywordsField } from '../../parts/fields.tsx';
import { CurlLine } from '../../parts/curl-line.tsx';
import { DropZone } from '../../parts/drop-zone.tsx';
import type { NamedFile } from '../../intake/dropped-files.ts';
import { whole } from '../../parts/figures.ts';
import { Icon } from '../../parts/icon.tsx';
import { Empty } from '../../parts/notice.tsx';
import { Split } from '../../parts/split.tsx';
import { useStore } from '../../parts/store.ts';
import { VirtualGrid } from '../../parts/virtual-grid.tsx';
import { useApplication } from '../../session.ts';
import { clear, enqueue, queue, retryFailed, takeOver, type Item } from './queue.ts';

const words: Record<Item['state'], string> = {
  waiting: 'waiting',
  sending: 'being added',
  added: 'added',
  exists: 'already in',
  failed: 'failed',
};

/** Adds files and folders to the application, and shows the outcome of each. */
export function AddView() {
  const { type, network } = useApplication();
  const { values: form, field } = useFields({ keywords: [] as readonly string[], folders: true, here: false });
  const { keywords, folders, here } = form;
  const { items } = useStore(queue);

  const take = (files: readonly NamedFile[]): void => enqueue(files, { type, here }, keywords, folders);
  useIntake({ hint: 'Drop pictures or folders to add them', take });
  useEffect(() => {
    const files = takeOver();
    if (files.length > 0) take(files);
  }, []);
  const last = items.at(-1);
  const values = {
    image_id: last?.id ?? 'harbour.jpg',
    image_content: last?.file ?? new File([], 'harbour.jpg'),
    keywords,
  };
  return (
    <Split
      label="Add pictures"
      form={
        <>
          <DropZone label="Choose files" many onFiles={take}>
            <p>
              <Icon name="upload" />
              Drop or paste pictures and folders anywhere on this page.
            </p>
          </DropZone>
          <FolderButton onFiles={take} />
          <KeywordsField label="Keywords for all of them" {...field('keywords')} />
          <Check label="Names of folders are keywords" {...field('folders')} />
          {!network && (
            <Check
              label="Keep the pictures on this machine"
              about="The browser computes the fingerprints (DNA) and sends those alone. There are no previews then."
              {...field('here')}
            />
          )}
          <CurlLine request={requestFor('enginemodify', 'AddImage', values)} />
        </>
      }
      outcome="Files"
    >
      {items.length === 0 ? (
        <Empty title="No files yet">
          The id of a picture is the path of its file below the dropped folder. A picture with an id that exists is left
          as it is.
        </Empty>
      ) : (
        <Files items={items} />
      )}
    </Split>
  );
}

function FolderButton({ onFiles }: { onFiles: (files: readonly NamedFile[]) => void }) {
  const folder = useRef<HTMLInputElement>(null);
  useEffect(() => void (folder.current!.webkitdirectory = true), []);
  return (
    <>
      <Button text="Choose a folder" onClick={() => folder.current!.click()} />
      <input
        ref={folder}
        type="file"
        hidden
        multiple
        aria-label="A folder"
        onChange={(event) => {
          const files = [...(event.currentTarget.files ?? [])].filter(({ name }) => !name.startsWith('.'));
          onFiles(files.map((file) => ({ name: file.webkitRelativePath || file.name, file })));
          event.currentTarget.value = '';
        }}
      />
    </>
  );
}

/** The queue with the outcome of each file. */
function Files({ items }: { items: readonly Item[] }) {
  const [failedOnly, setFailedOnly] = useState(false);
  const many = (state: Item['state']): number => items.filter((each) => each.state === state).length;
  const [added, exist, failed] = [many('added'), many('exists'), many('failed')];
  const done = added + exist + failed;
  const shown = failedOnly ? items.filter(({ state }) => state === 'failed') : items;
  const onPhone = matchMedia('(max-width: 640px)').matches; // the message is shown below the id
  return (
    <>
      <div class="row bar">
        <p class="count" role="status">
          {whole(done)} of {whole(items.length)} done · {whole(added)} added
          {exist > 0 && ` · ${whole(exist)} already in`}
          {failed > 0 && ` · ${whole(failed)} failed`}
        </p>
        <span class="spring" />
        {failed > 0 && (
          <>
            <button type="button" class="quiet" aria-pressed={failedOnly} onClick={() => setFailedOnly(!failedOnly)}>
              Failed only
            </button>
            <Button text="Try those again" onClick={retryFailed} />
          </>
        )}
        <Button kind="quiet" text={done < items.length ? 'Stop' : 'Clear'} onClick={clear} />
      </div>
      <progress aria-label="Files done" max={items.length} value={done} />
      <VirtualGrid
        label="Files"
        count={shown.length}
        cellWidth={Infinity}
        cellHeight={onPhone ? 76 : 52}
        cell={(index) => <Row item={shown[index]!} />}
      />
    </>
  );
}

function Row({ item }: { item: Item }) {
  const { id, state, grade, reasons = [], error } = item;
  const outcome = error ? `${error.message}${error.code ? ` (${error.code})` : ''}` : reasons.join(', ');
  return (
    <div class={`file is-${state}`}>
      <span class="file-state">
        {state === 'added' ? <Icon name="check" /> : state === 'failed' ? <Icon name="alert" /> : null}
      </span>
      <span class="one-line">{id}</span>
      <small class="file-outcome" title={outcome}>
        {outcome || words[state]}
      </small>
      {grade !== undefined && (
        <span class="grade" title={`How well it can be matched: ${grade} of 4`}>
          <span class="hidden">grade {grade} of 4</span>
          {[1, 2, 3, 4].map((each) => (
            <i key={each} class={each <= grade ? 'full' : ''} />
          ))}
        </span>
      )}
    </div>
  );
}
