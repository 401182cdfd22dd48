import type { Application } from '../../api/answers.ts';
import { Check, Checks, NameField, TextField, useFields } from '../../parts/fields.tsx';
import { FormDialog } from '../../parts/form.tsx';
import { useAdministrator } from '../../session.ts';
import { change, useReading } from './reading.ts';

interface SettingsDialogProps {
  readonly application: Application;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function SettingsDialog({ application, onSaved, onClose }: SettingsDialogProps) {
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
      step={max === 1 ? 0.01 : 1}
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
    onSaved();
  };
  return (
    <FormDialog title={`Settings of ${application.name}`} action="Save" onSubmit={submit} onClose={onClose}>
      {administrator && <NameField {...field('name')} />}
      {number('nb_results', 'Results of a search, unless it names a number', 1000)}
      {number('color_weight', 'Weight of colour against shape, 0 to 100', 100)}
      {number('retrieval_threshold', 'Results with this score or a higher one are not listed, 0 to 1', 1)}
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
