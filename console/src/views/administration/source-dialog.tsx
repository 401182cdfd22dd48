import { useState } from 'preact/hooks';
import type { ShownSource, SourcePreview } from '@sosia/contract';
import { useAction } from '../../parts/action.ts';
import { Button } from '../../parts/button.tsx';
import { Check } from '../../parts/check.tsx';
import { Dialog } from '../../parts/dialog.tsx';
import { Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { textOf } from './new-source.tsx';
import { useAdministrator } from '../../session.ts';
import { change, useReading } from './reading.ts';
import { sourceForms, WRITABLE } from './source-kinds.ts';
import { selectorOf } from './sources-tab.tsx';

/** The pictures of a source that failed, a dry run, and the end of the source. */
export function SourceDialog({ source, onClose }: { source: ShownSource; onClose: () => void }) {
  const selector = selectorOf(source);
  const administrator = useAdministrator();
  const { value, error, again } = useReading('GetSource', selector);
  const [preview, setPreview] = useState<SourcePreview>();
  const { busy, error: failed, run } = useAction();
  const failures = value?.failures ?? [];
  const dryRun = () =>
    run(async () => setPreview((await change('RunSource', { ...selector, dry_run: 1 })).preview ?? undefined));
  const end = (pictures: 'keep' | 'remove') =>
    run(async () => {
      await change('DeleteSource', { ...selector, pictures });
      onClose();
    });
  const setWritable = (to: boolean) =>
    run(async () => {
      await change('SetSource', { ...selector, writable: to ? 1 : 0 });
      again();
    });
  const button = (text: string, work: () => Promise<unknown>) => (
    <Button text={text} disabled={busy} onClick={() => void work()} />
  );
  return (
    <Dialog title={source.name} onClose={onClose}>
      <Failed error={failed ?? error} />
      <p>
        <code>{source.place}</code>
      </p>
      <div class="row">
        {button('Dry run', dryRun)}
        {failures.length > 0 &&
          source.state !== 'paused' &&
          button('Try failed ones again', () => run(() => change('RunSource', { ...selector, retry: 1 })))}
        {button('Stop, keep pictures', () => end('keep'))}
        {button('Stop, remove pictures', () => end('remove'))}
        {administrator && value && sourceForms[source.kind].writable && (
          <Check label={WRITABLE} checked={value.source.writable} onChange={(to) => void setWritable(to)} />
        )}
      </div>
      {preview && <p role="status">{textOf(preview)}</p>}
      {value && failures.length === 0 && <p class="soft">All pictures could be read.</p>}
      {failures.length > 0 && (
        <Table
          label="Pictures that could not be read"
          rows={failures}
          columns={[
            ['Picture', ({ key }) => <code>{key}</code>],
            ['Why', ({ message }) => message, 'wide'],
          ]}
        />
      )}
    </Dialog>
  );
}
