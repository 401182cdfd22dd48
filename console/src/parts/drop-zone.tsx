import type { ComponentChildren } from 'preact';
import { useRef } from 'preact/hooks';
import { filesOf, type NamedFile } from '../intake/dropped-files.ts';

/** Also formats that some browsers cannot show: the service reads them. */
export const PICTURES = 'image/*,.heic,.heif,.avif,.tif,.tiff,.bmp,.webp';

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
