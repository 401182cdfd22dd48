import { useState } from 'preact/hooks';
import { Button } from './button.tsx';

interface KeywordsFieldProps {
  readonly label: string;
  readonly keywords: readonly string[];
  readonly onChange: (keywords: string[]) => void;
  /** Shown while there are none. */
  readonly empty?: string;
  /** Whether a comma is a part of one, as in conditions. */
  readonly commas?: boolean;
}

/** Keywords as tokens: Enter or a comma adds one, Backspace in an empty field removes the last one. */
export function KeywordsField({ label, keywords, onChange, empty = 'any', commas = false }: KeywordsFieldProps) {
  const [text, setText] = useState('');
  const enter = (): void => {
    const typed = (commas ? [text] : text.split(',')).flatMap((each) => each.trim().normalize('NFC') || []);
    setText('');
    if (typed.length > 0) onChange([...new Set([...keywords, ...typed])]);
  };
  const onKey = (event: KeyboardEvent): void => {
    if (event.key === 'Enter' || (event.key === ',' && !commas)) {
      event.preventDefault();
      enter();
    } else if (event.key === 'Backspace' && text === '' && keywords.length > 0) onChange(keywords.slice(0, -1));
  };
  return (
    <div class="field">
      <label>
        <span class="label">{label}</span>
        <input
          type="text"
          value={text}
          placeholder={keywords.length ? '' : empty}
          autocomplete="off"
          onInput={(event) => setText(event.currentTarget.value)}
          onKeyDown={onKey}
          onBlur={enter}
        />
      </label>
      {keywords.length > 0 && (
        <ul class="tokens" aria-label={`${label}, given`}>
          {keywords.map((keyword) => (
            <li key={keyword}>
              {keyword}
              <Button
                icon="close"
                label={`Without ${keyword}`}
                onClick={() => onChange(keywords.filter((each) => each !== keyword))}
              />
            </li>
          ))}
        </ul>
      )}
    </div>
  );
}

/** Conditions on metadata, each a token. */
export function ConditionsField(field: Pick<KeywordsFieldProps, 'keywords' | 'onChange'>) {
  return <KeywordsField {...field} label="With the metadata" empty="year>=2020" commas />;
}
