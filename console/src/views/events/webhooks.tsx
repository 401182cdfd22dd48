import type { ShownWebhook } from '@sosia/contract';
import { ask, requestFor } from '../../api/call.ts';
import { useChanging } from '../../parts/answer.ts';
import { Button } from '../../parts/button.tsx';
import { count, dateOf, whole } from '../../parts/figures.ts';
import { Empty, Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';

/** Milliseconds between two looks at the states. */
const POLL = 3000;

/** The addresses that events are sent to. */
export function Webhooks() {
  const request = requestFor('review', 'ListWebhooks', { nb_results: 100 });
  const { value, error, busy, act } = useChanging(request, { every: POLL });
  const change = (operation: 'ResumeWebhook' | 'DeleteWebhook', webhook_id: string) =>
    void act(() => ask(requestFor('review', operation, { webhook_id })));
  const buttonsOf = ({ id, state }: ShownWebhook) => (
    <span class="line">
      {state !== 'sending' && (
        <Button
          text="Send again"
          label={`Send again to ${id}`}
          disabled={busy}
          onClick={() => change('ResumeWebhook', id)}
        />
      )}
      <Button
        kind="quiet"
        text="Delete"
        label={`Delete ${id}`}
        disabled={busy}
        onClick={() => change('DeleteWebhook', id)}
      />
    </span>
  );
  return (
    <>
      <Failed error={error} />
      {value?.webhooks.length === 0 && (
        <Empty title="No webhooks">
          <code>sosia webhook add</code> names an address that events are sent to.
        </Empty>
      )}
      <Table
        surface
        label="Webhooks"
        stacks
        rows={value?.webhooks}
        columns={[
          ['Name', ({ id }) => <strong>{id}</strong>],
          ['Address', ({ url }) => <code>{url}</code>],
          ['State', (webhook) => <span role="status">{stateOf(webhook)}</span>, 'wide'],
          ['Waiting', ({ waiting }) => whole(waiting), 'named'],
          ['Changes', buttonsOf],
        ]}
      />
    </>
  );
}

function stateOf({ state, fault, failing_since, waiting }: ShownWebhook): string {
  if (state === 'sending') return waiting > 0 ? `sending ${count(waiting, 'event')}` : 'has all events';
  return `${state}${failing_since ? ` since ${dateOf(failing_since)}` : ''}: ${fault ?? ''}`;
}
