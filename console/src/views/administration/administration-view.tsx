import type { Route } from '../../route.ts';
import { linkTo } from '../../route.ts';
import { useAdministrator } from '../../session.ts';
import { ApplicationsTab } from './applications-tab.tsx';
import { AuditTab } from './audit-tab.tsx';
import { KeysTab } from './keys-tab.tsx';
import { ProfilesTab } from './profiles-tab.tsx';

const tabs = { applications: 'Applications', keys: 'Keys', profiles: 'Profiles', audit: 'Audit log' } as const;
type Tab = keyof typeof tabs;

/** Applications, keys and the audit log: of the service for an administrator, else of the application. */
export function AdministrationView({ route: { values } }: { route: Route }) {
  const administrator = useAdministrator();
  const wanted = values.get('tab') ?? '';
  const tab = wanted in tabs ? (wanted as Tab) : 'applications';
  return (
    <div class="stack">
      <div class="ways" role="group" aria-label="Part of the administration">
        {(Object.keys(tabs) as Tab[]).map((each) => (
          <a
            key={each}
            href={linkTo('administration', { tab: each })}
            {...(each === tab && { 'aria-current': 'true' as const })}
          >
            {each === 'applications' && !administrator ? 'Application' : tabs[each]}
          </a>
        ))}
      </div>
      {tab === 'applications' && <ApplicationsTab />}
      {tab === 'keys' && <KeysTab chosen={values.get('application') ?? undefined} />}
      {tab === 'profiles' && <ProfilesTab />}
      {tab === 'audit' && <AuditTab chosen={values.get('application') ?? ''} />}
    </div>
  );
}
