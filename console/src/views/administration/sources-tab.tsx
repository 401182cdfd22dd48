import { useState } from 'preact/hooks';
import type { ShownSource, SourcePreview } from '@sosia/contract';
import { Button } from '../../parts/button.tsx';
import { ago, count, whole } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAdministrator, useChosenApplication } from '../../session.ts';
import { NewSource, textOf } from './new-source.tsx';
import { OneApplication } from './one-application.tsx';
import { change, useReading } from './reading.ts';
import { Check } from '../../parts/fields.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { sourceForms, WRITABLE } from './source-kinds.ts';

const REFRESH_MS = 2000;

/** Where the pictures of applications come from. @param chosen  the number of the application; empty for all */
export function SourcesTab({ chosen }: { chosen: string | undefined }) {
  const administrator = useAdministrator();
  const current = useChosenApplication();
  const number = chosen ?? (current ? String(current.number) : '');
  const sources = useReading('ListSources', number ? { application: number } : {}, REFRESH_MS);
  const { value, error, busy, again } = sources;
  const [opened, setOpened] = useState<ShownSource>();
  const act: Act = (source, operation, values = {}) =>
    void sources.act(() => change(operation, { ...selectorOf(source), ...values }));
  return (
    <>
      {administrator && (
        <OneApplication label="Sources of" tab="sources" otherwise="all applications" chosen={number} />
      )}
      {administrator && number && <NewSource key={number} application={number} onMade={again} />}
      <Failed error={error} />
      {value?.sources.length === 0 && (
        <Empty title="No sources">
          {administrator && !number
            ? 'Choose an application to add one.'
            : 'The pictures of a folder, a bucket or web pages can be added to an application, and change and leave with them.'}
        </Empty>
      )}
      <Table
        surface
        label="Sources"
        stacks
        rows={value?.sources}
        columns={[
          ['Name', ({ name }) => <strong>{name}</strong>],
          ['Application', ({ application }) => application, 'named'],
          ['Place', ({ place }) => <code>{place}</code>, 'wide'],
          ['State', (source) => <span role="status">{stateOf(source)}</span>, 'named'],
          ['Pictures', ({ pictures }) => whole(pictures), 'named'],
          ['Failed', ({ failed }) => whole(failed), 'named'],
          ['Changes', (source) => <Changes source={source} disabled={busy} act={act} onOpen={setOpened} />],
        ]}
      />
      {opened && (
        <SourceDialog
          source={opened}
          onClose={() => {
            setOpened(undefined);
            again();
          }}
        />
      )}
    </>
  );
}

type Act = (source: ShownSource, operation: 'SetSource' | 'RunSource' | 'ConfirmSource', values?: object) => void;

interface ChangesProps {
  readonly source: ShownSource;
  readonly disabled: boolean;
  readonly act: Act;
  readonly onOpen: (source: ShownSource) => void;
}

function Changes({ source, disabled, act, onOpen }: ChangesProps) {
  const { name, state, question } = source;
  if (state === 'leaving') return null;
  const button = (text: string, onClick: () => void) => (
    <Button text={text} label={`${text} ${name}`} disabled={disabled} onClick={onClick} />
  );
  const paused = state === 'paused';
  return (
    <span class="line">
      {question &&
        state === 'confirmation needed' &&
        button(`Remove ${whole(question.removals)}`, () =>
          act(source, 'ConfirmSource', { removals: question.removals }),
        )}
      {button(paused ? 'Resume' : 'Pause', () => act(source, 'SetSource', { paused: paused ? 0 : 1 }))}
      {(state === 'waiting' || state === 'failed') && button('Run', () => act(source, 'RunSource'))}
      <Button kind="quiet" text="Details" label={`Details of ${name}`} onClick={() => onOpen(source)} />
    </span>
  );
}

/** The parameters that name a source. */
export function selectorOf({ id, application }: ShownSource) {
  return { application, source: id };
}

function stateOf({ state, progress, question, fault, last_pass }: ShownSource): string {
  if (state === 'running') {
    const left = progress.seconds_left === null ? '' : `, ${count(progress.seconds_left, 'second')} left`;
    return progress.listed === null ? 'listing' : `${whole(progress.done)} of ${whole(progress.work)}${left}`;
  }
  if (question && state === 'confirmation needed') {
    return `${whole(question.removals)} of ${count(question.of, 'picture')} are no longer there. Remove them?`;
  }
  if (state === 'failed') return fault;
  if (state === 'leaving') return 'is being removed';
  return state === 'paused' || !last_pass ? state : `as of ${ago(Date.parse(last_pass))}`;
}

/** The pictures of a source that failed, a dry run, and the end of the source. */
function SourceDialog({ source, onClose }: { source: ShownSource; onClose: () => void }) {
  const selector = selectorOf(source);
  const administrator = useAdministrator();
  const { value, error, busy, act } = useReading('GetSource', selector);
  const [preview, setPreview] = useState<SourcePreview>();
  const failures = value?.failures ?? [];
  const dryRun = async (): Promise<void> =>
    setPreview((await change('RunSource', { ...selector, dry_run: 1 })).preview ?? undefined);
  const end = (pictures: 'keep' | 'remove') => change('DeleteSource', { ...selector, pictures }).then(onClose);
  const setWritable = (to: boolean) => act(() => change('SetSource', { ...selector, writable: to ? 1 : 0 }));
  const button = (text: string, work: () => Promise<unknown>) => (
    <Button text={text} disabled={busy} onClick={() => void act(work)} />
  );
  return (
    <Dialog title={source.name} onClose={onClose}>
      <Failed error={error} />
      <p>
        <code>{source.place}</code>
      </p>
      <div class="row">
        {button('Dry run', dryRun)}
        {failures.length > 0 &&
          source.state !== 'paused' &&
          button('Try failed ones again', () => change('RunSource', { ...selector, retry: 1 }))}
        {button('Stop, keep pictures', () => end('keep'))}
        {button('Stop, remove pictures', () => end('remove'))}
        {administrator && value && sourceForms[source.kind].writable && (
          <Check label={WRITABLE} value={value.source.writable} onChange={(to) => void setWritable(to)} />
        )}
      </div>
      {preview && <p role="status">{textOf(preview)}</p>}
      {value && failures.length === 0 && <p class="soft">All pictures could be read.</p>}
      <Table
        label="Pictures that could not be read"
        rows={failures}
        columns={[
          ['Picture', ({ key }) => <code>{key}</code>],
          ['Why', ({ message }) => message, 'wide'],
        ]}
      />
    </Dialog>
  );
}
