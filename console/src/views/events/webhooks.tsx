import { useState } from 'preact/hooks';
import type { ShownWebhook } from '@sosia/contract';
import { ask } from '../../api/call.ts';
import { useAction } from '../../parts/action.ts';
import { useRequest } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { count, dateOf, whole } from '../../parts/figures.ts';
import { Form } from '../../parts/form.tsx';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Secret } from '../../parts/secret.tsx';
import { Table } from '../../parts/table.tsx';
import { NameField, TextField } from '../../parts/text-field.tsx';

/** Milliseconds between two looks at the states. */
const POLL = 3000;

/** The addresses that events are sent to. */
export function Webhooks() {
  const values = { nb_results: 100 };
  const { value, error, again } = useRequest({ family: 'review', operation: 'ListWebhooks', values }, { every: POLL });
  const { busy, error: failed, run } = useAction();
  const [made, setMade] = useState<{ about: string; secret: string }>();
  const change = (operation: 'ResumeWebhook' | 'DeleteWebhook', webhook_id: string) =>
    run(() => ask({ family: 'review', operation, values: { webhook_id } })).then(again);
  const buttonsOf = ({ id, state }: ShownWebhook) => (
    <span class="row">
      {state !== 'sending' && (
        <Button
          text="Send again"
          label={`Send again to ${id}`}
          disabled={busy}
          onClick={() => void change('ResumeWebhook', id)}
        />
      )}
      <Button
        kind="quiet"
        text="Delete"
        label={`Delete ${id}`}
        disabled={busy}
        onClick={() => void change('DeleteWebhook', id)}
      />
    </span>
  );
  return (
    <>
      <NewWebhook
        onMade={(about, secret) => {
          setMade({ about, secret });
          again();
        }}
      />
      {made && <Secret {...made} label="Secret of the webhook" onClose={() => setMade(undefined)} />}
      <Failed error={failed ?? error} />
      {value?.webhooks.length === 0 && <Empty title="Nobody is told" />}
      {value && value.webhooks.length > 0 && (
        <section class="surface">
          <Table
            label="Webhooks"
            stacks
            rows={value.webhooks}
            columns={[
              ['Name', ({ id }) => <strong>{id}</strong>],
              ['Address', ({ url }) => <code>{url}</code>],
              ['State', (webhook) => <span role="status">{stateOf(webhook)}</span>, 'wide'],
              ['Waiting', ({ waiting }) => whole(waiting), 'named'],
              ['Changes', buttonsOf],
            ]}
          />
        </section>
      )}
    </>
  );
}

function stateOf({ state, fault, failing_since, waiting }: ShownWebhook): string {
  if (state === 'sending') return waiting > 0 ? `sending ${count(waiting, 'event')}` : 'has all events';
  return `${state}${failing_since ? ` since ${dateOf(failing_since)}` : ''}: ${fault ?? ''}`;
}

function NewWebhook({ onMade }: { onMade: (about: string, secret: string) => void }) {
  const [name, setName] = useState('');
  const [url, setUrl] = useState('');
  const submit = async (): Promise<void> => {
    const values = { webhook_id: name.trim(), url: url.trim() };
    const { secret } = await ask({ family: 'review', operation: 'AddWebhook', values });
    onMade(`The secret that signs the events for ${values.webhook_id}.`, secret);
    setName('');
    setUrl('');
  };
  return (
    <Form title="New webhook" action="Add" onSubmit={submit}>
      <p class="soft">Events are sent to an address, in the form of Standard Webhooks.</p>
      <div class="form-line">
        <TextField label="Address" type="url" value={url} required onInput={setUrl} />
        <NameField value={name} onInput={setName} />
      </div>
    </Form>
  );
}
