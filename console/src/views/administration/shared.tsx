import { ask, requestFor, type Request } from '../../api/call.ts';
import type { Answers } from '@sosia/contract';
import { useChanging } from '../../parts/answer.tsx';
import { Select } from '../../parts/fields.tsx';
import { go, linkTo } from '../../route.ts';
import { Button, CopyButton } from '../../parts/controls.tsx';

type Administration = Answers['administration'];

export function useReading<Name extends keyof Administration>(
  operation: Name,
  values: Request['values'] = {},
  every = 0,
) {
  return useChanging(requestFor('administration', operation, values), { every });
}

export function change<Name extends keyof Administration>(operation: Name, values: Request['values']) {
  return ask(requestFor('administration', operation, values));
}

interface OneApplicationProps {
  readonly label: string;
  readonly tab: string;
  /** The title of the choice of no application. */
  readonly otherwise: string;
  /** The number of an application, or empty. */
  readonly chosen: string;
}

/** For an administrator: the application that a tab is about. */
export function OneApplication({ label, tab, otherwise, chosen }: OneApplicationProps) {
  const applications = useReading('ListApplications').value?.applications ?? [];
  return (
    <Select
      label={label}
      kind="narrow"
      value={chosen}
      options={[['', otherwise], ...applications.map(({ number, name }) => [String(number), name] as const)]}
      onChange={(application) => go(linkTo('administration', { tab, application }), { replace: true })}
    />
  );
}

export interface MadeKey {
  /** What the key is for, in one sentence. */
  readonly about: string;
  readonly secret: string;
}

/** A new key, which is shown this once. */
export function Secret({ about, secret, onClose }: MadeKey & { onClose: () => void }) {
  return (
    <section class="surface secret" role="status" aria-label="New key">
      <p>
        <strong>{about}</strong> Copy it now: it is not shown again.
      </p>
      <div class="row">
        <code tabIndex={0}>{secret}</code>
        <CopyButton text={secret} />
        <Button kind="quiet" text="Done" onClick={onClose} />
      </div>
    </section>
  );
}
