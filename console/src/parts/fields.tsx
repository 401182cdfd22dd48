import type { InputHTMLAttributes } from 'preact';
import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

/** A value, and what is done with another one. */
export interface Field<Value> {
  readonly value: Value;
  readonly onChange: (value: Value) => void;
}

/** Binds fields to the values of these names: `<Check label="Existing" {...field('existing')} />`. */
export function fieldsOf<T extends object>(values: T, set: (to: Partial<T>) => void) {
  return <Name extends keyof T>(name: Name): Field<T[Name]> => ({
    value: values[name],
    onChange: (value) => set({ [name]: value } as unknown as Partial<T>),
  });
}

/** The values of a form. */
export function useFields<T extends object>(initial: T) {
  const [values, setValues] = useState(initial);
  const set = (to: Partial<T>): void => setValues((before) => ({ ...before, ...to }));
  return { values, set, field: fieldsOf(values, set) };
}

type TextFieldProps = Pick<InputHTMLAttributes, 'type' | 'min' | 'max' | 'step' | 'required' | 'maxLength'> & {
  readonly label: string;
  readonly value: string | number;
  readonly onChange: (text: string) => void;
  /** Whether it has several lines. */
  readonly lines?: boolean | undefined;
};

/** A line of text, or what its type says. */
export function TextField({ label, type = 'text', lines, required, onChange, ...input }: TextFieldProps) {
  const typed = { value: input.value, required, autocomplete: 'off' } as const;
  return (
    <label class="field">
      <span class="label">{label}</span>
      {lines ? (
        <textarea {...typed} spellcheck={false} onInput={(event) => onChange(event.currentTarget.value)} />
      ) : (
        <input {...input} {...typed} type={type} onInput={(event) => onChange(event.currentTarget.value)} />
      )}
    </label>
  );
}

/** The name of an application, a key or a profile. */
export function NameField({ label = 'Name', ...field }: Field<string> & { label?: string }) {
  return <TextField {...field} label={label} required maxLength={100} />;
}

type CheckProps = Field<boolean> & { readonly label: string; readonly about?: string };

export function Check({ label, about, value, onChange }: CheckProps) {
  return (
    <label class="check">
      <input type="checkbox" checked={value} onChange={(event) => onChange(event.currentTarget.checked)} />
      <span>
        {label}
        {about && <small>{about}</small>}
      </span>
    </label>
  );
}

type ChecksProps<Name extends string> = Field<readonly Name[]> & {
  readonly label: string;
  readonly options: readonly (readonly [name: Name, title: string])[];
};

/** Any number of a few. */
export function Checks<Name extends string>({ label, options, value, onChange }: ChecksProps<Name>) {
  return (
    <fieldset class="row checks">
      <legend class="label">{label}</legend>
      {options.map(([name, title]) => (
        <Check
          key={name}
          label={title}
          value={value.includes(name)}
          onChange={(checked) => onChange(checked ? [...value, name] : value.filter((each) => each !== name))}
        />
      ))}
    </fieldset>
  );
}

type SelectProps<Value extends string> = Field<Value> & {
  readonly label: string;
  /** A class for its place in a form. */
  readonly kind?: string;
  readonly options: readonly (readonly [value: Value, title: string])[];
};

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

type SliderProps = Field<number> & { readonly label: string; readonly min?: number; readonly step?: number };

/** A number up to 100. */
export function Slider({ label, min = 0, step = 1, value, onChange }: SliderProps) {
  return (
    <label>
      <span class="label">{label}</span>
      <input
        type="range"
        min={min}
        max={100}
        step={step}
        value={value}
        onInput={(event) => onChange(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}

type KeywordsFieldProps = Field<readonly string[]> & {
  readonly label: string;
  /** Shown while there are none. */
  readonly empty?: string;
  /** Whether a comma is a part of one, as in conditions. */
  readonly commas?: boolean;
};

/** Keywords as tokens: Enter or a comma adds one, Backspace in an empty field removes the last one. */
export function KeywordsField({ label, value, onChange, empty = 'any', commas = false }: KeywordsFieldProps) {
  const [text, setText] = useState('');
  const enter = (): void => {
    const typed = (commas ? [text] : text.split(',')).flatMap((each) => each.trim().normalize('NFC') || []);
    setText('');
    if (typed.length > 0) onChange([...new Set([...value, ...typed])]);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || (event.key === ',' && !commas)) {
      event.preventDefault();
      enter();
    } else if (event.key === 'Backspace' && text === '' && value.length > 0) onChange(value.slice(0, -1));
  };
  return (
    <div class="field">
      <label>
        <span class="label">{label}</span>
        <input
          type="text"
          value={text}
          placeholder={value.length ? '' : empty}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKey}
          onBlur={enter}
        />
      </label>
      {value.length > 0 && (
        <ul class="row tokens" aria-label={`${label}, given`}>
          {value.map((keyword) => (
            <li key={keyword}>
              {keyword}
              <Button
                icon="close"
                label={`Without ${keyword}`}
                onClick={() => onChange(value.filter((each) => each !== keyword))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Conditions on metadata, each a token. */
export function ConditionsField(field: Field<readonly string[]>) {
  return <KeywordsField {...field} label="With the metadata" empty="year>=2020" commas />;
}
