import { requestFor } from '../api/call.ts';
import type { SessionInfo } from '../api/answers.ts';
import { useRequest } from '../parts/answer.ts';
import { chooseApplication } from './choose-application.ts';

/** For an administrator: the application whose pictures the views show. */
export function ApplicationSwitch({ current }: { current: SessionInfo['application'] | undefined }) {
  const { value } = useRequest(requestFor('administration', 'ListApplications'));
  const applications = value?.applications.filter(({ enabled, number }) => enabled || number === current?.number) ?? [];
  return (
    <label class="application">
      <small>Application</small>
      <select
        aria-label="Application"
        value={current ? String(current.number) : ''}
        onChange={(event) => void chooseApplication(Number(event.currentTarget.value))}
      >
        {!current && <option value="">none is open</option>}
        {current && applications.length === 0 && <option value={String(current.number)}>{current.name}</option>}
        {applications.map(({ number, name, title }) => (
          <option key={number} value={String(number)}>
            {name} · {title}
          </option>
        ))}
      </select>
    </label>
  );
}
