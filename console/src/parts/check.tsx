interface CheckProps {
  readonly label: string;
  readonly about?: string;
  readonly checked: boolean;
  readonly onChange: (checked: boolean) => void;
}

export function Check({ label, about, checked, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={checked} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {about && <small>{about}</small>}
      </span>
    </label>
  );
}

interface ChecksProps<Name extends string> {
  readonly label: string;
  readonly options: readonly (readonly [name: Name, title: string])[];
  readonly chosen: readonly Name[];
  readonly onChange: (chosen: Name[]) => void;
}

/** Any number of a few. */
export function Checks<Name extends string>({ label, options, chosen, onChange }: ChecksProps<Name>) {
  return (
    <fieldset class="checks">
      <legend class="label">{label}</legend>
      {options.map(([name, title]) => (
        <Check
          key={name}
          label={title}
          checked={chosen.includes(name)}
          onChange={(checked) => onChange(checked ? [...chosen, name] : chosen.filter((each) => each !== name))}
        />
      ))}
    </fieldset>
  );
}
