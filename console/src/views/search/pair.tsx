import type { Correspondence, Point } from '../../api/answers.ts';
import { useWidth } from '../../parts/width.ts';
import type { MatchInfo, Size } from './match-info.ts';

interface PairProps {
  readonly places: NonNullable<MatchInfo['places']>;
  readonly query: string;
  readonly reference: string;
  readonly correspondences: readonly Correspondence[];
}

interface Placed {
  readonly x: number;
  readonly y: number;
  readonly width: number;
  readonly height: number;
}

const GAP = 16;
/** Below this width in pixels the pictures are arranged vertically. */
const NARROW = 620;
/** The maximum distance in bits of the features of a correspondence. */
const FARTHEST = 22;

/** Both pictures in one drawing with their matching boxes, and lines between corresponding places. */
export function Pair({ places, query, reference, correspondences }: PairProps) {
  const { holder, width } = useWidth(200);
  const { size, left, right } = arranged(places.query.frame, places.reference.frame, width);
  return (
    <div ref={holder} class="pair">
      <svg
        viewBox={`0 0 ${size[0]} ${size[1]}`}
        width={size[0]}
        height={size[1]}
        role="img"
        aria-label={`The query and the reference with their matching boxes${correspondences.length > 0 ? ` and ${correspondences.length} correspondences` : ''}`}
      >
        <image {...left} href={query} preserveAspectRatio="none" />
        <image {...right} href={reference} preserveAspectRatio="none" />
        {places.instances.map((box, i) => (
          <Outline key={i} box={box} on={left} further />
        ))}
        <Outline box={places.query.box} on={left} />
        <Outline box={places.reference.box} on={right} />
        {correspondences.map((one, i) => (
          <Line key={i} {...one} left={left} right={right} />
        ))}
      </svg>
    </div>
  );
}

function Outline({ box, on, further = false }: { box: readonly Point[]; on: Placed; further?: boolean }) {
  const points = box.map((point) => at(point, on).join()).join(' ');
  return (
    <g class={further ? 'outline further' : 'outline'}>
      <polygon class="under" points={points} />
      <polygon class="over" points={points} />
    </g>
  );
}

function Line({ query, reference, distance, left, right }: Correspondence & { left: Placed; right: Placed }) {
  const [x1, y1] = at(query, left);
  const [x2, y2] = at(reference, right);
  const style = { '--far': String(Math.min(1, distance / FARTHEST)) } as Record<string, string>;
  return (
    <g class="correspondence" style={style}>
      <line x1={x1} y1={y1} x2={x2} y2={y2} />
      <circle cx={x1} cy={y1} r="2" />
      <circle cx={x2} cy={y2} r="2" />
    </g>
  );
}

function at([x, y]: Point, on: Placed): [number, number] {
  return [round(on.x + x * on.width), round(on.y + y * on.height)];
}

/** Side by side at one height, or vertically at one width. */
function arranged(a: Size, b: Size, width: number): { size: Size; left: Placed; right: Placed } {
  const placed = (own: number, height: number, x: number, y: number): Placed => {
    return { x: round(x), y: round(y), width: round(own), height: round(height) };
  };
  const [across, down] = [a[0] / a[1], b[0] / b[1]];
  if (width < NARROW) {
    const [first, second] = [Math.min(width * 0.9, width / across), Math.min(width * 0.9, width / down)];
    const middle = (own: number, height: number, y: number) => placed(own, height, (width - own) / 2, y);
    const right = middle(second * down, second, first + GAP);
    return { size: [width, round(first + GAP + second)], left: middle(first * across, first, 0), right };
  }
  const height = Math.min(460, (width - GAP) / (across + down));
  const [first, second] = [height * across, height * down];
  const start = (width - GAP - first - second) / 2;
  const right = placed(second, height, start + first + GAP, 0);
  return { size: [width, round(height)], left: placed(first, height, start, 0), right };
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}
