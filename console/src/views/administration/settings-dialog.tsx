import { useState } from 'preact/hooks';
import type { Application } from '../../api/answers.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { DialogButtons } from '../../parts/dialog-buttons.tsx';
import { NameField } from '../../parts/name-field.tsx';
import { Failed } from '../../parts/notice.tsx';
import { useAdministrator } from '../../session.ts';
import { useChange, useReading } from './reading.ts';

interface SettingsDialogProps {
  readonly application: Application;
  readonly onSaved: () => void;
  readonly onClose: () => void;
}

export function SettingsDialog({ application, onSaved, onClose }: SettingsDialogProps) {
  const administrator = useAdministrator();
  const [form, setForm] = useState(application);
  const { busy, error, change } = useChange();
  const profiles = useReading('ListProfiles').value?.profiles ?? [];
  const offered = profiles.filter(({ state, origin }) => state === 'ready' && origin !== 'embedding');
  const set = (to: Partial<Application>): void => setForm({ ...form, ...to });
  const number = (
    name: 'nb_results' | 'color_weight' | 'retrieval_threshold',
    label: string,
    most: number,
    step = 1,
  ) => (
    <label class="field">
      <span class="label">{label}</span>
      <input
        type="number"
        min={name === 'nb_results' ? 1 : 0}
        max={most}
        step={step}
        required
        value={form[name]}
        onInput={(event) => set({ [name]: event.currentTarget.valueAsNumber })}
      />
    </label>
  );
  const flag = (name: 'enabled' | 'thumbnails', label: string, about: string) => (
    <label class="check">
      <input type="checkbox" checked={form[name]} onChange={(event) => set({ [name]: event.currentTarget.checked })} />
      <span>
        {label}
        <small>{about}</small>
      </span>
    </label>
  );
  const submit = async (event: SubmitEvent): Promise<void> => {
    event.preventDefault();
    const saved = await change('SetApplication', {
      application: String(application.number),
      name: form.name.trim(),
      enabled: Number(form.enabled),
      thumbnails: Number(form.thumbnails),
      nb_results: form.nb_results,
      color_weight: form.color_weight,
      retrieval_threshold: form.retrieval_threshold,
      profiles: application.type === 'filter' && form.profiles.length > 0 ? form.profiles : undefined,
    });
    if (saved) onSaved();
  };
  return (
    <Dialog title={`Settings of ${application.name}`} onClose={onClose}>
      <form class="settings" onSubmit={(event) => void submit(event)}>
        {administrator && <NameField value={form.name} onInput={(name) => set({ name })} />}
        {number('nb_results', 'Results of a search, unless it names a number', 1000)}
        {number('color_weight', 'Weight of colour against shape, 0 to 100', 100)}
        {number('retrieval_threshold', 'Results with this score or a higher one are not listed, 0 to 1', 1, 0.01)}
        {application.type === 'filter' && (
          <fieldset class="scope-choice">
            <legend class="label">Profiles</legend>
            {offered.map(({ name }) => (
              <label key={name} class="check">
                <input
                  type="checkbox"
                  checked={form.profiles.includes(name)}
                  onChange={({ currentTarget: { checked } }) =>
                    set({
                      profiles: checked ? [...form.profiles, name] : form.profiles.filter((each) => each !== name),
                    })
                  }
                />
                <span>{name}</span>
              </label>
            ))}
          </fieldset>
        )}
        {flag('thumbnails', 'Store previews', 'Pictures that are added from now on get a small preview for this page.')}
        {flag('enabled', 'Switched on', 'Off, all keys of the application are refused. Nothing is lost.')}
        <Failed error={error} />
        <DialogButtons label="Save" disabled={busy} onCancel={onClose} />
      </form>
    </Dialog>
  );
}
