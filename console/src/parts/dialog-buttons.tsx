interface DialogButtonsProps {
  /** What the main button does. */
  readonly label: string;
  readonly disabled: boolean;
  /** Whether something is lost by it. */
  readonly danger?: boolean;
  readonly onCancel: () => void;
}

/** The buttons at the end of a form in a dialog; the main one submits the form. */
export function DialogButtons({ label, disabled, danger = false, onCancel }: DialogButtonsProps) {
  return (
    <div class="buttons">
      <button type="submit" class={danger ? 'main is-danger' : 'main'} disabled={disabled}>
        {label}
      </button>
      <button type="button" class="quiet" onClick={onCancel}>
        Cancel
      </button>
    </div>
  );
}
