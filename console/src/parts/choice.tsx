import type { ComponentChildren } from 'preact';

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, title: ComponentChildren, shortcut?: string])[];
  readonly onChange: (value: Value) => void;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** One of a few, as buttons side by side. */
export function Choice<Value extends string>({ label, value, options, onChange, children }: ChoiceProps<Value>) {
  return (
    <div class="row" role="group" aria-label={label}>
      <div class="segments">
        {options.map(([each, title, shortcut]) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === value}
            aria-keyshortcuts={shortcut}
            onClick={() => onChange(each)}
          >
            {title}
            {shortcut && <kbd>{shortcut}</kbd>}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}
