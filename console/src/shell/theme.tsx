import { useEffect, useState } from 'preact/hooks';

const themes = { auto: 'System', light: 'Light', dark: 'Dark' } as const;
type Theme = keyof typeof themes;
const STORED = 'sosia-theme';

/** Dark or light, by the system's setting unless chosen here. */
export function ThemeSwitch() {
  const [theme, setTheme] = useState<Theme>(() => {
    const stored = localStorage.getItem(STORED) ?? '';
    return stored in themes ? (stored as Theme) : 'auto';
  });
  useEffect(() => {
    document.documentElement.dataset['theme'] = theme;
    localStorage.setItem(STORED, theme);
  }, [theme]);
  return (
    <label class="theme">
      <span class="hidden">Theme</span>
      <select value={theme} onChange={(event) => setTheme(event.currentTarget.value as Theme)}>
        {Object.entries(themes).map(([each, title]) => (
          <option key={each} value={each}>
            {title}
          </option>
        ))}
      </select>
    </label>
  );
}
