import { Select } from '../../parts/fields.tsx';
import { go, linkTo } from '../../route.ts';
import { useReading } from './reading.ts';

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
