import type { Workspace } from '../../kernels/workspace.ts';
import { BORDER_MARGIN_PIXELS, type Detected, MAX_CORNERS } from './keypoints.ts';

/** The level on which lettering is looked for: single pixels of noise are averaged there. */
export const LETTERING_LEVEL = 2;
/** Smaller eigenvalue from which on a corner is one of lettering: of 390 photographs one in a hundred has `MIN_LETTERING_CORNERS` such corners. */
const MIN_LETTERING_EIGENVALUE = 1500;
/** So many such corners are much lettering; words across a picture have from 90 on. */
const MIN_LETTERING_CORNERS = 64;

/**
 * Whether a picture has much lettering, or other sharp corners of full contrast, such as those of a meme. These are the
 * strongest corners of the picture, so that they would take the features of what lies behind.
 * @param level  number `LETTERING_LEVEL` of the picture
 */
export function isLettered({ width, height, response }: Detected, workspace: Workspace): boolean {
  const mark = workspace.mark();
  const sharp = workspace.kernels.peaks(
    response,
    width,
    height,
    BORDER_MARGIN_PIXELS,
    MIN_LETTERING_EIGENVALUE,
    workspace.take(12 * MAX_CORNERS),
    MAX_CORNERS,
  );
  workspace.release(mark);
  return sharp >= MIN_LETTERING_CORNERS;
}
