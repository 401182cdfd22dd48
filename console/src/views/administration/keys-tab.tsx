import { useState } from 'preact/hooks';
import type { Key } from '../../api/answers.ts';
import { ago } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { go, linkTo } from '../../route.ts';
import { useAdministrator, useChosenApplication } from '../../session.ts';
import { EditKey } from './edit-key.tsx';
import { KeyDialog } from './key-dialog.tsx';
import { NewKey } from './new-key.tsx';
import { useReading } from './reading.ts';
import { Secret } from './secret.tsx';

type Opened = { readonly what: 'edit' | 'rotate' | 'revoke'; readonly shown: Key };

/** @param chosen  the number of the application; empty for the keys of administrators */
export function KeysTab({ chosen }: { chosen: string | undefined }) {
  const administrator = useAdministrator();
  const current = useChosenApplication();
  const applications = useReading('ListApplications').value?.applications ?? [];
  const number = chosen ?? (current ? String(current.number) : '');
  const owner = number ? { application: number } : {};
  const { value, error, again } = useReading('ListKeys', owner);
  const [made, setMade] = useState<{ about: string; secret: string }>();
  const [opened, setOpened] = useState<Opened>();
  return (
    <>
      {administrator && (
        <label class="field narrow-field">
          <span class="label">Keys of</span>
          <select
            value={number}
            onChange={(event) =>
              go(linkTo('administration', { tab: 'keys', application: event.currentTarget.value }), { replace: true })
            }
          >
            <option value="">the administrators</option>
            {applications.map((each) => (
              <option key={each.number} value={String(each.number)}>
                {each.name}
              </option>
            ))}
          </select>
        </label>
      )}
      <NewKey
        key={number}
        owner={owner}
        onMade={(about, secret) => {
          setMade({ about, secret });
          again();
        }}
      />
      {made && <Secret {...made} onClose={() => setMade(undefined)} />}
      <Failed error={error} />
      {value?.keys.length === 0 && <Empty title="No keys" />}
      {value && value.keys.length > 0 && (
        <section class="surface">
          <h2 id="keys">Keys</h2>
          <div class="table-holder" tabIndex={0} role="region" aria-labelledby="keys">
            <table class="keys">
              <thead>
                <tr>
                  <th>Name</th>
                  <th>May</th>
                  <th>Begins with</th>
                  <th>Made</th>
                  <th>Ends</th>
                  <th>Last use</th>
                  <th>
                    <span class="hidden">Changes</span>
                  </th>
                </tr>
              </thead>
              <tbody>
                {value.keys.map((key) => (
                  <tr key={key.id}>
                    <td>
                      <strong>{key.name}</strong>
                    </td>
                    <td>
                      <span class="scopes">
                        {key.scopes.map((scope) => (
                          <span key={scope} class="verdict">
                            {scope}
                          </span>
                        ))}
                      </span>
                    </td>
                    <td>
                      <code>{key.hint}…</code>
                    </td>
                    <td>{dateOf(key.created)}</td>
                    <td data-name="Ends">{key.expires ? dateOf(key.expires) : 'never'}</td>
                    <td data-name="Last use">{key.last_use ? ago(Date.parse(key.last_use)) : 'not yet'}</td>
                    <td>
                      <span class="buttons">
                        <button
                          type="button"
                          class="quiet"
                          aria-label={`Edit ${key.name}`}
                          onClick={() => setOpened({ what: 'edit', shown: key })}
                        >
                          Edit
                        </button>
                        <button
                          type="button"
                          aria-label={`Replace ${key.name}`}
                          onClick={() => setOpened({ what: 'rotate', shown: key })}
                        >
                          Replace
                        </button>
                        <button
                          type="button"
                          class="quiet"
                          aria-label={`Revoke ${key.name}`}
                          onClick={() => setOpened({ what: 'revoke', shown: key })}
                        >
                          Revoke
                        </button>
                      </span>
                    </td>
                  </tr>
                ))}
              </tbody>
            </table>
          </div>
        </section>
      )}
      {opened?.what === 'edit' && (
        <EditKey
          shown={opened.shown}
          owner={owner}
          onDone={() => {
            setOpened(undefined);
            again();
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
      {opened && opened.what !== 'edit' && (
        <KeyDialog
          what={opened.what}
          shown={opened.shown}
          owner={owner}
          onDone={(replacement) => {
            setOpened(undefined);
            setMade(replacement);
            again();
          }}
          onClose={() => setOpened(undefined)}
        />
      )}
    </>
  );
}

function dateOf(iso: string): string {
  return new Date(iso).toLocaleString('en-GB', { dateStyle: 'medium', timeStyle: 'short' });
}
