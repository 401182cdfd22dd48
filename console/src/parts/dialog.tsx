import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef } from 'preact/hooks';
import { Button } from './button.tsx';

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
