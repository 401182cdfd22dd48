import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { FormDialog, Form } from '../../parts/form.tsx';
import { Select, useFields, Checks, NameField, TextField, type Field } from '../../parts/fields.tsx';
import { change } from './reading.ts';
import type { Scope } from '@sosia/contract';

interface KeyDialogProps {
  readonly what: 'rotate' | 'revoke';
  readonly shown: Key;
  readonly owner: { readonly application?: string };
  readonly onDone: (replacement: { about: string; secret: string } | undefined) => void;
  readonly onClose: () => void;
}

/** Seconds that a replaced key stays valid. */
const graces = [
  ['0', 'no longer: it ends at once'],
  ['3600', 'for another hour'],
  ['86400', 'for another day'],
  ['604800', 'for another week'],
] as const;

/** Replaces a key, with a time in which both work, or ends it at once. */
export function KeyDialog({ what, shown, owner, onDone, onClose }: KeyDialogProps) {
  const [grace, setGrace] = useState<(typeof graces)[number][0]>('86400');
  const rotation = what === 'rotate';
  const submit = async (): Promise<void> => {
    const values = { ...owner, key: shown.id };
    if (rotation) {
      const made = await change('RotateKey', { ...values, grace: Number(grace) });
      onDone({ about: `The key that replaces ${shown.name}.`, secret: made.secret });
    } else {
      await change('RevokeKey', values);
      onDone(undefined);
    }
  };
  return (
    <FormDialog
      title={`${rotation ? 'Replace' : 'Revoke'} ${shown.name}`}
      action={rotation ? 'Make the new key' : 'Revoke it'}
      danger={!rotation}
      onSubmit={submit}
      onClose={onClose}
    >
      {rotation ? (
        <>
          <p>A new key with the same rights is made. Give it to the programs that use the former one.</p>
          <Select label="The old key stays valid" value={grace} options={graces} onChange={setGrace} />
        </>
      ) : (
        <p>
          The key that begins with <code>{shown.hint}</code> ends at once. Programs that still use it are refused. This
          cannot be undone.
        </p>
      )}
    </FormDialog>
  );
}

interface NewKeyProps {
  /** Empty for a key of an administrator, which has no choice of scopes. */
  readonly owner: { readonly application?: string };
  readonly onMade: (about: string, secret: string) => void;
}

export function NewKey({ owner, onMade }: NewKeyProps) {
  const { values, set, field } = useFields<KeyValues>({ name: '', scopes: ['search'], expires: '' });
  const { name, scopes, expires } = values;
  const ofApplication = owner.application !== undefined;
  const submit = async (): Promise<void> => {
    const given = { name: name.trim(), scopes: ofApplication ? scopes : undefined, expires: expires || undefined };
    const made = await change('CreateKey', { ...owner, ...given });
    onMade(`The key ${made.key.name}.`, made.secret);
    set({ name: '' });
  };
  return (
    <Form title="New key" action="Create" disabled={ofApplication && scopes.length === 0} onSubmit={submit}>
      <KeyFields field={field} label="Name, such as the program that uses it" ofApplication={ofApplication} />
    </Form>
  );
}

interface EditKeyProps {
  readonly shown: Key;
  readonly owner: { readonly application?: string };
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** Name, scopes and end of a key. */
export function EditKey({ shown, owner, onDone, onClose }: EditKeyProps) {
  const end = shown.expires?.slice(0, 10) ?? '';
  const { values, field } = useFields<KeyValues>({ name: shown.name, scopes: shown.scopes, expires: end });
  const { name, scopes, expires } = values;
  const ofApplication = owner.application !== undefined;
  const submit = async (): Promise<void> => {
    await change('SetKey', {
      ...owner,
      key: shown.id,
      name: name.trim() === shown.name ? undefined : name.trim(),
      scopes: ofApplication ? scopes : undefined,
      expires: expires === end ? undefined : expires || 'never',
    });
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
      <KeyFields field={field} ofApplication={ofApplication} />
    </FormDialog>
  );
}

interface KeyValues {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** A date; empty for a key without an end. */
  readonly expires: string;
}

/** What a key of an application may do. */
const scopes: readonly (readonly [Scope, string])[] = [
  ['search', 'search and read'],
  ['add', 'add pictures, change keywords'],
  ['delete', 'delete pictures'],
  ['administer', 'manage keys and settings'],
];

interface KeyFieldsProps {
  readonly field: <Name extends keyof KeyValues>(name: Name) => Field<KeyValues[Name]>;
  readonly label?: string;
  /** A key of an administrator has no choice of scopes. */
  readonly ofApplication: boolean;
}

function KeyFields({ field, label, ofApplication }: KeyFieldsProps) {
  return (
    <>
      <div class="form-line">
        <NameField {...(label && { label })} {...field('name')} />
        <TextField label="Ends on (empty: never)" type="date" {...field('expires')} />
      </div>
      {ofApplication && <Checks label="It may" options={scopes} {...field('scopes')} />}
    </>
  );
}
