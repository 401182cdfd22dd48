import { useEffect, useState } from 'preact/hooks';
import { Dialog } from '../parts/dialog.tsx';
import { Icon, type IconName } from '../parts/icon.tsx';
import { go, linkBackTo, linkTo } from '../route.ts';
import { useChosenApplication } from '../session.ts';
import type { View } from './views.ts';

interface Target {
  readonly icon: IconName;
  readonly title: string;
  readonly to: string;
}

/** Whether the list is open, which Ctrl+K opens. */
export function useGoing() {
  const [going, setGoing] = useState(false);
  useEffect(() => {
    const onKey = (event: KeyboardEvent): void => {
      if (event.key.toLowerCase() !== 'k' || !(event.ctrlKey || event.metaKey)) return;
      event.preventDefault();
      setGoing(true);
    };
    document.addEventListener('keydown', onKey);
    return () => document.removeEventListener('keydown', onKey);
  }, []);
  return [going, setGoing] as const;
}

/** A text leads to a view, or to a search for it. The arrows move, Enter goes. */
export function GoTo({ views, onClose }: { views: readonly View[]; onClose: () => void }) {
  const [text, setText] = useState('');
  const searches = useChosenApplication() && views.some(({ name }) => name === 'search');
  const typed = text.trim();
  const found = views.filter(({ title }) => title.toLowerCase().includes(typed.toLowerCase()));
  const targets: Target[] = found.map(({ name, title }) => ({ icon: name, title, to: linkBackTo(name) }));
  if (searches && typed) {
    const keywords = linkTo('search', { by: 'keywords', keywords: typed });
    targets.push({ icon: 'search', title: `Pictures with the keyword ${typed}`, to: keywords });
    targets.push({ icon: 'pictures', title: `Pictures like ${typed}`, to: linkTo('search', { id: typed }) });
  }
  const move = (event: KeyboardEvent): void => {
    const step = { ArrowDown: 1, ArrowUp: -1 }[event.key];
    if (step === undefined) return;
    event.preventDefault();
    const all = [...(event.currentTarget as HTMLElement).querySelectorAll<HTMLElement>('input, a')];
    all[all.indexOf(document.activeElement as HTMLElement) + step]?.focus();
  };
  return (
    <Dialog title="Go to" onClose={onClose}>
      <form
        class="stack go-to"
        onKeyDown={move}
        onSubmit={(event) => {
          event.preventDefault();
          if (targets[0]) go(targets[0].to);
          onClose();
        }}
      >
        <input
          type="text"
          aria-label="A view, a keyword or an id"
          placeholder="A view, a keyword or an id"
          autocomplete="off"
          autofocus
          value={text}
          onInput={(event) => setText(event.currentTarget.value)}
        />
        <nav aria-label="Targets">
          {targets.map(({ icon, title, to }) => (
            <a key={to} class="line" href={to} onClick={onClose}>
              <Icon name={icon} />
              {title}
            </a>
          ))}
        </nav>
      </form>
    </Dialog>
  );
}
