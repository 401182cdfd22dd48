import { useState } from 'preact/hooks';
import type { Scope } from '@sosia/contract';
import type { Key } from '../../api/answers.ts';
import { Checks, NameField, Select, TextField, useFields } from '../../parts/fields.tsx';
import { Form, FormDialog } from '../../parts/form.tsx';
import { change } from './reading.ts';
import type { MadeKey } from './secret.tsx';

/** Empty for the keys of administrators, which have no choice of scopes. */
type Owner = { readonly application?: string };

/** What a key of an application may do. */
const scopes: readonly (readonly [Scope, string])[] = [
  ['search', 'search and read'],
  ['add', 'add pictures, change keywords'],
  ['delete', 'delete pictures'],
  ['administer', 'manage keys and settings'],
];

/** Name, scopes and end of a key: its values, whether they are whole, and their fields. @param shown  undefined for a new one */
function useKeyFields(owner: Owner, shown?: Key) {
  const expires = shown?.expires?.slice(0, 10) ?? '';
  const initial = { name: shown?.name ?? '', scopes: shown?.scopes ?? (['search'] as readonly Scope[]), expires };
  const { values, set, field } = useFields(initial);
  const ofApplication = owner.application !== undefined;
  const fields = (
    <>
      <div class="form-line">
        <NameField label={shown ? 'Name' : 'Name, such as the program that uses it'} {...field('name')} />
        <TextField label="Ends on (empty: never)" type="date" {...field('expires')} />
      </div>
      {ofApplication && <Checks label="It may" options={scopes} {...field('scopes')} />}
    </>
  );
  const given = {
    name: values.name.trim(),
    scopes: ofApplication ? values.scopes : undefined,
    expires: values.expires,
  };
  return { given, initial, set, fields, isWhole: !ofApplication || values.scopes.length > 0 };
}

export function NewKey({ owner, onMade }: { owner: Owner; onMade: (made: MadeKey) => void }) {
  const { given, set, fields, isWhole } = useKeyFields(owner);
  const submit = async (): Promise<void> => {
    const made = await change('CreateKey', { ...owner, ...given, expires: given.expires || undefined });
    onMade({ about: `The key ${made.key.name}.`, secret: made.secret });
    set({ name: '' });
  };
  return (
    <Form title="New key" action="Create" disabled={!isWhole} onSubmit={submit}>
      {fields}
    </Form>
  );
}

interface KeyDialogProps {
  readonly shown: Key;
  readonly owner: Owner;
  /** With the key that replaces it, if one does. */
  readonly onDone: (replacement?: MadeKey) => void;
  readonly onClose: () => void;
}

function EditKey({ shown, owner, onDone, onClose }: KeyDialogProps) {
  const { given, initial, fields, isWhole } = useKeyFields(owner, shown);
  const submit = async (): Promise<void> => {
    const name = given.name === shown.name ? undefined : given.name;
    const expires = given.expires === initial.expires ? undefined : given.expires || 'never';
    await change('SetKey', { ...owner, ...given, key: shown.id, name, expires });
    onDone();
  };
  return (
    <FormDialog title={`Edit ${shown.name}`} action="Save" disabled={!isWhole} onSubmit={submit} onClose={onClose}>
      {fields}
    </FormDialog>
  );
}

/** Seconds that a replaced key stays valid. */
const graces = [
  ['0', 'no longer: it ends at once'],
  ['3600', 'for another hour'],
  ['86400', 'for another day'],
  ['604800', 'for another week'],
] as const;

/** Makes a key in place of another one, with a time in which both work. */
function ReplaceKey({ shown, owner, onDone, onClose }: KeyDialogProps) {
  const [grace, setGrace] = useState<(typeof graces)[number][0]>('86400');
  const submit = async (): Promise<void> => {
    const { secret } = await change('RotateKey', { ...owner, key: shown.id, grace: Number(grace) });
    onDone({ about: `The key that replaces ${shown.name}.`, secret });
  };
  return (
    <FormDialog title={`Replace ${shown.name}`} action="Make the new key" onSubmit={submit} onClose={onClose}>
      <p>A new key with the same rights is made. Give it to the programs that use the former one.</p>
      <Select label="The old key stays valid" value={grace} options={graces} onChange={setGrace} />
    </FormDialog>
  );
}

function RevokeKey({ shown, owner, onDone, onClose }: KeyDialogProps) {
  const submit = async (): Promise<void> => {
    await change('RevokeKey', { ...owner, key: shown.id });
    onDone();
  };
  return (
    <FormDialog title={`Revoke ${shown.name}`} action="Revoke it" danger onSubmit={submit} onClose={onClose}>
      <p>
        The key that begins with <code>{shown.hint}</code> ends at once. Programs that still use it are refused. This
        cannot be undone.
      </p>
    </FormDialog>
  );
}

/** What can be done with a key. */
export const keyDialogs = [
  { title: 'Edit', Content: EditKey },
  { title: 'Replace', Content: ReplaceKey },
  { title: 'Revoke', Content: RevokeKey },
] as const;
