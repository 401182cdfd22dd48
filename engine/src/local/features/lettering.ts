import type { Workspace } from '../../kernels/workspace.ts';
import { BORDER_MARGIN_PIXELS, MAX_CORNERS } from './keypoints.ts';
import type { Level } from './pyramid.ts';

/** The level on which lettering is looked for: single pixels of noise are averaged there. */
const LETTERING_LEVEL = 2;
/** Smaller eigenvalue from which on a corner is one of lettering: of 390 photographs one in a hundred has `MIN_LETTERING_CORNERS` such corners. */
const MIN_LETTERING_EIGENVALUE = 1500;
/** So many such corners are much lettering; words across a picture have from 90 on. */
const MIN_LETTERING_CORNERS = 64;

/**
 * Whether a picture has much lettering, or other sharp corners of full contrast, such as those of a meme. These are the
 * strongest corners of the picture, so that they would take the features of what lies behind.
 */
export function isLettered(levels: readonly Level[], workspace: Workspace): boolean {
  const level = levels.find(({ index }) => index === LETTERING_LEVEL);
  if (!level) return false;
  const { kernels } = workspace;
  const { width, height } = level;
  const mark = workspace.mark();
  const plane = workspace.take(4 * width * height);
  kernels.smooth(level.plane, width, height, plane, workspace.take(4 * width * height));
  const response = workspace.take(4 * width * height);
  kernels.corners(plane, width, height, response, workspace.take(84 * (width + 8) + 12));
  const sharp = kernels.peaks(
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
