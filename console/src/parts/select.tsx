interface SelectProps<Value extends string> {
  readonly label: string;
  /** A class for its place in a form. */
  readonly kind?: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, title: string])[];
  readonly onChange: (value: Value) => void;
}

export function Select<Value extends string>({ label, kind = '', value, options, onChange }: SelectProps<Value>) {
  return (
    <label class={`field ${kind}`}>
      <span class="label">{label}</span>
      <select value={value} onChange={(event) => onChange(event.currentTarget.value as Value)}>
        {options.map(([each, title]) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
