import type { ComponentChildren } from 'preact';

interface SplitProps {
  /** The name of the form. */
  readonly label: string;
  readonly form: ComponentChildren;
  /** The name of what comes of it. */
  readonly outcome: string;
  readonly busy?: boolean;
  /** Whether the outcome comes first on narrow screens. */
  readonly answered?: boolean;
  readonly children: ComponentChildren;
}

/** A form that needs no button to be sent, and its outcome beside it. */
export function Split({ label, form, outcome, busy = false, answered = false, children }: SplitProps) {
  return (
    <div class={answered ? 'split answered' : 'split'}>
      <form class="surface stack panel" aria-label={label} onSubmit={(event) => event.preventDefault()}>
        {form}
      </form>
      <section class={busy ? 'outcome busy' : 'outcome'} aria-label={outcome} aria-busy={busy}>
        {children}
      </section>
    </div>
  );
}
