import type { ComponentChildren } from 'preact';
import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { filesOf } from './dropped-files.ts';
import type { NamedFile } from './dropped-files.ts';

interface DropZoneProps {
  /** The label for screen readers, and of the button inside. */
  readonly label: string;
  readonly onFiles: (files: NamedFile[]) => void;
  /** Many files and folders, or one picture. */
  readonly many?: boolean;
  /** Whether it receives pictures pasted anywhere on the page. */
  readonly pasted?: boolean;
  readonly children?: ComponentChildren;
}

/** An area for dropping pictures, with a button to choose them; pasting works too. */
export function DropZone({ label, onFiles, many = false, pasted = false, children }: DropZoneProps) {
  const input = useRef<HTMLInputElement>(null);
  const [over, setOver] = useState(false);
  const take = useRef(onFiles);
  take.current = onFiles;

  useLayoutEffect(() => {
    if (!pasted) return;
    const onPaste = (event: ClipboardEvent): void => {
      const files = [...(event.clipboardData?.files ?? [])];
      if (files.length === 0) return;
      event.preventDefault();
      take.current(files.map((file) => ({ name: file.name, file })));
    };
    document.addEventListener('paste', onPaste);
    return () => document.removeEventListener('paste', onPaste);
  }, [pasted]);

  const drop = async (event: DragEvent): Promise<void> => {
    event.preventDefault();
    setOver(false);
    const files = await filesOf(event.dataTransfer!);
    if (files.length > 0) onFiles(many ? files : files.slice(0, 1));
  };
  const chosen = (): void => {
    const files = [...(input.current!.files ?? [])];
    onFiles(files.map((file) => ({ name: file.webkitRelativePath || file.name, file })));
    input.current!.value = '';
  };
  return (
    <div
      class={`drop ${over ? 'over' : ''}`}
      onDragOver={(event) => {
        event.preventDefault();
        setOver(true);
      }}
      onDragLeave={() => setOver(false)}
      onDrop={(event) => void drop(event)}
    >
      {children}
      <button type="button" class="choose" onClick={() => input.current!.click()}>
        {label}
      </button>
      <input ref={input} type="file" hidden multiple={many} onChange={chosen} aria-label={label} />
    </div>
  );
}
