import { useState } from 'preact/hooks';
import type { Scope } from '@sosia/contract';
import { Failed } from '../../parts/notice.tsx';
import { NameField, TextField } from '../../parts/text-field.tsx';
import { useChange } from './reading.ts';
import { ScopeChoice } from './scope-choice.tsx';

interface NewKeyProps {
  /** Empty for a key of an administrator, which has no choice of scopes. */
  readonly owner: { readonly application?: string };
  readonly onMade: (about: string, secret: string) => void;
}

export function NewKey({ owner, onMade }: NewKeyProps) {
  const [name, setName] = useState('');
  const [chosen, setChosen] = useState<readonly Scope[]>(['search']);
  const [expires, setExpires] = useState('');
  const { busy, error, change } = useChange();
  const ofApplication = owner.application !== undefined;
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const made = await change('CreateKey', {
      ...owner,
      name: name.trim(),
      scopes: ofApplication ? chosen : undefined,
      expires: expires || undefined,
    });
    if (!made) return;
    onMade(`The key ${made.key.name}.`, made.secret);
    setName('');
  };
  return (
    <form class="surface" aria-label="New key" onSubmit={(event) => void submit(event)}>
      <h2>New key</h2>
      <div class="form-line">
        <NameField label="Name, such as the program that uses it" value={name} onInput={setName} />
        <TextField label="Ends on (empty: never)" type="date" value={expires} onInput={setExpires} />
        <button type="submit" class="main" disabled={busy || (ofApplication && chosen.length === 0)}>
          Create
        </button>
      </div>
      {ofApplication && <ScopeChoice chosen={chosen} onChange={setChosen} />}
      <Failed error={error} />
    </form>
  );
}
