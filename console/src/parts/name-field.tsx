interface NameFieldProps {
  readonly label?: string;
  readonly value: string;
  readonly onInput: (name: string) => void;
}

/** The name of an application, a key or a profile. */
export function NameField({ label = 'Name', value, onInput }: NameFieldProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <input
        type="text"
        required
        maxLength={100}
        autocomplete="off"
        value={value}
        onInput={(event) => onInput(event.currentTarget.value)}
      />
    </label>
  );
}
