import type { FileChoice } from '@sosia/contract';
import { Select, type Field } from './fields.tsx';

const choices = [
  ['keep', 'Stay'],
  ['trash', 'Go to the trash'],
  ['delete', 'Are deleted'],
] as const;

/** What becomes of the files of removed pictures, where their source is writable. */
export function FileChoices(props: Field<FileChoice> & { readonly label: string; readonly kind?: string }) {
  return <Select {...props} options={choices} />;
}
