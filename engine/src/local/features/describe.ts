import { coloursOf } from '../../dna/colours.ts';
import { type Feature, leastFrame, type LocalKind, writeLocalDna } from '../../dna/local.ts';
import { PlainPictureError } from '../../errors.ts';
import { Workspace } from '../../kernels/workspace.ts';
import { expectSide } from '../../pixels/least-side.ts';
import type { Picture } from '../../pixels/picture.ts';
import { localFeatures, type Richness } from './features.ts';
import { vocabulary } from './vocabulary.ts';

/** A picture with fewer features cannot be distinguished from others. */
const MIN_FEATURES = 12;
/** Pictures with a shorter side, in pixels, are refused. */
const MIN_SIDE_PIXELS = 24;

interface Describer {
  readonly workspace: Workspace;
  readonly axes: number;
  readonly mean: number;
  readonly step: number;
}

let describer: Describer | undefined;

/** One workspace serves all descriptions of a thread: it grows to the largest picture and stays. */
function theDescriber(): Describer {
  if (describer) return describer;
  const workspace = new Workspace();
  const { axes, mean, step } = vocabulary();
  return (describer = { workspace, axes: workspace.put(axes), mean: workspace.put(mean), step: workspace.put(step) });
}

/**
 * Pixels to a local DNA.
 * @throws PlainPictureError for pictures that are too small or too plain
 */
export function describeLocally(picture: Picture, kind: LocalKind, richness: Richness): Uint8Array {
  expectSide(picture, MIN_SIDE_PIXELS);
  const { originalWidth, originalHeight } = picture;
  const { workspace, axes, mean, step } = theDescriber();
  const mark = workspace.mark();
  const found = localFeatures(picture, { ...richness, least: leastFrame(kind) }, workspace);
  const out = workspace.take(32 * found.count);
  workspace.kernels.project(found.descriptors, found.count, axes, mean, step, out);
  const codes = workspace.bytes(out, 32 * found.count).slice();
  workspace.release(mark);
  const core = found.core.reduce((sum, flag) => sum + flag, 0);
  if (core < MIN_FEATURES) {
    throw new PlainPictureError(`it shows ${core} distinct points, expected at least ${MIN_FEATURES}`);
  }

  const features = Array.from(found.levels, (level, i): Feature => {
    return {
      core: found.core[i] === 1,
      x: found.places[2 * i],
      y: found.places[2 * i + 1],
      angle: found.angles[i],
      level,
      code: codes.subarray(32 * i, 32 * i + 32),
    };
  });
  const colours = kind.startsWith('mobile') ? coloursOf(picture) : undefined;
  return writeLocalDna(kind, originalWidth, originalHeight, features, { ...found.miniature, colours });
}
