interface SliderProps {
  readonly label: string;
  readonly min?: number;
  readonly step?: number;
  readonly value: number;
  readonly onInput: (value: number) => void;
}

/** A number up to 100. */
export function Slider({ label, min = 0, step = 1, value, onInput }: SliderProps) {
  return (
    <label>
      <span class="label">{label}</span>
      <input
        type="range"
        min={min}
        max={100}
        step={step}
        value={value}
        onInput={(event) => onInput(event.currentTarget.valueAsNumber)}
      />
    </label>
  );
}
