import type { ComponentChildren } from 'preact';
import { useAction } from './answer.ts';
import { Button } from './button.tsx';
import { Dialog } from './dialog.tsx';
import { Failed } from './notice.tsx';

interface FormProps {
  /** A form in a dialog has none: the dialog has it. */
  readonly title?: string;
  /** What the main button does. */
  readonly action: string;
  /** Whether something is lost by it. */
  readonly danger?: boolean | undefined;
  readonly disabled?: boolean | undefined;
  /** A failure is shown, and the form stays as it is. */
  readonly onSubmit: () => Promise<unknown>;
  readonly onCancel?: () => void;
  /** Beside the buttons. */
  readonly state?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** Fields with a button that sends them, once at a time. */
export function Form({ title, action, danger, disabled, onSubmit, onCancel, state, children }: FormProps) {
  const { busy, error, run } = useAction();
  const submit = (event: SubmitEvent): void => {
    event.preventDefault();
    void run(onSubmit);
  };
  return (
    <form class={title ? 'surface stack' : 'stack'} aria-label={title} onSubmit={submit}>
      {title && <h2>{title}</h2>}
      {children}
      <Failed error={error} />
      <div class="row">
        <button type="submit" class={danger ? 'main is-danger' : 'main'} disabled={busy || disabled}>
          {action}
        </button>
        {onCancel && <Button kind="quiet" text="Cancel" onClick={onCancel} />}
        {state}
      </div>
    </form>
  );
}

type FormDialogProps = Omit<FormProps, 'title' | 'onCancel' | 'state'> & {
  readonly title: string;
  readonly onClose: () => void;
};

export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  );
}
