import { useEffect, useState } from 'preact/hooks';
import type { ShownProfile } from '@sosia/contract';
import { Button } from '../../parts/button.tsx';
import { Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAdministrator } from '../../session.ts';
import { NewProfile } from './new-profile.tsx';
import { change, useReading } from './reading.ts';
import { Dialog } from '../../parts/dialog.tsx';
import { count } from '../../parts/figures.ts';
import { jpegUrl } from '../../parts/thumbnail.tsx';

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
