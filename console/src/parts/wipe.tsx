import type { ComponentChildren } from 'preact';
import { useRef, useState } from 'preact/hooks';
import { Slider } from './slider.tsx';

interface WipeProps {
  /** Determines the size. */
  readonly under: ComponentChildren;
  readonly over: ComponentChildren;
  readonly label: string;
  /** Per cent. */
  readonly opacity?: number;
  /** The first position of the line, in per cent. */
  readonly start?: number;
  readonly style?: Record<string, string>;
  readonly children?: ComponentChildren;
}

/** One picture over another, up to a line that is dragged over them or moved by the slider below. */
export function Wipe({ under, over, label, opacity = 100, start = 50, style = {}, children }: WipeProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [line, setLine] = useState(start);
  const drag = (event: PointerEvent): void => {
    if (event.buttons === 0) return;
    const { left, width } = stage.current!.getBoundingClientRect();
    setLine(Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * 1000) / 10);
  };
  return (
    <div>
      <div
        ref={stage}
        class="stage"
        style={style}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
        onDragStart={(event) => event.preventDefault()}
      >
        {under}
        <div class="overlaid" style={{ clipPath: `inset(0 ${100 - line}% 0 0)`, opacity: opacity / 100 }}>
          {over}
        </div>
        <div class="line" style={{ left: `${line}%` }} />
      </div>
      <div class="sliders">
        <Slider label={label} step={0.5} value={line} onInput={setLine} />
        {children}
      </div>
    </div>
  );
}
