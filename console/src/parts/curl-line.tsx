import { useContext, useState } from 'preact/hooks';
import type { Request } from '../api/call.ts';
import { curlOf } from '../api/curl.ts';
import { SessionContext } from '../session.ts';
import { copyText } from './copy-text.ts';
import { Icon } from './icon.tsx';

/** The request of the current view, for a shell. */
export function CurlLine({ request }: { request: Request | undefined }) {
  const { session, administrator } = useContext(SessionContext);
  const [copied, setCopied] = useState(false);
  if (!request) return null;
  const { ports } = (session ?? administrator)!;
  const port = request.family === 'enginequery' ? ports.query : ports.modify;
  const line = curlOf(request, `${location.protocol}//${location.hostname}:${port}`);
  const copy = (): void => {
    void copyText(line).then((done) => {
      setCopied(done);
      setTimeout(() => setCopied(false), 1500);
    });
  };
  return (
    <details class="curl">
      <summary>This request as a curl line</summary>
      <div class="curl-body">
        <pre tabIndex={0}>{line}</pre>
        <button type="button" class="quiet" onClick={copy}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? 'Copied' : 'Copy'}
        </button>
      </div>
    </details>
  );
}
