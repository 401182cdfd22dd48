import { joined } from '../../memory/joined.ts';
import { ANGLE_OFFSET, KEYPOINT_BYTES, type LocalDna } from '../../dna/local.ts';
import { Workspace } from '../../kernels/workspace.ts';
import { vocabulary } from './vocabulary.ts';

const DESCRIPTOR_AXES = 64;
const DESCRIPTOR_LENGTH = 128;

/** A picture with the features it would have with inverted colours besides its own. */
export function withInverted(dna: LocalDna): LocalDna {
  const { codes, keypoints, count } = dna;
  const opposite = keypoints.map((byte, i) => (i % KEYPOINT_BYTES === ANGLE_OFFSET ? byte + 128 : byte));
  return {
    ...dna,
    count: 2 * count,
    codes: joined([codes, invertedCodes(codes, count)]),
    keypoints: joined([keypoints, opposite]),
  };
}

interface InversionMap {
  readonly workspace: Workspace;
  readonly axes: number;
  readonly mean: number;
  readonly step: number;
}

let inversionMap: InversionMap | undefined;

/**
 * The codes of the same features were the colours inverted: every gradient points the other way, and so does the
 * feature, whose cells are therefore counted from the opposite corner while its directions stay as they are. Computed from
 * the codes alone, as far as 64 axes hold it.
 */
export function invertedCodes(codes: Uint8Array, count: number): Uint8Array {
  const { workspace, axes, mean, step } = (inversionMap ??= prepared());
  const mark = workspace.mark();
  const [from, out] = [workspace.take(4 * DESCRIPTOR_LENGTH * count), workspace.take(32 * count)];
  const vectors = workspace.floats(from, DESCRIPTOR_LENGTH * count);
  const width = vocabulary().step;
  for (let i = 0; i < count; i++) {
    for (let j = 0; j < 32; j++) {
      const byte = codes[32 * i + j];
      vectors[DESCRIPTOR_LENGTH * i + 2 * j] = ((byte & 15) - 7.5) * width[2 * j];
      vectors[DESCRIPTOR_LENGTH * i + 2 * j + 1] = ((byte >> 4) - 7.5) * width[2 * j + 1];
    }
  }
  workspace.kernels.project(from, count, axes, mean, step, out);
  const inverted = workspace.bytes(out, 32 * count).slice();
  workspace.release(mark);
  return inverted;
}

/** The inversion as a map from the 64 axes to themselves, each row filled up to the length that projections have. */
function prepared(): InversionMap {
  const { axes, mean, step } = vocabulary();
  const map = new Float32Array(DESCRIPTOR_AXES * DESCRIPTOR_LENGTH);
  const shift = mean.slice();
  for (let a = 0; a < DESCRIPTOR_AXES; a++) {
    for (let b = 0; b < DESCRIPTOR_AXES; b++) {
      let sum = 0;
      for (let d = 0; d < DESCRIPTOR_LENGTH; d++)
        sum += axes[DESCRIPTOR_LENGTH * a + opposite(d)] * axes[DESCRIPTOR_LENGTH * b + d];
      map[DESCRIPTOR_LENGTH * a + b] = sum;
      shift[a] -= sum * mean[b];
    }
  }
  const workspace = new Workspace();
  return { workspace, axes: workspace.put(map), mean: workspace.put(shift), step: workspace.put(step) };
}

/** The place of a descriptor's entry, [row][column][direction], seen from the opposite corner. */
function opposite(entry: number): number {
  return (15 - (entry >> 3)) * 8 + (entry & 7);
}
