import type { InputHTMLAttributes } from 'preact';

type TextFieldProps = Pick<InputHTMLAttributes, 'type' | 'min' | 'max' | 'step' | 'required' | 'maxLength'> & {
  readonly label: string;
  readonly value: string | number;
  readonly onInput: (text: string) => void;
};

/** A line of text, or what its type says. */
export function TextField({ label, type = 'text', onInput, ...input }: TextFieldProps) {
  return (
    <label class="field">
      <span class="label">{label}</span>
      <input {...input} type={type} autocomplete="off" onInput={(event) => onInput(event.currentTarget.value)} />
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
