import { cellsOf, type Miniature } from '../../dna/miniature.ts';
import type { Point, Size } from '../../geometry/frame.ts';
import type { Side } from '../overlap/overlap.ts';
import type { Agreement, Placement } from './match-pair.ts';

/** Share of the cells along the sides of a picture that have one grey, where a thing lies on plain ground. */
const MIN_PLAIN_RIM_SHARE = 0.7;
/** How much plain ground differs from the grey of most of the rim, of 15. */
const MAX_GROUND_STEPS = 1;
/** How far outlines reach from the ground, in cells of the miniature: a feature is described with what surrounds it. */
const REACH_CELLS = 2;

/** The share of what agrees that lies beside the plain ground of both pictures; 0 where one of them has none. */
export function silhouetteShare({ agreements }: Pick<Placement, 'agreements'>, reference: Side, query: Side): number {
  const [ofReference, ofQuery] = [outlineOf(reference), outlineOf(query)];
  if (!ofReference || !ofQuery) return 0;
  const isOutline = (agreement: Agreement): boolean => ofReference(agreement.reference) && ofQuery(agreement.query);
  return agreements.filter(isOutline).length / Math.max(1, agreements.length);
}

/** Whether a place in the frame of a picture is near its plain ground; undefined without such ground. */
function outlineOf({ miniature, ...frame }: Side): ((place: Point) => boolean) | undefined {
  const ground = groundOf(miniature);
  if (!ground) return undefined;
  const { width, height } = miniature;
  return ([px, py]) => {
    const [x, y] = [Math.floor((px * width) / frame.width), Math.floor((py * height) / frame.height)];
    for (let v = Math.max(0, y - REACH_CELLS); v <= Math.min(height - 1, y + REACH_CELLS); v++)
      for (let u = Math.max(0, x - REACH_CELLS); u <= Math.min(width - 1, x + REACH_CELLS); u++)
        if (ground[width * v + u]) return true;
    return false;
  };
}

/** 1 for each cell of the grey that most of the rim has, and that is connected with the rim. */
function groundOf(miniature: Miniature): Uint8Array | undefined {
  const { width, height } = miniature;
  const cells = cellsOf(miniature);
  const rim = rimOf(miniature);
  const grey = Float64Array.from(rim, (i) => cells[i]).sort()[rim.length >> 1];
  const ground = new Uint8Array(cells.length);
  const open: number[] = [];
  const visit = (i: number): void => {
    if (ground[i] || Math.abs(cells[i] - grey) > MAX_GROUND_STEPS) return;
    ground[i] = 1;
    open.push(i);
  };
  rim.forEach(visit);
  if (rim.filter((i) => ground[i]).length < MIN_PLAIN_RIM_SHARE * rim.length) return undefined;
  for (let i = open.pop(); i !== undefined; i = open.pop()) {
    if (i % width > 0) visit(i - 1);
    if (i % width < width - 1) visit(i + 1);
    if (i >= width) visit(i - width);
    if (i < width * (height - 1)) visit(i + width);
  }
  return ground;
}

/** The cells along the four sides; corners count for both of theirs. */
function rimOf({ width, height }: Size): number[] {
  const across = Array.from({ length: width }, (_, x) => [x, width * (height - 1) + x]);
  const down = Array.from({ length: height }, (_, y) => [width * y, width * y + width - 1]);
  return [...across, ...down].flat();
}
