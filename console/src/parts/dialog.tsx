import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './controls.tsx';
import { useAction, Failed } from './answer.tsx';

interface DialogProps {
  readonly title: string;
  readonly onClose: () => void;
  /** Called for keys that no element inside has handled. */
  readonly onKey?: (key: string) => void;
  readonly head?: ComponentChildren;
  readonly children: ComponentChildren;
}

/** A modal dialog: Escape and the button close it, and the focus returns to its previous place. */
export function Dialog({ title, onClose, onKey, head, children }: DialogProps) {
  const dialog = useRef<HTMLDialogElement>(null);
  // Before the first layout, so that the content never measures itself in a closed dialog.
  useLayoutEffect(() => {
    const before = document.activeElement as HTMLElement | null;
    dialog.current!.showModal();
    return () => before?.focus();
  }, []);
  const key = (event: KeyboardEvent): void => {
    if (!(event.target instanceof HTMLInputElement) && !event.ctrlKey && !event.metaKey) onKey?.(event.key);
  };
  return (
    <dialog ref={dialog} aria-label={title} onClose={onClose} onKeyDown={key}>
      <header class="line dialog-head">
        <h2>{title}</h2>
        {head}
        <Button kind="quiet" icon="close" label="Close" onClick={onClose} />
      </header>
      {children}
    </dialog>
  );
}

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
