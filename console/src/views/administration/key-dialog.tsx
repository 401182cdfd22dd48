import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { Failed } from '../../parts/notice.tsx';
import { useChange } from './reading.ts';

interface KeyDialogProps {
  readonly what: 'rotate' | 'revoke';
  readonly shown: Key;
  readonly owner: { readonly application?: string };
  readonly onDone: (replacement: { about: string; secret: string } | undefined) => void;
  readonly onClose: () => void;
}

const graces: Readonly<Record<string, string>> = {
  '3600': 'for another hour',
  '86400': 'for another day',
  '604800': 'for another week',
  '0': 'no longer: it ends at once',
};

/** Replaces a key, with a time in which both work, or ends it at once. */
export function KeyDialog({ what, shown, owner, onDone, onClose }: KeyDialogProps) {
  const [grace, setGrace] = useState('86400');
  const { busy, error, change } = useChange();
  const rotation = what === 'rotate';
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const values = { ...owner, key: shown.id };
    if (rotation) {
      const made = await change('RotateKey', { ...values, grace: Number(grace) });
      if (made) onDone({ about: `The key that replaces ${shown.name}.`, secret: made.secret });
    } else if (await change('RevokeKey', values)) onDone(undefined);
  };
  return (
    <Dialog title={`${rotation ? 'Replace' : 'Revoke'} ${shown.name}`} onClose={onClose}>
      <form class="settings" onSubmit={(event) => void submit(event)}>
        {rotation ? (
          <>
            <p>
              A new key with the same rights is made. Give it to the programs that use the former one, which works until
              then.
            </p>
            <label class="field">
              <span class="label">The old key stays valid</span>
              <select value={grace} onChange={(event) => setGrace(event.currentTarget.value)}>
                {Object.entries(graces)
                  .sort(([a], [b]) => Number(b === '0') - Number(a === '0') || Number(a) - Number(b))
                  .map(([seconds, words]) => (
                    <option key={seconds} value={seconds}>
                      {words}
                    </option>
                  ))}
              </select>
            </label>
          </>
        ) : (
          <p>
            The key that begins with <code>{shown.hint}</code> ends at once. Programs that still use it are refused.
            This cannot be undone.
          </p>
        )}
        <Failed error={error} />
        <DialogButtons
          label={rotation ? 'Make the new key' : 'Revoke it'}
          danger={!rotation}
          disabled={busy}
          onCancel={onClose}
        />
      </form>
    </Dialog>
  );
}
