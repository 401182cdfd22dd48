import type { Compared } from './compact-part.ts';

/** What two pictures have in common in the middle of their overlap, and around it. */
export interface Middle {
  /** What agrees closely of the cells of the middle that have texture in both pictures; undefined where those are too few. */
  readonly alike: number | undefined;
  /** What agrees of the cells around the middle; undefined where those are too few. */
  readonly around: number | undefined;
}

/** The box around the overlap, in cells; right and bottom lie behind it. */
export interface Box {
  readonly left: number;
  readonly top: number;
  readonly right: number;
  readonly bottom: number;
}

/** Share of the overlap at each side that is no middle. */
const OUTER_SHARE = 0.2;
/** Least correlation of windows that agree, and that agree closely. */
const MIN_CORRELATION = { around: 0.5, middle: 0.7 };
/** A cell whose neighbourhood of 3 x 3 spans so many values has texture; a hand or a reflection has hardly any. */
const MIN_TEXTURE_SPAN = 2;
/** Fewer cells than this show too little. */
const MIN_CELLS = 4;

/** A print in another one's frame agrees around its middle only, and has texture where a hand or a reflection has none. */
export function middleOf(planes: Compared, { left, top, right, bottom }: Box): Middle {
  const { width, one, other, correlation } = planes;
  const [middle, around] = [
    { all: 0, same: 0 },
    { all: 0, same: 0 },
  ];
  for (let y = top; y < bottom; y++)
    for (let x = left; x < right; x++) {
      const value = correlation[width * y + x];
      if (Number.isNaN(value)) continue;
      if (!isMiddle(x, left, right) || !isMiddle(y, top, bottom)) {
        around.all++;
        if (value >= MIN_CORRELATION.around) around.same++;
      } else if (hasTexture(one, planes, x, y) && hasTexture(other, planes, x, y)) {
        middle.all++;
        if (value >= MIN_CORRELATION.middle) middle.same++;
      }
    }
  return { alike: shareOf(middle), around: shareOf(around) };
}

/** Whether a column of cells, or a line of them, is none of the outer ones of an overlap. */
export function isMiddle(at: number, from: number, to: number): boolean {
  const share = (at + 0.5 - from) / (to - from);
  return share >= OUTER_SHARE && share <= 1 - OUTER_SHARE;
}

function shareOf({ all, same }: { all: number; same: number }): number | undefined {
  return all >= MIN_CELLS ? same / all : undefined;
}

function hasTexture(plane: Float64Array, { width, height }: Compared, x: number, y: number): boolean {
  let [least, most] = [Infinity, -Infinity];
  for (let row = Math.max(0, y - 1); row <= Math.min(height - 1, y + 1); row++)
    for (let column = Math.max(0, x - 1); column <= Math.min(width - 1, x + 1); column++) {
      const value = plane[width * row + column];
      if (value < least) least = value;
      if (value > most) most = value;
    }
  return most - least >= MIN_TEXTURE_SPAN;
}
