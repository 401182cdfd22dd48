import { Tabs } from '../../parts/tabs.tsx';
import type { Route } from '../../route.ts';
import { useAdministrator } from '../../session.ts';
import { ApplicationsTab } from './applications-tab.tsx';
import { AuditTab } from './audit-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { ProfilesTab } from './profiles-tab.tsx';
import { SourcesTab } from './sources-tab.tsx';

/** Applications, keys and the audit log: of the service for an administrator, else of the application. */
export function AdministrationView({ route: { values } }: { route: Route }) {
  const administrator = useAdministrator();
  const tabs = [
    ['applications', administrator ? 'Applications' : 'Application'],
    ['keys', 'Keys'],
    ['sources', 'Sources'],
    ['profiles', 'Profiles'],
    ['audit', 'Audit log'],
  ] as const;
  const tab = tabs.find(([each]) => each === values.get('tab'))?.[0] ?? 'applications';
  return (
    <div class="stack">
      <Tabs label="Part of the administration" view="administration" parameter="tab" tabs={tabs} shown={tab} />
      {tab === 'applications' && <ApplicationsTab />}
      {tab === 'keys' && <KeysTab chosen={values.get('application') ?? undefined} />}
      {tab === 'sources' && <SourcesTab chosen={values.get('application') ?? undefined} />}
      {tab === 'profiles' && <ProfilesTab />}
      {tab === 'audit' && <AuditTab chosen={values.get('application') ?? ''} />}
    </div>
  );
}
