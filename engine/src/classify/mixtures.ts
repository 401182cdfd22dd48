import { embeddedBytes } from '../kernels/embedded.ts';
import { patches as base64 } from './patches.generated.ts';
import { COLOUR_DIMENSIONS, SHAPE_DIMENSIONS } from './patches.ts';

const PROJECTED_AXES = 24;

/** What vectors are pooled over: axes, of which those from `even` on change sign in the mirror, and a mixture on them. */
export interface Mixture {
  readonly size: number;
  readonly dims: number;
  readonly even: number;
  readonly count: number;
  /** dims × size */
  readonly axes: Float32Array;
  /** dims */
  readonly mean: Float32Array;
  /** For each component the factors of the places and of their squares, dims each, and the constant. */
  readonly likelihood: Float32Array;
}

/** A mixture with the share that each of its components has of all patches. */
export interface Trained extends Mixture {
  readonly shares: Float32Array;
}

/** What patches are pooled over; `training/README.md` names the pictures it was learnt from. */
export interface Mixtures {
  readonly shapes: Trained;
  readonly colours: Trained;
}

/** Components of either mixture. */
export const MIXTURE_COMPONENTS = { shapes: 64, colours: 32 } as const;
/** Numbers that patches pooled over a mixture are: for each component and axis a mean and a spread. */
export const pooledLength = (count: number): number => 2 * count * PROJECTED_AXES;

let read: Mixtures | undefined;

export function mixtures(): Mixtures {
  return (read ??= parse(new Float32Array(embeddedBytes(base64).buffer)));
}

function parse(numbers: Float32Array): Mixtures {
  let at = 0;
  const take = (n: number): Float32Array => numbers.subarray(at, (at += n));
  const mixture = (size: number, count: number): Trained => ({
    size,
    dims: PROJECTED_AXES,
    count,
    even: take(1)[0],
    axes: take(PROJECTED_AXES * size),
    mean: take(PROJECTED_AXES),
    likelihood: take(count * (2 * PROJECTED_AXES + 1)),
    shares: take(count),
  });
  return {
    shapes: mixture(SHAPE_DIMENSIONS, MIXTURE_COMPONENTS.shapes),
    colours: mixture(COLOUR_DIMENSIONS, MIXTURE_COMPONENTS.colours),
  };
}
