import type { ApplicationStatus } from '../../api/answers.ts';
import { get, requestFor } from '../../api/call.ts';
import { useAnswer } from '../../parts/answer.ts';
import { CurlLine } from '../../parts/curl-line.tsx';
import { Facts, type Fact } from '../../parts/facts.tsx';
import { bytes, whole } from '../../parts/figures.ts';
import { Failed } from '../../parts/notice.tsx';
import { Table } from '../../parts/table.tsx';
import { useSession } from '../../session.ts';

const request = requestFor('enginequery', 'GetApplicationStatus');

/** The content of the application and what failed, refreshed every few seconds. */
export function StatusView() {
  const { application, ports } = useSession();
  const read = (signal: AbortSignal): Promise<ApplicationStatus> => get('status', signal);
  const { value, error } = useAnswer('status', read, { every: 5000 });
  if (!value) return <Failed error={error} />;

  const facts: Fact[] = [
    ['Application', application.name],
    ['Type', application.traits.title],
    ['Pictures', whole(value.count)],
    ['Memory of the index', bytes(value.index_bytes)],
    ['Memory per picture', value.count > 0 ? bytes(value.index_bytes / value.count) : '–'],
    ['Data', value.state === 'available' ? 'can be read and written' : value.state],
    ['Port for searches', ports.query],
    ['Port for changes', ports.modify],
    ['Version', value.version],
  ];
  return (
    <div class="stack">
      <Failed error={error} />
      <Facts kind="surface tiles facts" facts={facts} />
      <FailedOperations
        title="Failures of the service"
        about="The last 50 faults of the service or its machine in operations of this application since the start. The log has more."
        operations={value.failures}
      />
      <FailedOperations
        title="Refused requests"
        about="The last 50 requests that cannot be answered, such as files that are no pictures, and ids that exist already."
        operations={value.refusals}
      />
      <CurlLine request={request} />
    </div>
  );
}

interface FailedOperationsProps {
  readonly title: string;
  readonly about: string;
  readonly operations: ApplicationStatus['failures'];
}

function FailedOperations({ title, about, operations }: FailedOperationsProps) {
  return (
    <section class="surface">
      <h2>{title}</h2>
      <p class="soft">{about}</p>
      {operations.length === 0 ? (
        <p class="soft">None.</p>
      ) : (
        <Table
          label={title}
          stacks
          rows={operations}
          columns={[
            ['When', ({ at }) => <time dateTime={at}>{new Date(at).toLocaleTimeString('en-GB')}</time>],
            ['Operation', ({ operation }) => operation],
            ['Code', ({ code }) => code],
            ['Message', ({ message }) => message, 'wide'],
          ]}
        />
      )}
    </section>
  );
}
