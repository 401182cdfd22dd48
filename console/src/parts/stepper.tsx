import { Button } from './button.tsx';

interface StepperProps {
  /** What is stepped through, such as a result. */
  readonly what: string;
  /** From 0. */
  readonly at: number;
  readonly of: number;
  readonly onStep: (to: number) => void;
}

/** The place in a list, with buttons to the neighbours. */
export function Stepper({ what, at, of, onStep }: StepperProps) {
  return (
    <div class="row">
      <span class="soft">
        {at + 1} of {of}
      </span>
      <Button kind="quiet" icon="left" label={`Previous ${what}`} disabled={at === 0} onClick={() => onStep(at - 1)} />
      <Button
        kind="quiet"
        icon="right"
        label={`Next ${what}`}
        disabled={at === of - 1}
        onClick={() => onStep(at + 1)}
      />
    </div>
  );
}

/** The arrow keys as steps. */
export function stepOf(key: string): -1 | 0 | 1 {
  if (key === 'ArrowLeft') return -1;
  return key === 'ArrowRight' ? 1 : 0;
}
