import { FRAME_SIDE_PIXELS, frameSize, type Size } from '../../geometry/frame.ts';
import type { Workspace } from '../../kernels/workspace.ts';
import type { Picture } from '../../pixels/picture.ts';
import { resampleAt } from '../../pixels/planes.ts';

/** Three levels an octave. */
const LEVEL_STEP = 1.2599210498948732; // 2^(1/3)

/** Levels end before a side falls below this, in pixels. */
const MIN_SIDE_PIXELS = 28;

/** One size of the picture. */
export interface Level {
  /** 0 is the frame; each level above is 2^(1/3) coarser, each below (negative) finer. */
  readonly index: number;
  readonly width: number;
  readonly height: number;
  /** Where its plane of floats lies in the workspace. */
  readonly plane: number;
}

/** How much wider a pixel of level `index` is than one of the frame. */
export function levelScale(index: number): number {
  let scale = 1;
  for (let i = 0; i < index; i++) scale *= LEVEL_STEP;
  for (let i = 0; i > index; i--) scale /= LEVEL_STEP;
  return scale;
}

/** Whether a level finer than the frame shows more than the picture does, or no more than it may be enlarged. */
function worthwhile(index: number, frame: { width: number; height: number }, picture: Picture, most: number): boolean {
  const longest = Math.max(frame.width, frame.height) / levelScale(index);
  return longest <= Math.max(most, 1.05 * Math.max(picture.width, picture.height));
}

/**
 * The sizes of a picture, coarsest first. Levels from 0 up are each reduced from the one below, so that they
 * do not depend on `finest`; finer levels are made from the picture itself and may enlarge it.
 * @param finest    index of the finest level, 0 or negative
 * @param least     longest side in pixels that the frame of a smaller picture is enlarged to
 * @param enlarged  longest side in pixels that a finer level may have though the picture is smaller
 */
export function pyramid(
  picture: Picture,
  finest: number,
  workspace: Workspace,
  { least = 0, enlarged = FRAME_SIDE_PIXELS }: { readonly least?: number; readonly enlarged?: number } = {},
): Level[] {
  const { kernels } = workspace;
  const pixels = picture.width * picture.height;
  const rgb = workspace.put(picture.rgb);
  const source = workspace.take(4 * pixels);
  kernels.luma(rgb, pixels, source);

  const frame = frameSize(picture.originalWidth, picture.originalHeight, least);
  const whole = { width: picture.width, height: picture.height, plane: source };
  const finer: Level[] = [];
  for (let index = finest; index < 0; index++) {
    if (worthwhile(index, frame, picture, enlarged)) finer.push(sized(index, frame, whole, workspace));
  }
  return [...coarserFrom(sized(0, frame, whole, workspace), workspace), ...finer.reverse()];
}

/** Level 0 and those above, coarsest first. */
export function coarserFrom(frame: Level, workspace: Workspace): Level[] {
  const levels = [frame];
  for (let index = 1; Math.min(frame.width, frame.height) / levelScale(index) >= MIN_SIDE_PIXELS; index++)
    levels.push(sized(index, frame, levels[index - 1], workspace));
  return levels.reverse();
}

/** A level made from a larger plane. @param frame  the size of level 0 */
function sized(index: number, frame: Size, from: Size & { readonly plane: number }, workspace: Workspace): Level {
  const scale = levelScale(index);
  const width = Math.max(1, Math.round(frame.width / scale));
  const height = Math.max(1, Math.round(frame.height / scale));
  if (width === from.width && height === from.height) return { index, ...from };
  const plane = workspace.take(4 * width * height);
  resampleAt(from.plane, from, plane, { width, height }, workspace);
  return { index, width, height, plane };
}
