import type { InputHTMLAttributes } from 'preact';

type TextFieldProps = Pick<InputHTMLAttributes, 'type' | 'min' | 'max' | 'step' | 'required' | 'maxLength'> & {
  readonly label: string;
  readonly value: string | number;
  readonly onInput: (text: string) => void;
  /** Whether it has several lines. */
  readonly lines?: boolean | undefined;
};

/** A line of text, or what its type says. */
export function TextField({ label, type = 'text', lines, required, onInput, ...input }: TextFieldProps) {
  const typed = { value: input.value, required, autocomplete: 'off' } as const;
  return (
    <label class="field">
      <span class="label">{label}</span>
      {lines ? (
        <textarea {...typed} spellcheck={false} onInput={(event) => onInput(event.currentTarget.value)} />
      ) : (
        <input {...input} {...typed} type={type} onInput={(event) => onInput(event.currentTarget.value)} />
      )}
    </label>
  );
}

/** The name of an application, a key or a profile. */
export function NameField({
  label = 'Name',
  ...field
}: Pick<TextFieldProps, 'value' | 'onInput'> & { label?: string }) {
  return <TextField {...field} label={label} required maxLength={100} />;
}
