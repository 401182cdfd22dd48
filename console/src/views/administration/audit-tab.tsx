import { useState } from 'preact/hooks';
import type { AuditEntry } from '@sosia/contract';
import { Button } from '../../parts/button.tsx';
import { dateOf } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useAdministrator } from '../../session.ts';
import { OneApplication } from './one-application.tsx';
import { useReading } from './reading.ts';

const PAGE = 100;

/** @param chosen  the number of an application, or empty */
export function AuditTab({ chosen }: { chosen: string }) {
  const administrator = useAdministrator();
  const [most, setMost] = useState(PAGE);
  const values = { ...(chosen && { application: chosen }), nb_results: most };
  const { value, error, busy } = useReading('ListAudit', values);
  return (
    <section class={busy ? 'surface busy' : 'surface'}>
      <div class="row bar">
        <div>
          <h2>Changes</h2>
          <p class="soft">
            Who changed what, and what was refused, the latest first. Names of keys can be chosen; ids are assigned by
            the service.
          </p>
        </div>
        <span class="spring" />
        {administrator && <OneApplication label="Of" tab="audit" otherwise="everything" chosen={chosen} />}
      </div>
      <Failed error={error} />
      {value?.entries.length === 0 && <p class="soft">No changes yet.</p>}
      <Table
        label="Changes"
        stacks
        rows={value?.entries}
        columns={[
          ['When', ({ at }) => <time dateTime={at}>{dateOf(at, 'medium')}</time>],
          ['By', byOf],
          ['Key', ({ key }) => <code>{key}</code>],
          ['Name', ({ who }) => <strong>{who}</strong>],
          [
            'What',
            ({ what, code }) => (
              <>
                {what}
                {code !== 0 && <span class="verdict rejected">refused, {code}</span>}
              </>
            ),
          ],
          ['Application', ({ application }) => application],
          ['Details', ({ detail }) => detail, 'wide'],
        ]}
      />
      {value?.entries.length === most && most < 1000 && (
        <p class="more">
          <Button text="Show more" onClick={() => setMost(Math.min(1000, most + PAGE))} />
        </p>
      )}
    </section>
  );
}

const kinds: Record<AuditEntry['kind'], string> = {
  key: '',
  console: ', in the console',
  'command line': 'the command line',
  'no key': 'nobody: no valid key',
};

/** In words that no name of a key can be: names are in a column of their own. */
function byOf({ kind, administrator }: AuditEntry): string {
  const key =
    kind === 'key' || kind === 'console' ? (administrator ? 'an administrator' : 'a key of the application') : '';
  return `${key}${kinds[kind]}`;
}
