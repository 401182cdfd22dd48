import type { ComponentChildren } from 'preact';
import type { CallError } from '../api/call.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './notice.tsx';

interface FormDialogProps {
  readonly title: string;
  /** What the main button does. */
  readonly action: string;
  /** Whether something is lost by it. */
  readonly danger?: boolean;
  readonly disabled: boolean;
  readonly error: CallError | undefined;
  readonly onSubmit: () => Promise<void>;
  readonly onClose: () => void;
  readonly children: ComponentChildren;
}

/** A form in a dialog. */
export function FormDialog({ title, action, danger, disabled, error, onSubmit, onClose, children }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <form
        class="stack settings"
        onSubmit={(event) => {
          event.preventDefault();
          void onSubmit();
        }}
      >
        {children}
        <Failed error={error} />
        <div class="row">
          <button type="submit" class={danger ? 'main is-danger' : 'main'} disabled={disabled}>
            {action}
          </button>
          <Button kind="quiet" text="Cancel" onClick={onClose} />
        </div>
      </form>
    </Dialog>
  );
}
