import { useState } from 'preact/hooks';
import type { Scope } from '@sosia/contract';
import { Form } from '../../parts/form.tsx';
import { NameField, TextField } from '../../parts/text-field.tsx';
import { change } from './reading.ts';
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
  const ofApplication = owner.application !== undefined;
  const submit = async (): Promise<void> => {
    const made = await change('CreateKey', {
      ...owner,
      name: name.trim(),
      scopes: ofApplication ? chosen : undefined,
      expires: expires || undefined,
    });
    onMade(`The key ${made.key.name}.`, made.secret);
    setName('');
  };
  return (
    <Form title="New key" action="Create" disabled={ofApplication && chosen.length === 0} onSubmit={submit}>
      <div class="form-line">
        <NameField label="Name, such as the program that uses it" value={name} onInput={setName} />
        <TextField label="Ends on (empty: never)" type="date" value={expires} onInput={setExpires} />
      </div>
      {ofApplication && <ScopeChoice chosen={chosen} onChange={setChosen} />}
    </Form>
  );
}
