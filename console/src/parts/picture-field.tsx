import { DropZone } from './drop-zone.tsx';
import { Preview } from './preview.tsx';

interface PictureFieldProps {
  readonly value: File | undefined;
  /** Of a screen reader, for the picture. */
  readonly what: string;
  /** Shown while there is no picture. */
  readonly hint: string;
  readonly onChange: (file: File) => void;
}

/** A picture, chosen or dropped. */
export function PictureField({ value, what, hint, onChange }: PictureFieldProps) {
  return (
    <DropZone label={value ? 'Another picture' : 'Choose a picture'} onFiles={([first]) => onChange(first!.file)}>
      {value ? <Preview file={value} what={what} /> : <p>{hint}</p>}
    </DropZone>
  );
}
