import { colourAt, type Colours, RATIO } from '../../dna/colours.ts';
import type { Size } from '../../geometry/frame.ts';
import { type Homography, project } from '../../geometry/homography.ts';
import type { Side } from '../overlap/overlap.ts';

/** Places of a cell of the reference in each direction that are looked up in the picture; fewest that must lie in it. */
const SAMPLES = { perSide: 2, min: 2 };
/** Least distance of a colour from grey, in steps; a colour that agrees may be half as strong. */
const MIN_COLOUR = 0.5 * RATIO.steps;
/** Cosine of the angle between two colours: least of one that agrees, most of one that contradicts. */
const COSINE = { agreeing: 0.7, contradicting: 0.3 };
/** Cells that contradict: fewest, and their share of those that say something. */
const CONTRADICTING = { minCells: 8, minShare: 0.55 };

/**
 * Whether what is coloured in a reference has other colours in the picture: the same design of another product. The light of the
 * picture is the median change of each ratio of channels.
 *
 * See docs/experiments/2026-11-26-colours.md.
 * @param map  from the frame of the reference to that of the query
 */
export function hasOtherColours(map: Homography, reference: Side, query: Side): boolean {
  const [one, other] = [reference.miniature.colours, query.miniature.colours];
  if (!one || !other) return false;
  const pairs = pairsOf(map, one, reference, other, query);
  if (pairs.length < CONTRADICTING.minCells) return false;
  const [red, blue] = [0, 1].map((ratio) => median(pairs.map(([a, b]) => b[ratio] - a[ratio])));
  let [agreeing, contradicting] = [0, 0];
  for (const [[ar, ab], [br, bb]] of pairs) {
    const [r, b] = [br - red, bb - blue];
    const [colour, shown] = [Math.sqrt(ar * ar + ab * ab), Math.sqrt(r * r + b * b)];
    if (colour <= MIN_COLOUR || shown <= MIN_COLOUR / 2) continue;
    const cosine = (ar * r + ab * b) / (colour * shown);
    agreeing += Number(cosine > COSINE.agreeing);
    contradicting += Number(shown > MIN_COLOUR && cosine < COSINE.contradicting);
  }
  return contradicting >= CONTRADICTING.minCells && contradicting > CONTRADICTING.minShare * (agreeing + contradicting);
}

type Colour = readonly [red: number, blue: number];

/** Each cell of the reference with the mean of the picture where it lies. */
function pairsOf(map: Homography, one: Colours, reference: Size, other: Colours, query: Size): [Colour, Colour][] {
  const pairs: [Colour, Colour][] = [];
  for (let cell = 0; cell < one.width * one.height; cell++) {
    let [red, blue, found] = [0, 0, 0];
    for (let sample = 0; sample < SAMPLES.perSide * SAMPLES.perSide; sample++) {
      const across = (cell % one.width) + ((sample % SAMPLES.perSide) + 0.5) / SAMPLES.perSide;
      const down = Math.floor(cell / one.width) + (Math.floor(sample / SAMPLES.perSide) + 0.5) / SAMPLES.perSide;
      const [x, y] = project(map, (across / one.width) * reference.width, (down / one.height) * reference.height);
      const [u, v] = [Math.floor((x / query.width) * other.width), Math.floor((y / query.height) * other.height)];
      if (!(u >= 0 && v >= 0 && u < other.width && v < other.height)) continue;
      const [r, b] = colourAt(other, v * other.width + u);
      red += r;
      blue += b;
      found++;
    }
    if (found >= SAMPLES.min) pairs.push([colourAt(one, cell), [red / found, blue / found]]);
  }
  return pairs;
}

function median(values: number[]): number {
  return values.sort((a, b) => a - b)[values.length >> 1];
}
