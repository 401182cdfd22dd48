import type { FileChoice } from '@sosia/contract';
import { Select } from './select.tsx';

const choices = [
  ['keep', 'Stay'],
  ['trash', 'Go to the trash'],
  ['delete', 'Are deleted'],
] as const;

interface FileChoicesProps {
  readonly label: string;
  readonly kind?: string;
  readonly value: FileChoice;
  readonly onChange: (value: FileChoice) => void;
}

/** What becomes of the files of removed pictures, where their source is writable. */
export function FileChoices(props: FileChoicesProps) {
  return <Select {...props} options={choices} />;
}
