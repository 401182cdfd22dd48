import { useState } from 'preact/hooks';
import type { Application } from '../../api/answers.ts';
import { Button } from '../../parts/button.tsx';
import { Facts } from '../../parts/facts.tsx';
import { bytes, count, whole } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { linkTo } from '../../route.ts';
import { useAdministrator, useChosenApplication } from '../../session.ts';
import { chooseApplication } from '../../shell/choose-application.ts';
import { LossDialog, NewApplication, SettingsDialog } from './application-forms.tsx';
import { useReading } from './reading.ts';
import { Secret, type MadeKey } from './secret.tsx';

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
          ['Pictures', nb_images === undefined ? 'unknown' : whole(nb_images)],
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
