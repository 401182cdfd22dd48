import type { ComponentProps } from 'preact';
import { Dialog } from './dialog.tsx';
import { Form } from './form.tsx';

type FormDialogProps = Omit<ComponentProps<typeof Form>, 'title' | 'onCancel' | 'state'> & {
  readonly title: string;
  readonly onClose: () => void;
};

export function FormDialog({ title, onClose, ...form }: FormDialogProps) {
  return (
    <Dialog title={title} onClose={onClose}>
      <Form {...form} onCancel={onClose} />
    </Dialog>
  );
}
