import { useState } from 'preact/hooks';
import type { Application } from '../../api/answers.ts';
import { count } from '../../parts/figures.ts';
import { FormDialog } from '../../parts/form.tsx';
import { TextField } from '../../parts/fields.tsx';
import { change } from './reading.ts';

interface LossDialogProps {
  readonly what: 'empty' | 'delete';
  readonly application: Application;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** States what will be lost, and wants the name of the application typed. */
export function LossDialog({ what, application, onDone, onClose }: LossDialogProps) {
  const { name, number, nb_images, nb_keys } = application;
  const [typed, setTyped] = useState('');
  const deletion = what === 'delete';
  const verb = deletion ? 'Delete' : 'Empty';
  const submit = async (): Promise<void> => {
    const values = { application: String(number), confirm: typed };
    await change(deletion ? 'DeleteApplication' : 'EmptyApplication', values);
    onDone();
  };
  return (
    <FormDialog
      title={`${verb} ${name}`}
      action={`${verb} ${count(nb_images, 'picture')}`}
      danger
      disabled={typed !== name}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {deletion
          ? `${count(nb_images, 'picture')}, their previews and keywords, and ${count(nb_keys, 'key')} are lost. Programs that use these keys stop working.`
          : `${count(nb_images, 'picture')} with their previews and keywords are lost. Name, settings and ${count(nb_keys, 'key')} stay.`}{' '}
        Only a backup brings them back.
      </p>
      <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} />
    </FormDialog>
  );
}
