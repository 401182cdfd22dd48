import { useState, useRef } from 'preact/hooks';
import type { ComponentChildren } from 'preact';
import { whole } from './figures.ts';
import { linkTo } from '../route.ts';
import { filesOf, type NamedFile } from '../intake/dropped-files.ts';

/** Line drawings on a grid of 16. */
const paths = {
  home: 'M2.5 7.5 8 2.8l5.5 4.7M4 6.5v6.7h8V6.5M6.7 13v-3.4h2.6V13',
  search: 'M7 12a5 5 0 1 0 0-10 5 5 0 0 0 0 10zM10.6 10.6 14 14',
  pictures: 'M2 3.5h12v9H2zM2.5 11l3.3-3.6 2.6 2.7 2-1.8 3.1 3M10.2 6.2h.01',
  review: 'M2 4.8h8v8H2zM5.6 4.6V2.2H14v8.4h-3.8M4 8.8l1.5 1.5L8.2 7.4',
  events: 'M3 11.800h10L11.800 10V6.800a3.8 3.8 0 0 0-7.600 0V10zM6.500 14h3',
  compare: 'M8 2v12M2.5 4h3.6v8H2.5zM9.9 4h3.6v8H9.9',
  palette:
    'M8 2a6 6 0 1 0 0 12c1 0 1.4-.7 1.1-1.5-.4-1.1.2-1.9 1.3-1.9H12c1.3 0 2-1.2 2-2.6C14 4.6 11.3 2 8 2zM5 8h.01M6.5 5.200h.01M9.7 5.200h.01',
  filter: 'M2.5 2.500h5l6 6-5 5-6-6zM5.3 5.300h.01',
  status: 'M1.5 8.500h3l2-5 3 9 2-4h3',
  administration: 'M9.6 8.600a3.3 3.3 0 1 0-2.2-2.200L2.5 11.300v2.200h2.600v-1.700h1.700v-1.700zM10.9 5.100h.01',
  book: 'M3 2.800h4c.6 0 1 .4 1 1V13c0-.6-.4-1-1-1H3zM13 2.800H9c-.6 0-1 .4-1 1V13c0-.6.4-1 1-1h4z',
  leave: 'M6.5 2.500h-4v11h4M6.5 8H14M11 5l3 3-3 3',
  close: 'M4 4l8 8M12 4l-8 8',
  left: 'M10 3 5 8l5 5',
  right: 'M6 3l5 5-5 5',
  remove: 'M3 4.500h10M6.5 4.500V3h3v1.500M4.5 4.500l.6 8.500h5.8l.6-8.5',
  copy: 'M5.5 5.500h7v8h-7zM3.5 10.500v-8h7',
  check: 'M3 8.500l3.2 3.200L13 4.8',
  add: 'M8 3v10M3 8h10',
  alert: 'M8 2.2 14.5 13.500h-13zM8 6.500v3.200M8 11.500v.2',
  upload: 'M8 10.500v-8M4.8 5.5 8 2.300l3.2 3.200M2.5 10v3.500h11V10',
  undo: 'M3 7h6.5a3.5 3.5 0 0 1 0 7H6M5.8 4 3 7l2.8 3',
  try: 'M4.500 3v10l8.500-5z',
  options: 'M2 4.500h6M11 4.500h3M9.5 3v3M2 11.500h3M8 11.500h6M6.5 10v3',
};

export type IconName = keyof typeof paths;

export function Icon({ name }: { name: IconName }) {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={paths[name]} />
    </svg>
  );
}

interface ButtonProps {
  readonly text?: string;
  readonly icon?: IconName;
  /** For screen readers, where the text alone does not say what it is about. */
  readonly label?: string;
  readonly kind?: 'main' | 'quiet' | 'card-delete' | undefined;
  readonly disabled?: boolean;
  readonly onClick: () => void;
}

export function Button({ text, icon, label, kind, disabled, onClick }: ButtonProps) {
  return (
    <button type="button" class={kind} aria-label={label} disabled={disabled} onClick={onClick}>
      {icon && <Icon name={icon} />}
      {text}
    </button>
  );
}

/** Copies a text to the clipboard, and says so; where the browser does not allow it, as on pages without https, nothing. */
export function CopyButton({ text, kind }: { text: string; kind?: 'quiet' }) {
  const [copied, setCopied] = useState(false);
  const copy = async (): Promise<void> => {
    await navigator.clipboard.writeText(text);
    setCopied(true);
    setTimeout(() => setCopied(false), 1500);
  };
  return (
    <Button
      kind={kind}
      icon={copied ? 'check' : 'copy'}
      text={copied ? 'Copied' : 'Copy'}
      onClick={() => void copy().catch(() => {})}
    />
  );
}

interface ChoiceProps<Value extends string> {
  readonly label: string;
  readonly value: Value;
  readonly options: readonly (readonly [value: Value, title: ComponentChildren, shortcut?: string])[];
  readonly onChange: (value: Value) => void;
  /** Further buttons. */
  readonly children?: ComponentChildren;
}

/** One of a few, as buttons side by side. */
export function Choice<Value extends string>({ label, value, options, onChange, children }: ChoiceProps<Value>) {
  return (
    <div class="row" role="group" aria-label={label}>
      <div class="segments">
        {options.map(([each, title, shortcut]) => (
          <button
            key={each}
            type="button"
            aria-pressed={each === value}
            aria-keyshortcuts={shortcut}
            onClick={() => onChange(each)}
          >
            {title}
            {shortcut && <kbd>{shortcut}</kbd>}
          </button>
        ))}
      </div>
      {children}
    </div>
  );
}

interface TabsProps<Tab extends string> {
  readonly label: string;
  readonly view: string;
  /** The name of the tab in the address. */
  readonly parameter: string;
  readonly tabs: readonly (readonly [tab: Tab, title: string, count?: number | undefined])[];
  readonly shown: Tab;
}

/** The parts of a view, each with an address. */
export function Tabs<Tab extends string>({ label, view, parameter, tabs, shown }: TabsProps<Tab>) {
  return (
    <div class="ways" role="group" aria-label={label}>
      {tabs.map(([tab, title, count = 0]) => (
        <a key={tab} href={linkTo(view, { [parameter]: tab })} aria-current={tab === shown ? 'true' : undefined}>
          {title}
          {count > 0 && <span class="number">{whole(count)}</span>}
        </a>
      ))}
    </div>
  );
}

interface StepperProps {
  /** What is stepped through, such as a result. */
  readonly what: string;
  /** From 0. */
  readonly at: number;
  readonly of: number;
  readonly onStep: (to: number) => void;
}

/** The place in a list, with buttons to the neighbours. */
export function Stepper({ what, at, of, onStep }: StepperProps) {
  return (
    <div class="row">
      <span class="soft">
        {at + 1} of {of}
      </span>
      <Button kind="quiet" icon="left" label={`Previous ${what}`} disabled={at === 0} onClick={() => onStep(at - 1)} />
      <Button
        kind="quiet"
        icon="right"
        label={`Next ${what}`}
        disabled={at === of - 1}
        onClick={() => onStep(at + 1)}
      />
    </div>
  );
}

/** The arrow keys as steps. */
export function stepOf(key: string): -1 | 0 | 1 {
  if (key === 'ArrowLeft') return -1;
  return key === 'ArrowRight' ? 1 : 0;
}

/** Also formats that some browsers cannot show: the service reads them. */
const PICTURES = 'image/*,.heic,.heif,.avif,.tif,.tiff,.bmp,.webp';

interface DropZoneProps {
  /** The label for screen readers, and of the button inside. */
  readonly label: string;
  readonly onFiles: (files: NamedFile[]) => void;
  /** Many files and folders, or one picture. */
  readonly many?: boolean;
  readonly children?: ComponentChildren;
}

/** An area with a button to choose pictures. Those that are dropped on it are for it alone. */
export function DropZone({ label, onFiles, many = false, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault(); // the page sees that the drop is taken
    const files = await filesOf(event.dataTransfer!);
    if (files.length > 0) onFiles(many ? files : files.slice(0, 1));
  };
  const chosen = (): void => {
    const files = [...(input.current!.files ?? [])];
    if (files.length > 0) onFiles(files.map((file) => ({ name: file.webkitRelativePath || file.name, file })));
    input.current!.value = '';
  };
  return (
    <div class="drop" onDrop={(event) => void drop(event)}>
      {children}
      <button type="button" onClick={() => input.current!.click()}>
        {label}
      </button>
      <input ref={input} type="file" hidden accept={PICTURES} multiple={many} onChange={chosen} aria-label={label} />
    </div>
  );
}
