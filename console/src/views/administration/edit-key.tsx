import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { useChange } from './reading.ts';
import { ScopeChoice } from './scope-choice.tsx';

interface EditKeyProps {
  readonly shown: Key;
  readonly owner: { readonly application?: string };
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Name, scopes and end of a key. */
export function EditKey({ shown, owner, onDone, onClose }: EditKeyProps) {
  const [name, setName] = useState(shown.name);
  const [scopes, setScopes] = useState(shown.scopes);
  const [expires, setExpires] = useState(shown.expires?.slice(0, 10) ?? '');
  const { busy, error, change } = useChange();
  const ofApplication = owner.application !== undefined;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const end = expires === (shown.expires?.slice(0, 10) ?? '') ? undefined : expires || 'never';
    const renamed = name.trim() === shown.name ? undefined : name.trim();
    const values = { ...owner, key: shown.id, name: renamed, expires: end };
    if (await change('SetKey', { ...values, scopes: ofApplication ? scopes : undefined })) onDone();
  };
  return (
    <Dialog title={`Edit ${shown.name}`} onClose={onClose}>
      <form class="settings" onSubmit={(event) => void submit(event)}>
        <NameField value={name} onInput={setName} />
        <label class="field">
          <span class="label">Ends on (empty: never)</span>
          <input type="date" value={expires} onInput={(event) => setExpires(event.currentTarget.value)} />
        </label>
        {ofApplication && <ScopeChoice chosen={scopes} onChange={setScopes} />}
        <Failed error={error} />
        <DialogButtons label="Save" disabled={busy || (ofApplication && scopes.length === 0)} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
