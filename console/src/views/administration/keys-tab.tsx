import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { ago, dateOf } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAdministrator, useChosenApplication } from '../../session.ts';
import { keyDialogs, NewKey } from './key-forms.tsx';
import { OneApplication } from './one-application.tsx';
import { useReading } from './reading.ts';
import { Secret, type MadeKey } from './secret.tsx';

type KeyDialog = (typeof keyDialogs)[number];

/** @param chosen  the number of the application; empty for the keys of administrators */
export function KeysTab({ chosen }: { chosen: string | undefined }) {
  const administrator = useAdministrator();
  const current = useChosenApplication();
  const number = chosen ?? (current ? String(current.number) : '');
  const owner = number ? { application: number } : {};
  const { value, error, again } = useReading('ListKeys', owner);
  const [made, setMade] = useState<MadeKey>();
  const [opened, setOpened] = useState<{ readonly dialog: KeyDialog; readonly shown: Key }>();
  const close = (): void => setOpened(undefined);
  const changed = (key?: MadeKey): void => {
    close();
    if (key) setMade(key);
    again();
  };
  return (
    <>
      {administrator && <OneApplication label="Keys of" tab="keys" otherwise="the administrators" chosen={number} />}
      <NewKey key={number} owner={owner} onMade={changed} />
      {made && <Secret {...made} onClose={() => setMade(undefined)} />}
      <Failed error={error} />
      {value?.keys.length === 0 && <Empty title="No keys" />}
      {value && value.keys.length > 0 && (
        <section class="surface">
          <h2>Keys</h2>
          <Table
            label="Keys"
            stacks
            rows={value.keys}
            columns={[
              ['Name', ({ name }) => <strong>{name}</strong>],
              ['May', scopesOf],
              ['Begins with', ({ hint }) => <code>{hint}…</code>, 'named'],
              ['Made', ({ created }) => dateOf(created), 'named'],
              ['Ends', ({ expires }) => (expires ? dateOf(expires) : 'never'), 'named'],
              ['Last use', ({ last_use }) => (last_use ? ago(Date.parse(last_use)) : 'not yet'), 'named'],
              ['Changes', (shown) => <Changes shown={shown} onOpen={(dialog) => setOpened({ dialog, shown })} />],
            ]}
          />
        </section>
      )}
      {opened && <opened.dialog.Content shown={opened.shown} owner={owner} onDone={changed} onClose={close} />}
    </>
  );
}

function Changes({ shown, onOpen }: { shown: Key; onOpen: (dialog: KeyDialog) => void }) {
  return (
    <span class="line">
      {keyDialogs.map((dialog) => (
        <button
          key={dialog.title}
          type="button"
          class={dialog.title === 'Replace' ? '' : 'quiet'}
          aria-label={`${dialog.title} ${shown.name}`}
          onClick={() => onOpen(dialog)}
        >
          {dialog.title}
        </button>
      ))}
    </span>
  );
}

function scopesOf({ scopes }: Key) {
  return (
    <span class="line">
      {scopes.map((scope) => (
        <span key={scope} class="verdict">
          {scope}
        </span>
      ))}
    </span>
  );
}
