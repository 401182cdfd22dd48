import type { ComponentChildren } from 'preact';
import type { CallError } from '../api/call.ts';
import { Icon } from './icon.tsx';

/** A failure, in the words of the service. */
export function Failed({ error }: { error: Pick<CallError, 'code' | 'message'> | undefined }) {
  if (!error) return null;
  return (
    <p class="line failed" role="alert">
      <Icon name="alert" />
      <span>
        {error.message} {error.code ? <code>{error.code}</code> : null}
      </span>
    </p>
  );
}

/** Where there is nothing to show: what is missing, why, and what may be done. */
export function Empty({ title, children }: { title: string; children?: ComponentChildren }) {
  return (
    <div class="empty">
      <p class="empty-title">{title}</p>
      {children}
    </div>
  );
}
