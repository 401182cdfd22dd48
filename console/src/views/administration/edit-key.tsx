import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { NameField, TextField } from '../../parts/text-field.tsx';
import { change } from './reading.ts';
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
  const ofApplication = owner.application !== undefined;
  const submit = async (): Promise<void> => {
    const end = expires === (shown.expires?.slice(0, 10) ?? '') ? undefined : expires || 'never';
    const renamed = name.trim() === shown.name ? undefined : name.trim();
    const values = { ...owner, key: shown.id, name: renamed, expires: end };
    await change('SetKey', { ...values, scopes: ofApplication ? scopes : undefined });
    onDone();
  };
  return (
    <FormDialog
      title={`Edit ${shown.name}`}
      action="Save"
      disabled={ofApplication && scopes.length === 0}
      onSubmit={submit}
      onClose={onClose}
    >
      <NameField value={name} onInput={setName} />
      <TextField label="Ends on (empty: never)" type="date" value={expires} onInput={setExpires} />
      {ofApplication && <ScopeChoice chosen={scopes} onChange={setScopes} />}
    </FormDialog>
  );
}
