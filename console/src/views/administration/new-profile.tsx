import { useState } from 'preact/hooks';
import type { ShownProfile } from '@sosia/contract';
import type { NamedFile } from '../../intake/dropped-files.ts';
import { useAction } from '../../parts/answer.ts';
import { DropZone } from '../../parts/drop-zone.tsx';
import { count, whole } from '../../parts/figures.ts';
import { Form } from '../../parts/form.tsx';
import { Failed } from '../../parts/notice.tsx';
import { NameField } from '../../parts/fields.tsx';
import { change } from './reading.ts';

/** Fewest examples of either class. */
const FEWEST = 10;

interface NewProfileProps {
  readonly profiles: readonly ShownProfile[];
  readonly onChanged: () => void;
}

/** Collects pictures that fit and pictures that do not, and trains a profile from them. */
export function NewProfile({ profiles, onChanged }: NewProfileProps) {
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
        not, at least {FEWEST} of each; a hundred are better. What is kept of them are descriptions, and small copies of
        those that the profile gets wrong.
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
