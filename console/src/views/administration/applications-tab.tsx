import { useState } from 'preact/hooks';
import { useAdministrator, useChosenApplication, type Application } from '../../api/call.ts';
import { Button } from '../../parts/controls.tsx';
import { Facts } from '../../parts/table.tsx';
import { bytes, count, whole } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/answer.tsx';
import { linkTo } from '../../route.ts';
import { chooseApplication } from '../../shell/choose-application.ts';
import { useReading, change, Secret, type MadeKey } from './shared.tsx';
import { typeChoices } from './types.ts';
import { Check, Checks, NameField, TextField, useFields, Select } from '../../parts/fields.tsx';
import { FormDialog, Form } from '../../parts/dialog.tsx';

type Opened = { readonly what: 'settings' | 'empty' | 'delete'; readonly application: Application };

export function ApplicationsTab() {
  const administrator = useAdministrator();
  const { value, error, again } = useReading('ListApplications');
  const [made, setMade] = useState<MadeKey>();
  const [opened, setOpened] = useState<Opened>();
  const close = (): void => setOpened(undefined);
  const changed = (key?: MadeKey): void => {
    close();
    if (key) setMade(key);
    again();
  };
  const dialog = opened && { application: opened.application, onDone: changed, onClose: close };
  return (
    <>
      <Failed error={error} />
      {administrator && <NewApplication onMade={changed} />}
      {made && <Secret {...made} onClose={() => setMade(undefined)} />}
      {value?.applications.length === 0 && (
        <Empty title="No applications yet">
          An application holds pictures of one kind, to be searched in one way. Make the first one above.
        </Empty>
      )}
      <ul class="tiles wide" aria-label="Applications">
        {value?.applications.map((application) => (
          <Card key={application.number} application={application} onOpen={setOpened} />
        ))}
      </ul>
      {dialog &&
        (opened.what === 'settings' ? <SettingsDialog {...dialog} /> : <LossDialog what={opened.what} {...dialog} />)}
    </>
  );
}

const STATES = { incoming: 'being moved here', moved: 'moved to another place' } as const;

interface CardProps {
  readonly application: Application;
  readonly onOpen: (opened: Opened) => void;
}

function Card({ application, onOpen }: CardProps) {
  const administrator = useAdministrator();
  const current = useChosenApplication();
  const { number, name, title, enabled, nb_images, index_bytes, nb_keys, nb_damaged_images, state } = application;
  const isCurrent = current?.number === number;
  const open = (what: Opened['what']): void => onOpen({ what, application });
  return (
    <li class={isCurrent ? 'surface is-current' : 'surface'}>
      <div class="row">
        <h2>{name}</h2>
        {isCurrent && <span class="verdict">open</span>}
        {!enabled && <span class="verdict rejected">switched off</span>}
        {state && <span class="verdict rejected">{STATES[state]}</span>}
        {nb_damaged_images > 0 && <span class="verdict rejected">{count(nb_damaged_images, 'damaged picture')}</span>}
      </div>
      <p class="soft">{title}</p>
      <Facts
        kind="row facts"
        facts={[
          ['Pictures', whole(nb_images)],
          ['Memory', bytes(index_bytes)],
          ['Keys', whole(nb_keys)],
        ]}
      />
      <div class="row">
        {administrator && !isCurrent && (
          <Button
            kind="main"
            text="Open"
            label={`Open ${name}`}
            disabled={!enabled}
            onClick={() => void chooseApplication(number)}
          />
        )}
        <Button text="Settings" label={`Settings of ${name}`} onClick={() => open('settings')} />
        <a
          class="button"
          aria-label={`Keys of ${name}`}
          href={linkTo('administration', { tab: 'keys', application: String(number) })}
        >
          Keys
        </a>
        <span class="spring" />
        <Button
          kind="quiet"
          text="Empty"
          label={`Empty ${name}`}
          disabled={nb_images === 0}
          onClick={() => open('empty')}
        />
        {administrator && (
          <Button kind="quiet" icon="remove" text="Delete" label={`Delete ${name}`} onClick={() => open('delete')} />
        )}
      </div>
    </li>
  );
}

interface SettingsDialogProps {
  readonly application: Application;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

function SettingsDialog({ application, onDone, onClose }: SettingsDialogProps) {
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
    onDone();
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

interface LossDialogProps {
  readonly what: 'empty' | 'delete';
  readonly application: Application;
  readonly onDone: () => void;
  readonly onClose: () => void;
}

/** States what will be lost, and wants the name of the application typed. */
function LossDialog({ what, application, onDone, onClose }: LossDialogProps) {
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

function NewApplication({ onMade }: { onMade: (made: MadeKey) => void }) {
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
