import { useState } from 'preact/hooks';
import type { AuditEntry } from '@sosia/contract';
import { Failed } from '../../parts/notice.tsx';
import { go, linkTo } from '../../route.ts';
import { useAdministrator } from '../../session.ts';
import { useReading } from './reading.ts';

const PAGE = 100;

/** @param chosen  the number of an application, or empty */
export function AuditTab({ chosen }: { chosen: string }) {
  const administrator = useAdministrator();
  const [most, setMost] = useState(PAGE);
  const applications = useReading('ListApplications').value?.applications ?? [];
  const values = { ...(chosen && { application: chosen }), nb_results: most };
  const { value, error, busy } = useReading('ListAudit', values);
  return (
    <section class={busy ? 'surface busy' : 'surface'}>
      <div class="bar">
        <div>
          <h2 id="audit">Changes</h2>
          <p class="soft">
            Who changed what, and what was refused, the latest first. Names of keys can be chosen; ids are assigned by
            the service.
          </p>
        </div>
        <span class="spring" />
        {administrator && (
          <label class="field">
            <span class="label">Of</span>
            <select
              value={chosen}
              onChange={({ currentTarget: { value: number } }) =>
                go(linkTo('administration', { tab: 'audit', ...(number && { application: number }) }), {
                  replace: true,
                })
              }
            >
              <option value="">everything</option>
              {applications.map((each) => (
                <option key={each.number} value={String(each.number)}>
                  {each.name}
                </option>
              ))}
            </select>
          </label>
        )}
      </div>
      <Failed error={error} />
      {value?.entries.length === 0 && <p class="none">No changes yet.</p>}
      {value && value.entries.length > 0 && (
        <div class="table-holder" tabIndex={0} role="region" aria-labelledby="audit">
          <table class="changes">
            <thead>
              <tr>
                <th>When</th>
                <th>By</th>
                <th>Key</th>
                <th>Name</th>
                <th>What</th>
                <th>Application</th>
                <th>Details</th>
              </tr>
            </thead>
            <tbody>
              {value.entries.map((entry, i) => (
                <tr key={i}>
                  <td>
                    <time dateTime={entry.at}>
                      {new Date(entry.at).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'medium' })}
                    </time>
                  </td>
                  <td>{byOf(entry)}</td>
                  <td>
                    <code>{entry.key}</code>
                  </td>
                  <td>
                    <strong>{entry.who}</strong>
                  </td>
                  <td>
                    {entry.what}
                    {entry.code !== 0 && <span class="verdict rejected">refused, {entry.code}</span>}
                  </td>
                  <td>{entry.application}</td>
                  <td class="wide">{entry.detail}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      {value?.entries.length === most && most < 1000 && (
        <p class="more">
          <button type="button" onClick={() => setMost(Math.min(1000, most + PAGE))}>
            Show more
          </button>
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
