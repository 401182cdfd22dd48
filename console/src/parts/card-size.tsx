import { useState } from 'preact/hooks';
import { StoredText } from './stored-text.ts';

const stored = new StoredText('sosia-card-size');
const onPhone = matchMedia('(max-width: 700px)').matches;

/** Pixels of a text below a picture. */
const TEXT = 60;

/** How large the pictures of a grid are, and a slider that changes it. */
export function useCardSize() {
  const [size, setSize] = useState(Number(stored.text) || (onPhone ? 140 : 190));
  const change = (to: number): void => {
    setSize(to);
    stored.text = String(to);
  };
  return {
    cells: { cellWidth: size, cellHeight: Math.round(size * 0.8) + TEXT },
    slider: (
      <input
        type="range"
        class="card-size"
        aria-label="Size of the pictures"
        min={100}
        max={360}
        step={10}
        value={size}
        onInput={(event) => change(event.currentTarget.valueAsNumber)}
      />
    ),
  };
}
