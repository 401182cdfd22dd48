import type { Application } from '../../api/answers.ts';
import { Check, Checks, NameField, TextField, useFields, Select } from '../../parts/fields.tsx';
import { FormDialog, Form } from '../../parts/form.tsx';
import { useAdministrator } from '../../session.ts';
import { change, useReading } from './reading.ts';
import { useState } from 'preact/hooks';
import { count } from '../../parts/figures.ts';
import type { MadeKey } from './secret.tsx';
import { typeChoices } from './types.ts';

interface SettingsDialogProps {
  readonly application: Application;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

export function SettingsDialog({ application, onDone, onClose }: SettingsDialogProps) {
  const administrator = useAdministrator();
  const { values: form, set, field } = useFields(application);
  const profiles = useReading('ListProfiles').value?.profiles ?? [];
  const offered = profiles.filter(({ state, origin }) => state === 'ready' && origin !== 'embedding');
  const number = (name: 'nb_results' | 'color_weight' | 'retrieval_threshold', label: string, max: number) => (
    <TextField
      label={label}
      type="number"
      min={name === 'nb_results' ? 1 : 0}
      max={max}
      step={max === 1 ? 'any' : 1}
      required
      value={form[name]}
      onChange={(text) => set({ [name]: Number.parseFloat(text) })}
    />
  );
  const submit = async (): Promise<void> => {
    await change('SetApplication', {
      application: String(application.number),
      name: form.name.trim(),
      enabled: Number(form.enabled),
      thumbnails: Number(form.thumbnails),
      nb_results: form.nb_results,
      color_weight: form.color_weight,
      retrieval_threshold: form.retrieval_threshold,
      profiles: application.type === 'filter' && form.profiles.length > 0 ? form.profiles : undefined,
    });
    onDone();
  };
  return (
    <FormDialog title={`Settings of ${application.name}`} action="Save" onSubmit={submit} onClose={onClose}>
      {administrator && <NameField {...field('name')} />}
      {number('nb_results', 'Results of a search, unless it names a number', 1000)}
      {number('color_weight', 'Weight of colour against shape, 0 to 100', 100)}
      {number('retrieval_threshold', 'Results with this score or a higher one are not listed; above 0, at most 1', 1)}
      {application.type === 'filter' && (
        <Checks label="Profiles" options={offered.map(({ name }) => [name, name])} {...field('profiles')} />
      )}
      <Check
        label="Store previews"
        about="Pictures that are added from now on get a small preview for this page."
        {...field('thumbnails')}
      />
      <Check
        label="Switched on"
        about="Off, all keys of the application are refused. Nothing is lost."
        {...field('enabled')}
      />
    </FormDialog>
  );
}

interface LossDialogProps {
  readonly what: 'empty' | 'delete';
  readonly application: Application;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** States what will be lost, and wants the name of the application typed. */
export function LossDialog({ what, application, onDone, onClose }: LossDialogProps) {
  const { name, number, nb_images, nb_keys } = application;
  const pictures = nb_images === undefined ? 'All pictures' : count(nb_images, 'picture');
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
      action={nb_images === undefined ? verb : `${verb} ${pictures}`}
      danger
      disabled={typed !== name}
      onSubmit={submit}
      onClose={onClose}
    >
      <p>
        {deletion
          ? `${pictures}, their previews and keywords, and ${count(nb_keys, 'key')} are lost. Programs that use these keys stop working.`
          : `${pictures} with their previews and keywords are lost. Name, settings and ${count(nb_keys, 'key')} stay.`}{' '}
        Only a backup brings them back.
      </p>
      <TextField label={`Type ${name} to confirm`} value={typed} onChange={setTyped} />
    </FormDialog>
  );
}

export function NewApplication({ onMade }: { onMade: (made: MadeKey) => void }) {
  const { values, set, field } = useFields({ name: '', type: typeChoices[0]!.type });
  const { name, type } = values;
  const submit = async (): Promise<void> => {
    const { application, secret } = await change('CreateApplication', { name: name.trim(), type });
    set({ name: '' });
    onMade({ about: `The key of ${application.name}, with all rights on it.`, secret });
  };
  return (
    <Form title="New application" action="Create" onSubmit={submit}>
      <div class="form-line">
        <NameField {...field('name')} />
        <Select label="Type" options={typeChoices.map((each) => [each.type, each.title])} {...field('type')} />
      </div>
      <p class="soft">{typeChoices.find((each) => each.type === type)!.about}</p>
    </Form>
  );
}
