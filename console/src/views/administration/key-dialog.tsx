import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { FormDialog } from '../../parts/form-dialog.tsx';
import { Select } from '../../parts/select.tsx';
import { change } from './reading.ts';

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
