import { useEffect, useState } from 'preact/hooks';

const themes = ['auto', 'light', 'dark'] as const;
type Theme = (typeof themes)[number];
const STORED = 'sosia-theme';

/** Dark or light, by the system's setting unless chosen here. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState(() => themes.find((each) => each === localStorage.getItem(STORED)) ?? 'auto');
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(STORED, theme);
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {themes.map((each) => (
          <option key={each} value={each}>
            {each}
          </option>
        ))}
      </select>
    </label>
  );
}
