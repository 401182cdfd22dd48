import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { layOn } from './match-info.ts';
import type { MatchInfo } from './match-info.ts';

interface OverlayProps {
  readonly places: NonNullable<MatchInfo['places']>;
  readonly query: string;
  readonly reference: string;
}

const TALLEST = 520;

/** The reference laid on the query by the homography, as far as a line that is dragged over them. */
export function Overlay({ places, query, reference }: OverlayProps) {
  const stage = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(900);
  const [line, setLine] = useState(50);
  const [opacity, setOpacity] = useState(100);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(Math.max(160, entry!.contentRect.width)));
    observer.observe(stage.current!.parentElement!);
    return () => observer.disconnect();
  }, []);

  const [width, height] = places.query.frame;
  const [ownWidth, ownHeight] = places.reference.frame;
  const scale = Math.min(room / width, TALLEST / height);
  const drag = (event: PointerEvent): void => {
    if (event.buttons === 0) return;
    const { left, width } = stage.current!.getBoundingClientRect();
    setLine(Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * 1000) / 10);
  };
  return (
    <div class="overlay">
      <div
        ref={stage}
        class="stage"
        style={{ width: `${width * scale}px`, height: `${height * scale}px` }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
      >
        <img src={query} alt="The query" draggable={false} style={{ width: '100%', height: '100%' }} />
        <div class="laid" style={{ clipPath: `inset(0 ${100 - line}% 0 0)`, opacity: opacity / 100 }}>
          <img
            src={reference}
            alt="The reference, laid on it"
            draggable={false}
            style={{ width: `${ownWidth}px`, height: `${ownHeight}px`, transform: layOn(places.homography, scale) }}
          />
        </div>
        <div class="line" style={{ left: `${line}%` }} />
      </div>
      <div class="sliders">
        <label>
          <span class="label">Reference up to</span>
          <input
            type="range"
            min="0"
            max="100"
            step="0.5"
            value={line}
            onInput={(e) => setLine(e.currentTarget.valueAsNumber)}
          />
        </label>
        <label>
          <span class="label">Opacity</span>
          <input
            type="range"
            min="10"
            max="100"
            value={opacity}
            onInput={(e) => setOpacity(e.currentTarget.valueAsNumber)}
          />
        </label>
      </div>
    </div>
  );
}
