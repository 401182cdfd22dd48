import { useEffect, useState } from 'preact/hooks';
import type { ApplicationStatus } from '../api/answers.ts';
import { get } from '../api/call.ts';
import type { Request } from '../api/call.ts';
import { useAnswer } from '../parts/answer.ts';
import { CurlLine } from '../parts/curl-line.tsx';
import { Failed } from '../parts/notice.tsx';
import { useSession } from '../session.ts';

const PERIOD = 5000;
const request: Request = { family: 'enginequery', operation: 'GetApplicationStatus', values: {} };

/** The content of the application and its recent failures, refreshed every few seconds. */
export function StatusView() {
  const { application, ports } = useSession();
  const [tick, setTick] = useState(0);
  useEffect(() => {
    const timer = setInterval(() => document.visibilityState === 'visible' && setTick((before) => before + 1), PERIOD);
    return () => clearInterval(timer);
  }, []);
  const { value, error } = useAnswer(tick, (signal) => get<ApplicationStatus>('status', signal));
  if (!value) return <Failed error={error} />;

  const facts: [string, string][] = [
    ['Application', application.name],
    ['Type', application.traits.title],
    ['Pictures', value.count.toLocaleString('en')],
    ['Memory of the index', bytes(value.index_bytes)],
    ['Memory a picture', value.count > 0 ? bytes(value.index_bytes / value.count) : '–'],
    ['Data', value.state === 'available' ? 'can be read and written' : value.state],
    ['Ports', `${ports.modify} to change, ${ports.query} to search`],
    ['Version', value.version],
  ];
  return (
    <div class="stack narrow">
      <Failed error={error} />
      <dl class="facts">
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <h2 id="failures">Failures since the service started</h2>
      {value.failures.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <div class="table-holder" tabIndex={0} role="region" aria-labelledby="failures">
          <table class="failures">
            <thead>
              <tr>
                <th>When</th>
                <th>Operation</th>
                <th>Code</th>
                <th>Message</th>
              </tr>
            </thead>
            <tbody>
              {value.failures.map(({ at, operation, code, message }, i) => (
                <tr key={i}>
                  <td>
                    <time dateTime={at}>{new Date(at).toLocaleTimeString()}</time>
                  </td>
                  <td>{operation}</td>
                  <td>{code}</td>
                  <td class="wide">{message}</td>
                </tr>
              ))}
            </tbody>
          </table>
        </div>
      )}
      <CurlLine request={request} />
    </div>
  );
}

function bytes(count: number): string {
  const units = ['B', 'KB', 'MB', 'GB'];
  const step = Math.min(units.length - 1, Math.max(0, Math.floor(Math.log10(Math.max(1, count)) / 3)));
  const value = count / 1000 ** step;
  return `${step === 0 || value >= 100 ? Math.round(value) : value.toFixed(1)} ${units[step]}`;
}
