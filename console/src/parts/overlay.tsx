import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { overlayTransform } from './overlay-transform.ts';
import { Wipe } from './wipe.tsx';

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

/** The reference as an overlay on the query, by the homography. */
export function Overlay({ query, reference, homography, start = 50, tallest = 520 }: OverlayProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [available, setAvailable] = useState(900);
  const [opacity, setOpacity] = useState(100);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setAvailable(Math.max(160, entry!.contentRect.width)));
    observer.observe(holder.current!);
    return () => observer.disconnect();
  }, []);

  const [width, height] = query.frame;
  const [ownWidth, ownHeight] = reference.frame;
  const scale = Math.min(available / width, tallest / height);
  const placed = { width: `${ownWidth}px`, height: `${ownHeight}px`, transform: overlayTransform(homography, scale) };
  return (
    <div ref={holder} class="overlay">
      <Wipe
        label="Reference up to"
        start={start}
        opacity={opacity}
        style={{ width: `${width * scale}px`, height: `${height * scale}px` }}
        under={<img src={query.source} alt="The query" style={{ width: '100%', height: '100%' }} />}
        over={<img src={reference.source} alt="The reference as an overlay" style={placed} />}
      >
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
      </Wipe>
    </div>
  );
}
