import { Icon, type IconName } from './icon.tsx';

interface ButtonProps {
  readonly text?: string;
  readonly icon?: IconName;
  /** For screen readers, where the text alone does not say what it is about. */
  readonly label?: string;
  readonly kind?: 'main' | 'quiet' | 'card-delete' | undefined;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

export function Button({ text, icon, label, kind, disabled, onClick }: ButtonProps) {
  return (
    <button type="button" class={kind} aria-label={label} disabled={disabled} onClick={onClick}>
      {icon && <Icon name={icon} />}
      {text}
    </button>
  );
}
