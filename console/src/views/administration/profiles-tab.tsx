import { useEffect, useState } from 'preact/hooks';
import type { ShownProfile } from '@sosia/contract';
import { Button, DropZone } from '../../parts/controls.tsx';
import { Failed, useAction } from '../../parts/answer.tsx';
import { Table } from '../../parts/table.tsx';
import { useAdministrator } from '../../api/call.ts';
import { change, useReading } from './shared.tsx';
import { Dialog, Form } from '../../parts/dialog.tsx';
import { count, whole } from '../../parts/figures.ts';
import { jpegUrl } from '../../parts/pictures.tsx';
import type { NamedFile } from '../../intake/dropped-files.ts';
import { NameField } from '../../parts/fields.tsx';

const origins: Record<ShownProfile['origin'], string> = {
  shipped: 'part of Sosia',
  trained: 'trained here',
  imported: 'imported',
  network: 'a network',
  embedding: 'describes the pictures of an application',
  collected: 'examples',
};

/** The profiles of Filter applications: trained, looked at, deleted. */
export function ProfilesTab() {
  const administrator = useAdministrator();
  const [training, setTraining] = useState(false);
  const { value, error, busy, act, again } = useReading('ListProfiles', {}, training ? 1000 : 0);
  const [opened, setOpened] = useState('');
  useEffect(() => setTraining(value?.profiles.some(({ state }) => state === 'training') ?? false), [value]);
  const remove = (name: string): Promise<void> => act(() => change('DeleteProfile', { profile: name }));
  const buttonsOf = ({ name, origin }: ShownProfile) => (
    <span class="line">
      {origin === 'trained' && <Button text="Figures" label={`Figures of ${name}`} onClick={() => setOpened(name)} />}
      {administrator && origin !== 'shipped' && origin !== 'embedding' && (
        <Button kind="quiet" text="Delete" label={`Delete ${name}`} disabled={busy} onClick={() => void remove(name)} />
      )}
    </span>
  );
  return (
    <>
      {administrator && <NewProfile profiles={value?.profiles ?? []} onChanged={again} />}
      <Failed error={error} />
      <Table
        surface
        label="Profiles"
        rows={value?.profiles}
        columns={[
          ['Name', ({ name }) => <strong>{name}</strong>],
          ['From', ({ origin }) => origins[origin]],
          ['Balanced accuracy', ({ balanced_accuracy: share }) => share !== null && `${(100 * share).toFixed(1)} %`],
          ['Changes', buttonsOf],
        ]}
      />
      {opened && <ProfileDialog name={opened} onClose={() => setOpened('')} />}
    </>
  );
}

/** How well a trained profile does on pictures that it has not seen, and its worst mistakes. */
function ProfileDialog({ name, onClose }: { name: string; onClose: () => void }) {
  const { value, error } = useReading('GetProfile', { profile: name });
  const report = value?.report;
  return (
    <Dialog title={name} onClose={onClose}>
      <Failed error={error} />
      {report && (
        <>
          <p>
            {count(report.positives, 'picture')} that fit and {count(report.negatives, 'picture')} that do not, each
            scored by a model that has not seen it: {(100 * report.balanced_accuracy).toFixed(1)} % balanced accuracy,{' '}
            {count(report.nb_mistakes, 'mistake')}.
          </p>
          <Table
            label="Thresholds"
            rows={report.by_threshold}
            columns={[
              ['Score above', ({ threshold }) => threshold.toFixed(2)],
              ['of these, fit', ({ precision }) => `${(100 * precision).toFixed(0)} %`],
              ['of those that fit, found', ({ recall }) => `${(100 * recall).toFixed(0)} %`],
            ]}
          />
        </>
      )}
      {value?.mistakes && (
        <figure class="mistakes">
          <img src={jpegUrl(value.mistakes)} alt="The worst mistakes" />
          <figcaption class="soft">The worst mistakes: orange fit and were missed, blue do not fit.</figcaption>
        </figure>
      )}
    </Dialog>
  );
}

/** Fewest examples of either class. */
const FEWEST = 10;

interface NewProfileProps {
  readonly profiles: readonly ShownProfile[];
  readonly onChanged: () => void;
}

/** Collects pictures that fit and pictures that do not, and trains a profile from them. */
function NewProfile({ profiles, onChanged }: NewProfileProps) {
  const [typed, setTyped] = useState(profiles.find(({ origin }) => origin === 'collected')?.name ?? '');
  const [left, setLeft] = useState(0);
  const [refused, setRefused] = useState(0);
  /** The profile of the last training here. */
  const [trained, setTrained] = useState('');
  const { busy, error, run } = useAction();
  const name = typed.trim();
  const known = profiles.find((each) => each.name === name);
  const { positives = 0, negatives = 0, state, fault } = known ?? {};
  const ready = name !== '' && name === trained && known?.origin === 'trained';
  const taken = known !== undefined && known.origin !== 'collected' && !ready;
  const add = async (files: readonly NamedFile[], fits: 0 | 1): Promise<void> => {
    setRefused(0);
    for (const [i, { file }] of files.entries()) {
      setLeft(files.length - i);
      const added = await run(() => change('AddExample', { profile: name, fits, image_content: file }));
      if (!added) setRefused((before) => before + 1);
      if (i % 10 === 9) onChanged();
    }
    setLeft(0);
    onChanged();
  };
  const zone = (fits: 0 | 1, title: string, label: string, sum: number) => (
    <div>
      <p>
        <strong>{title}</strong> <span class="soft">{whole(sum)}</span>
      </p>
      <DropZone label={label} many onFiles={(files) => void add(files, fits)} />
    </div>
  );
  const train = async (): Promise<void> => {
    setTrained(name);
    await change('TrainProfile', { profile: name });
    onChanged();
  };
  return (
    <Form
      title="New profile"
      action="Train"
      disabled={busy || taken || ready || state === 'training' || Math.min(positives, negatives) < FEWEST}
      onSubmit={train}
      state={
        <p class="soft" role="status">
          {left > 0 && `${count(left, 'picture')} left`}
          {state === 'training' && 'Training …'}
          {ready && `${name} is trained.`}
          {refused > 0 && ` ${count(refused, 'picture')} refused`}
        </p>
      }
    >
      <p class="soft">
        A Filter application scores pictures by profiles. A profile learns from pictures that fit and pictures that do
        not, at least {FEWEST} of each; a hundred are better. Only a description of them is kept.
      </p>
      <NameField label="Name, in lower case" value={typed} onChange={setTyped} />
      {taken && <p class="failed">There is a profile of this name already.</p>}
      {name !== '' && !taken && !ready && (
        <div class="tiles">
          {zone(1, 'These fit', 'Choose pictures that fit', positives)}
          {zone(0, 'These do not', 'Choose pictures that do not', negatives)}
        </div>
      )}
      <Failed error={error ?? (fault ? { code: 0, message: fault } : undefined)} />
    </Form>
  );
}
