import { useEffect, useState } from 'preact/hooks';
import type { ShownProfile } from '@sosia/contract';
import { useAction } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAdministrator } from '../../session.ts';
import { NewProfile } from './new-profile.tsx';
import { ProfileDialog } from './profile-dialog.tsx';
import { change, useReading } from './reading.ts';

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
  const { value, error, again } = useReading('ListProfiles', {}, training ? 1000 : 0);
  const { busy, error: failed, run } = useAction();
  const [opened, setOpened] = useState('');
  useEffect(() => setTraining(value?.profiles.some(({ state }) => state === 'training') ?? false), [value]);
  const remove = (name: string): Promise<void> =>
    run(async () => {
      await change('DeleteProfile', { profile: name });
      again();
    });
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
      <Failed error={failed ?? error} />
      {value && (
        <section class="surface">
          <Table
            label="Profiles"
            rows={value.profiles}
            columns={[
              ['Name', ({ name }) => <strong>{name}</strong>],
              ['From', ({ origin }) => origins[origin]],
              [
                'Balanced accuracy',
                ({ balanced_accuracy: share }) => share !== null && `${(100 * share).toFixed(1)} %`,
              ],
              ['Changes', buttonsOf],
            ]}
          />
        </section>
      )}
      {opened && <ProfileDialog name={opened} onClose={() => setOpened('')} />}
    </>
  );
}
