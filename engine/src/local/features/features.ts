import { joined } from '../../memory/joined.ts';
import { type Miniature, miniatureSize, packMiniature } from '../../dna/miniature.ts';
import { frameSize } from '../../geometry/frame.ts';
import type { Workspace } from '../../kernels/workspace.ts';
import type { Picture } from '../../pixels/picture.ts';
import { resizedAt } from '../../pixels/planes.ts';
import { corners, type Detected, detected } from './keypoints.ts';
import { isLettered, LETTERING_LEVEL } from './lettering.ts';
import { motionOf } from './motion.ts';
import { coarserFrom, type Level, levelScale, pyramid } from './pyramid.ts';
import { withoutMotion } from './without-motion.ts';

/** Radius of the disc a keypoint's direction is taken from, in pixels of its level. */
const ORIENTATION_RADIUS_PIXELS = 8;
/** Least share of the strongest direction that makes a second keypoint. */
const SECOND_DIRECTION_SHARE = 0.85;
/** Distance between the samples of a patch, in pixels of its level. */
const SAMPLE_SPACING_PIXELS = 1.25;

const DESCRIPTOR_BYTES = 512;

/** Share of the features beyond the core that are those of a still camera; a motion may be none, or no line. */
const DEBLURRED_SHARE = 0.5;

/** How many features of a picture are taken, and from which levels. */
export interface Richness {
  /** Features of the core: what a reference keeps. */
  readonly core: number;
  /** Features in all; those beyond the core are what a query adds. */
  readonly all: number;
  /** The same for a picture with much lettering, which would take most of them; `all` unless given. */
  readonly lettered?: number;
  /** Index of the finest level of features beyond the core, 0 or negative. */
  readonly finest: number;
  /** Index of the level at which the core begins; 0 unless given. */
  readonly first?: number;
  /** Longest side in pixels of the frame that a smaller picture is enlarged to; 0 unless given. */
  readonly least?: number;
  /** Longest side in pixels that levels finer than the frame may enlarge a picture to; that of the frame unless given. */
  readonly enlarged?: number;
  /** Whether half of the features beyond the core are those of a still camera where the camera moved; see `motionOf`. */
  readonly still?: boolean;
}

/** Local features of a picture, coarse levels first; the arrays run in step. */
export interface LocalFeatures {
  readonly count: number;
  /** 1 for the features of the core, which are the same whatever is added to them. */
  readonly core: Uint8Array;
  /** Level of the pyramid. */
  readonly levels: Int8Array;
  /** x, y in pixels of the frame, two a feature. */
  readonly places: Float32Array;
  /** In 1/256 of a circle. */
  readonly angles: Uint8Array;
}

/**
 * Finds and describes the local features of a picture, and reduces its frame to a miniature.
 * @returns with the place of the descriptors in the workspace: 128 floats a feature, Euclidean norm 1
 */
export function localFeatures(
  picture: Picture,
  richness: Richness,
  workspace: Workspace,
): LocalFeatures & { readonly miniature: Miniature; readonly descriptors: number } {
  const frame = frameSize(picture.originalWidth, picture.originalHeight, richness.least);
  const descriptors = workspace.take(DESCRIPTOR_BYTES * (richness.core + (richness.lettered ?? richness.all)));
  let described = descriptors;
  const mark = workspace.mark();
  const finest = richness.all > richness.core ? richness.finest : 0;
  const levels = pyramid(picture, finest, workspace, richness);
  const { core, lettered = richness.all } = richness;
  const middle = levels.find(({ index }) => lettered > richness.all && index === LETTERING_LEVEL);
  const known = middle && detected(middle, workspace);
  const all = known && isLettered(known, workspace) ? lettered : richness.all;
  const whole = levels.find(({ index }) => index === 0)!;
  const motion = richness.still ? motionOf(whole, workspace) : undefined;
  const describe = (levels: readonly Level[], wanted: Pick<Richness, 'core' | 'all'>): LocalFeatures[] =>
    featuresOf(levels, { ...richness, ...wanted }, (level, core, all) => {
      const part = levelFeatures(level === middle ? known! : level, core, all, frame, described, workspace);
      described += DESCRIPTOR_BYTES * part.count;
      return part;
    });
  const sharp = Math.floor(DEBLURRED_SHARE * (all - core));
  const parts = motion
    ? [
        ...describe(
          levels.filter(({ index }) => index >= 0),
          { core, all: all - sharp },
        ),
        ...describe(coarserFrom(withoutMotion(whole, motion, workspace), workspace), { core: 0, all: sharp }),
      ]
    : describe(levels, { core, all });
  const grid = miniatureSize({ width: picture.originalWidth, height: picture.originalHeight });
  const miniature = packMiniature(grid, resizedAt(whole.plane, whole, grid, workspace));
  workspace.release(mark);
  return { ...together(parts), miniature, descriptors };
}

/** The features of levels, coarse ones first. */
function featuresOf(
  levels: readonly Level[],
  { core, all, first = 0 }: Pick<Richness, 'core' | 'all' | 'first'>,
  describe: (level: Level, core: number, all: number) => LocalFeatures,
): LocalFeatures[] {
  const coreShares = shares(
    levels.map(({ index }) => (index < first ? 0 : 1 / levelScale(index))),
    core,
  );
  const allShares = shares(
    levels.map(({ index }) => (first > 0 && index < first ? 0 : 1 / levelScale(index))),
    all,
  );
  // what a level cannot fill goes to the next finer one
  let coreSpare = 0;
  let allSpare = 0;
  return levels.map((level, i) => {
    const coreQuota = level.index < first ? 0 : coreShares[i] + coreSpare;
    const part = describe(level, coreQuota, Math.max(coreQuota, allShares[i] + allSpare));
    coreSpare = coreQuota - part.core.reduce((sum, flag) => sum + flag, 0);
    allSpare += allShares[i] - part.count;
    return part;
  });
}

/** Whole shares of a total in proportion to weights. */
function shares(weights: readonly number[], total: number): number[] {
  const sum = weights.reduce((a, b) => a + b, 0);
  return weights.map((weight) => Math.floor((total * weight) / sum));
}

function levelFeatures(
  level: Level | Detected,
  core: number,
  all: number,
  frame: { width: number; height: number },
  out: number,
  workspace: Workspace,
): LocalFeatures {
  const { kernels } = workspace;
  const { width, height } = level;
  const mark = workspace.mark();
  const searched = 'response' in level ? level : detected(level, workspace);
  const plane = searched.smoothed;
  const found = corners(searched, core, all, workspace);

  const oriented = workspace.take(32 * found.count);
  const directed = kernels.orientations(
    plane,
    width,
    height,
    found.points,
    found.count,
    all,
    ORIENTATION_RADIUS_PIXELS,
    oriented,
    SECOND_DIRECTION_SHARE,
  );
  const count = Math.min(directed, all);

  const points = workspace.floats(oriented, 4 * count);
  const angles = new Uint8Array(count);
  const places = new Float32Array(2 * count);
  for (let i = 0; i < count; i++) {
    angles[i] = Math.round(points[4 * i + 2] * 256) & 255;
    points[4 * i + 2] = angles[i] / 256;
    places[2 * i] = (points[4 * i] * frame.width) / width;
    places[2 * i + 1] = (points[4 * i + 1] * frame.height) / height;
  }
  kernels.describe(plane, width, height, oriented, count, SAMPLE_SPACING_PIXELS, out);
  workspace.release(mark);
  return {
    count,
    core: new Uint8Array(count).fill(1, 0, Math.min(core, count)),
    levels: new Int8Array(count).fill(level.index),
    places,
    angles,
  };
}

function together(parts: readonly LocalFeatures[]): LocalFeatures {
  return {
    count: parts.reduce((sum, part) => sum + part.count, 0),
    core: joined(parts.map(({ core }) => core)),
    levels: joined(parts.map(({ levels }) => levels)),
    places: joined(parts.map(({ places }) => places)),
    angles: joined(parts.map(({ angles }) => angles)),
  };
}
