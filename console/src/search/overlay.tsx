import { useLayoutEffect, useRef, useState } from 'preact/hooks';
import { Wipe } from '../parts/wipe.tsx';
import { layOn } from './match-info.ts';
import type { MatchInfo } from './match-info.ts';

interface OverlayProps {
  readonly places: NonNullable<MatchInfo['places']>;
  readonly query: string;
  readonly reference: string;
}

const TALLEST = 520;

/** The reference laid on the query by the homography. */
export function Overlay({ places, query, reference }: OverlayProps) {
  const holder = useRef<HTMLDivElement>(null);
  const [room, setRoom] = useState(900);
  const [opacity, setOpacity] = useState(100);
  useLayoutEffect(() => {
    const observer = new ResizeObserver(([entry]) => setRoom(Math.max(160, entry!.contentRect.width)));
    observer.observe(holder.current!);
    return () => observer.disconnect();
  }, []);

  const [width, height] = places.query.frame;
  const [ownWidth, ownHeight] = places.reference.frame;
  const across = places.query.box.map(([x]) => x);
  const middle = Math.min(0.95, Math.max(0.05, (Math.min(...across) + Math.max(...across)) / 2));
  const scale = Math.min(room / width, TALLEST / height);
  const placed = { width: `${ownWidth}px`, height: `${ownHeight}px`, transform: layOn(places.homography, scale) };
  return (
    <div ref={holder} class="overlay">
      <Wipe
        label="Reference up to"
        start={Math.round(middle * 100)}
        opacity={opacity}
        style={{ width: `${width * scale}px`, height: `${height * scale}px` }}
        under={<img src={query} alt="The query" style={{ width: '100%', height: '100%' }} />}
        over={<img src={reference} alt="The reference, laid on it" style={placed} />}
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
