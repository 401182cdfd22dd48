import { useState } from 'preact/hooks';
import { overlayTransform } from './overlay-transform.ts';
import { Slider } from './slider.tsx';
import { useWidth } from './width.ts';
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
  const { holder, width: available } = useWidth(160);
  const [opacity, setOpacity] = useState(100);
  const [width, height] = query.frame;
  const [ownWidth, ownHeight] = reference.frame;
  const scale = Math.min(available / width, tallest / height);
  const placed = { width: `${ownWidth}px`, height: `${ownHeight}px`, transform: overlayTransform(homography, scale) };
  return (
    <div ref={holder}>
      <Wipe
        label="Reference up to"
        start={start}
        opacity={opacity}
        style={{ width: `${width * scale}px`, height: `${height * scale}px` }}
        under={<img src={query.source} alt="The query" style={{ width: '100%', height: '100%' }} />}
        over={<img src={reference.source} alt="The reference as an overlay" style={placed} />}
      >
        <Slider label="Opacity" min={10} value={opacity} onInput={setOpacity} />
      </Wipe>
    </div>
  );
}
