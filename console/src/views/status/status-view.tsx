import type { ApplicationStatus } from '../../api/answers.ts';
import { get } from '../../api/call.ts';
import type { Request } from '../../api/call.ts';
import { useAnswer } from '../../parts/answer.ts';
import { CurlLine } from '../../parts/curl-line.tsx';
import { bytes, whole } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { useTick } from '../../parts/tick.ts';
import { useSession } from '../../session.ts';

const request: Request = { family: 'enginequery', operation: 'GetApplicationStatus', values: {} };

/** The content of the application and what failed, refreshed every few seconds. */
export function StatusView() {
  const { application, ports } = useSession();
  const { value, error } = useAnswer(useTick(5000), (signal) => get<ApplicationStatus>('status', signal));
  if (!value) return <Failed error={error} />;

  const facts: [string, string][] = [
    ['Application', application.name],
    ['Type', application.traits.title],
    ['Pictures', whole(value.count)],
    ['Memory of the index', bytes(value.index_bytes)],
    ['Memory per picture', value.count > 0 ? bytes(value.index_bytes / value.count) : '–'],
    ['Data', value.state === 'available' ? 'can be read and written' : value.state],
    ['Port for searches', String(ports.query)],
    ['Port for changes', String(ports.modify)],
    ['Version', value.version],
  ];
  return (
    <div class="stack">
      <Failed error={error} />
      <dl class="facts surface">
        {facts.map(([name, fact]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd>{fact}</dd>
          </div>
        ))}
      </dl>
      <FailedOperations
        id="failures"
        title="Failures of the service"
        about="Faults of the service or its machine since the start. The log has more."
        operations={value.failures}
      />
      <FailedOperations
        id="refusals"
        title="Refused requests"
        about="Requests that cannot be answered, such as files that are no pictures, and ids that exist already."
        operations={value.refusals}
      />
      <CurlLine request={request} />
    </div>
  );
}

interface FailedOperationsProps {
  readonly id: string;
  readonly title: string;
  readonly about: string;
  readonly operations: ApplicationStatus['failures'];
}

function FailedOperations({ id, title, about, operations }: FailedOperationsProps) {
  return (
    <section class="surface">
      <h2 id={id}>{title}</h2>
      <p class="soft">{about}</p>
      {operations.length === 0 ? (
        <p class="none">None.</p>
      ) : (
        <div class="table-holder" tabIndex={0} role="region" aria-labelledby={id}>
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
              {operations.map(({ at, operation, code, message }, i) => (
                <tr key={i}>
                  <td>
                    <time dateTime={at}>{new Date(at).toLocaleTimeString('en-GB')}</time>
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
    </section>
  );
}
