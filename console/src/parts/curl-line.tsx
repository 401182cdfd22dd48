import { useContext } from 'preact/hooks';
import type { Request } from '../api/call.ts';
import { curlOf } from '../api/curl.ts';
import { SessionContext } from '../session.ts';
import { CopyButton } from './copy-button.tsx';

/** The request of the current view, for a shell. */
export function CurlLine({ request }: { request: Request | undefined }) {
  const { session, administrator } = useContext(SessionContext);
  if (!request) return null;
  const { ports } = (session ?? administrator)!;
  const port = request.family === 'enginequery' ? ports.query : ports.modify;
  const line = curlOf(request, `${location.protocol}//${location.hostname}:${port}`);
  return (
    <details class="curl">
      <summary>This request as a curl line</summary>
      <div class="curl-body">
        <pre tabIndex={0}>{line}</pre>
        <CopyButton text={line} kind="quiet" />
      </div>
    </details>
  );
}
