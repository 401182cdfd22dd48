import { useEffect, useState } from 'preact/hooks';
import { Select } from '../parts/fields.tsx';
import { StoredText } from '../parts/stored-text.ts';

const themes = [
  ['auto', 'System'],
  ['light', 'Light'],
  ['dark', 'Dark'],
] as const;
const stored = new StoredText('sosia-theme');

/** Dark or light, by the system's setting unless chosen here. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(themes.find(([each]) => each === stored.text)?.[0] ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    stored.text = theme;
  }, [theme]);
  return <Select label="Theme" kind="theme" value={theme} options={themes} onChange={setTheme} />;
}
