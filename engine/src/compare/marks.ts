import type { Point, Size } from '../geometry/frame.ts';
import { compose, type Homography, inverse, project } from '../geometry/homography.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Regions } from './regions.ts';

/** What is marked: regions on a grid that has the reference's shape, and strips along the rim. */
export interface Marked extends Size, Regions {
  /** The number of a pixel's strip, from 1 on; 0 elsewhere. */
  readonly strips: Uint8Array;
}

type Canvas = Size & { readonly rgb: Uint8Array };

type Colour = readonly [red: number, green: number, blue: number];

// orange and blue differ in hue and in lightness for every kind of colour vision
const BLACK: Colour = [0, 0, 0];
const WHITE: Colour = [255, 255, 255];
const ORANGE: Colour = [255, 140, 0];
const BLUE: Colour = [0, 90, 255];
/** The rings of an outline from the inside out, with their widths in strokes. */
const OUTLINE_RINGS: readonly [Colour, number][] = [
  [BLACK, 0.5],
  [ORANGE, 1],
  [WHITE, 0.5],
  [BLUE, 1],
  [BLACK, 0.5],
];
const OUTLINE_STROKES = OUTLINE_RINGS.reduce((sum, [, width]) => sum + width, 0);
/** How much of the tint shows over what differs. */
const TINT_OPACITY = 0.35;

/** The reference with its regions tinted and outlined; what the query does not show is hatched, and strips are. */
export function markReference(picture: Picture, marked: Marked, onto: Homography, query: Size): Picture {
  const [x, y] = [marked.width / picture.width, marked.height / picture.height];
  const grid: Homography = [x, 0, 0, 0, y, 0, 0, 0, 1];
  return painted(picture, marked, grid, { map: compose(onto, grid), ...query });
}

/**
 * The query with its regions tinted and outlined; what the reference does not show is hatched, and strips are.
 * @param back  from the query's pixels to the grid
 */
export function markQuery(picture: Picture, marked: Marked, back: Homography): Picture {
  return painted(picture, marked, back, { map: back, width: marked.width, height: marked.height });
}

/** The other picture's frame, and how one gets there from this picture's pixels. */
interface Other extends Size {
  readonly map: Homography;
}

function painted(picture: Picture, marked: Marked, grid: Homography, other: Other): Picture {
  const { width, height } = picture;
  const canvas = { width, height, rgb: new Uint8Array(picture.rgb) };
  const boxes = marked.regions.map(() => [width, height, 0, 0]);
  const areas = markedAreas(marked, grid, picture);
  const stripe = Math.max(4, Math.round(Math.max(width, height) / 100));
  for (let y = 0; y < height; y++) {
    const [first, end] = within(other, y, width);
    for (let x = 0; x < width; x++) {
      if (x === first) x = end;
      if (x >= width) break;
      hatch(canvas, x, y, stripe);
    }
    const here = areas.filter(([, top, , bottom]) => y >= Math.floor(top) && y < bottom);
    const left = Math.max(first, Math.floor(Math.min(...here.map(([left]) => left))));
    const right = Math.min(end, Math.ceil(Math.max(...here.map(([, , right]) => right))));
    tint(canvas, marked, grid, y, [left, right], boxes, stripe);
  }
  const stroke = Math.max(1, Math.round(Math.max(width, height) / 220));
  for (const box of boxes) outline(canvas, box, stroke);
  return { ...picture, rgb: canvas.rgb };
}

/** In pixels; right and bottom are exclusive. */
type Area = readonly [left: number, top: number, right: number, bottom: number];

/** Where a picture may have marks. */
function markedAreas({ regions, strips }: Marked, grid: Homography, { width, height }: Size): readonly Area[] {
  const back = inverse(grid);
  const whole: readonly Area[] = [[0, 0, width, height]];
  if (!back || strips.includes(1)) return whole;
  // a pixel more on each side, for rounding
  const corners = regions.map(({ left, top, right, bottom }) =>
    [left - 1, right + 1].flatMap((x) => [top - 1, bottom + 1].map((y): Point => [x, y])),
  );
  if (corners.flat().some(([x, y]) => back[6] * x + back[7] * y + back[8] <= 0)) return whole;
  return corners.map((points): Area => {
    const [xs, ys] = [0, 1].map((axis) => points.map(([x, y]) => project(back, x, y)[axis]));
    return [Math.min(...xs), Math.min(...ys), Math.max(...xs), Math.max(...ys)];
  });
}

/** The pixels of row y, from the first to before the end, that the other picture shows: its frame has no dents. */
function within({ map, width, height }: Other, y: number, pixels: number): [first: number, end: number] {
  const shown = (x: number): boolean => {
    // not by `project`, which makes an array for each pixel
    const w = map[6] * (x + 0.5) + map[7] * (y + 0.5) + map[8];
    const u = (map[0] * (x + 0.5) + map[1] * (y + 0.5) + map[2]) / w;
    const v = (map[3] * (x + 0.5) + map[4] * (y + 0.5) + map[5]) / w;
    return w > 0 && u >= 0 && v >= 0 && u <= width && v <= height;
  };
  let [first, end] = [0, pixels];
  while (first < end && !shown(first)) first++;
  while (end > first && !shown(end - 1)) end--;
  return [first, end];
}

function hatch({ width, rgb }: Canvas, x: number, y: number, stripe: number): void {
  blend(rgb, 3 * (y * width + x), (x + y) % (2 * stripe) < stripe ? WHITE : BLACK, 0.35);
}

/** Hatches strips and tints what differs in a row, and lets the boxes of the regions grow around it. */
function tint(
  canvas: Canvas,
  marked: Marked,
  grid: Homography,
  y: number,
  [first, end]: readonly [number, number],
  boxes: readonly number[][],
  stripe: number,
): void {
  const { width, rgb } = canvas;
  for (let x = first; x < end; x++) {
    const w = grid[6] * (x + 0.5) + grid[7] * (y + 0.5) + grid[8];
    const column = Math.floor((grid[0] * (x + 0.5) + grid[1] * (y + 0.5) + grid[2]) / w);
    const row = Math.floor((grid[3] * (x + 0.5) + grid[4] * (y + 0.5) + grid[5]) / w);
    if (!(column >= 0 && row >= 0)) continue;
    const at = Math.min(marked.height - 1, row) * marked.width + Math.min(marked.width - 1, column);
    if (marked.strips[at]) hatch(canvas, x, y, stripe);
    const label = marked.labels[at];
    if (label === 0) continue;
    blend(rgb, 3 * (y * width + x), ORANGE, TINT_OPACITY);
    const box = boxes[label - 1];
    box[0] = Math.min(box[0], x);
    box[1] = Math.min(box[1], y);
    box[2] = Math.max(box[2], x + 1);
    box[3] = Math.max(box[3], y + 1);
  }
}

/** Rings around a box, drawn where the picture has room for them. */
function outline(canvas: Canvas, box: readonly number[], stroke: number): void {
  const [left, top, right, bottom] = box;
  if (right <= left) return; // it lies outside of this picture
  const reach = Math.ceil(OUTLINE_STROKES * stroke);
  for (let y = Math.max(0, top - reach); y < Math.min(canvas.height, bottom + reach); y++) {
    const away = Math.max(top - y, y - bottom + 1);
    for (let x = Math.max(0, left - reach); x < Math.min(canvas.width, right + reach); x++) {
      const out = Math.max(away, left - x, x - right + 1);
      if (out > 0) blend(canvas.rgb, 3 * (y * canvas.width + x), ringAt(out / stroke), 1);
      else x = Math.max(x, right - 1); // straight through the box
    }
  }
}

function ringAt(strokes: number): Colour {
  let end = 0;
  for (const [colour, width] of OUTLINE_RINGS) {
    end += width;
    if (strokes <= end) return colour;
  }
  return BLACK;
}

function blend(rgb: Uint8Array, at: number, colour: Colour, share: number): void {
  for (let c = 0; c < 3; c++) rgb[at + c] = Math.round((1 - share) * rgb[at + c] + share * colour[c]);
}
