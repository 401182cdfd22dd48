import { useRef, useState } from 'preact/hooks';
import { Slider } from './fields.tsx';
import { overlayTransform } from './overlay-transform.ts';
import { useWidth } from './width.ts';

/** A picture, and the size in pixels that its homography refers to. */
interface Layer {
  readonly source: string;
  readonly frame: readonly [width: number, height: number];
}

interface OverlayProps {
  readonly query: Layer;
  readonly reference: Layer;
  /** Reference to query, nine numbers, row-major. */
  readonly homography: readonly number[];
  /** The first position of the line, in per cent. */
  readonly start?: number;
  /** Pixels of the screen. */
  readonly tallest?: number;
}

/** The reference as an overlay on the query, by the homography, up to a line that is dragged or moved by a slider. */
export function Overlay({ query, reference, homography, start = 50, tallest = 520 }: OverlayProps) {
  const { holder, width: available } = useWidth(160);
  const stage = useRef<HTMLDivElement>(null);
  const [line, setLine] = useState(start);
  const [opacity, setOpacity] = useState(100);
  const [width, height] = query.frame;
  const [ownWidth, ownHeight] = reference.frame;
  const scale = Math.min(available / width, tallest / height);
  const placed = { width: `${ownWidth}px`, height: `${ownHeight}px`, transform: overlayTransform(homography, scale) };
  const drag = (event: PointerEvent): void => {
    if (event.buttons === 0) return;
    const { left, width } = stage.current!.getBoundingClientRect();
    setLine(Math.round(Math.min(1, Math.max(0, (event.clientX - left) / width)) * 1000) / 10);
  };
  return (
    <div ref={holder}>
      <div
        ref={stage}
        class="stage"
        style={{ width: `${width * scale}px`, height: `${height * scale}px` }}
        onPointerDown={(event) => {
          event.currentTarget.setPointerCapture(event.pointerId);
          drag(event);
        }}
        onPointerMove={drag}
        onDragStart={(event) => event.preventDefault()}
      >
        <img src={query.source} alt="The query" style={{ width: '100%', height: '100%' }} />
        <div class="overlaid" style={{ clipPath: `inset(0 ${100 - line}% 0 0)`, opacity: opacity / 100 }}>
          <img src={reference.source} alt="The reference as an overlay" style={placed} />
        </div>
        <div class="edge" style={{ left: `${line}%` }} />
      </div>
      <div class="sliders">
        <Slider label="Reference up to" step={0.5} value={line} onChange={setLine} />
        <Slider label="Opacity" min={10} value={opacity} onChange={setOpacity} />
      </div>
    </div>
  );
}
