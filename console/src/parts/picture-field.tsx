import { DropZone } from './drop-zone.tsx';
import { Preview } from './preview.tsx';

interface PictureFieldProps {
  readonly file: File | undefined;
  /** Of a screen reader, for the picture. */
  readonly what: string;
  /** Shown while there is no picture. */
  readonly hint: string;
  readonly onFile: (file: File) => void;
}

/** A picture, chosen or dropped. */
export function PictureField({ file, what, hint, onFile }: PictureFieldProps) {
  return (
    <DropZone label={file ? 'Another picture' : 'Choose a picture'} onFiles={([first]) => onFile(first!.file)}>
      {file ? <Preview file={file} what={what} /> : <p>{hint}</p>}
    </DropZone>
  );
}
