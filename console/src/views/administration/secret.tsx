import { useState } from 'preact/hooks';
import { copyText } from '../../parts/copy-text.ts';
import { Icon } from '../../parts/icon.tsx';

interface SecretProps {
  /** What the key is for, in one sentence. */
  readonly about: string;
  readonly secret: string;
  readonly onClose: () => void;
}

/** A new key, which is shown this once. */
export function Secret({ about, secret, onClose }: SecretProps) {
  const [copied, setCopied] = useState(false);
  return (
    <section class="secret" role="status" aria-label="New key">
      <p>
        <strong>{about}</strong> Copy it now: it is not shown again.
      </p>
      <div class="secret-line">
        <code tabIndex={0}>{secret}</code>
        <button type="button" onClick={() => void copyText(secret).then(setCopied)}>
          <Icon name={copied ? 'check' : 'copy'} />
          {copied ? 'Copied' : 'Copy'}
        </button>
        <button type="button" class="quiet" onClick={onClose}>
          Done
        </button>
      </div>
    </section>
  );
}
