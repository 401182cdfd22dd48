import { Button } from '../../parts/button.tsx';
import { CopyButton } from '../../parts/copy-button.tsx';

export interface MadeKey {
  /** What the key is for, in one sentence. */
  readonly about: string;
  readonly secret: string;
}

/** A new key, which is shown this once. */
export function Secret({ about, secret, onClose }: MadeKey & { onClose: () => void }) {
  return (
    <section class="surface secret" role="status" aria-label="New key">
      <p>
        <strong>{about}</strong> Copy it now: it is not shown again.
      </p>
      <div class="row">
        <code tabIndex={0}>{secret}</code>
        <CopyButton text={secret} />
        <Button kind="quiet" text="Done" onClick={onClose} />
      </div>
    </section>
  );
}
