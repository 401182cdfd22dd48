import { useState } from 'preact/hooks';
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
          <p class="soft">Who changed what, by the name of the key. The latest change comes first.</p>
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
                <th>Who</th>
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
                  <td>
                    <strong>{entry.who}</strong>
                  </td>
                  <td>{entry.what}</td>
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
