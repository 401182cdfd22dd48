import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { ago, dateOf } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAdministrator, useChosenApplication } from '../../session.ts';
import { EditKey, KeyDialog, NewKey } from './key-forms.tsx';
import { OneApplication } from './one-application.tsx';
import { useReading } from './reading.ts';
import { Secret } from './secret.tsx';

const changes = [
  ['edit', 'Edit'],
  ['rotate', 'Replace'],
  ['revoke', 'Revoke'],
] as const;
type Opened = { readonly what: (typeof changes)[number][0]; readonly shown: Key };

/** @param chosen  the number of the application; empty for the keys of administrators */
export function KeysTab({ chosen }: { chosen: string | undefined }) {
  const administrator = useAdministrator();
  const current = useChosenApplication();
  const number = chosen ?? (current ? String(current.number) : '');
  const owner = number ? { application: number } : {};
  const { value, error, again } = useReading('ListKeys', owner);
  const [made, setMade] = useState<{ about: string; secret: string }>();
  const [opened, setOpened] = useState<Opened>();
  return (
    <>
      {administrator && <OneApplication label="Keys of" tab="keys" otherwise="the administrators" chosen={number} />}
      <NewKey
        key={number}
        owner={owner}
        onMade={(about, secret) => {
          setMade({ about, secret });
          again();
        }}
      />
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
              ['Changes', (shown) => <Changes shown={shown} onOpen={(what) => setOpened({ what, shown })} />],
            ]}
          />
        </section>
      )}
      {opened?.what === 'edit' && (
        <EditKey
          shown={opened.shown}
          owner={owner}
          onDone={() => {
            setOpened(undefined);
            again();
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened && opened.what !== 'edit' && (
        <KeyDialog
          what={opened.what}
          shown={opened.shown}
          owner={owner}
          onDone={(replacement) => {
            setOpened(undefined);
            setMade(replacement);
            again();
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function Changes({ shown, onOpen }: { shown: Key; onOpen: (what: Opened['what']) => void }) {
  return (
    <span class="line">
      {changes.map(([what, title]) => (
        <button
          key={what}
          type="button"
          class={what === 'rotate' ? '' : 'quiet'}
          aria-label={`${title} ${shown.name}`}
          onClick={() => onOpen(what)}
        >
          {title}
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
