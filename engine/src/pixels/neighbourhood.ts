import { commonWorkspace, type Workspace } from '../kernels/workspace.ts';

/** What a pixel's neighbourhood holds, for whole planes. Squares of (2 * radius + 1) pixels, cut at the border. */

/** The mean. */
export function means(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  return through(values, (kernels, from, to, scratch) => kernels.means(from, width, height, radius, to, scratch));
}

/** The largest value. */
export function largest(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  return through(values, (kernels, from, to, scratch) => kernels.extremes(from, width, height, radius, 1, to, scratch));
}

/** The smallest value. */
export function smallest(values: Float32Array, width: number, height: number, radius: number): Float32Array {
  return through(values, (kernels, from, to, scratch) =>
    kernels.extremes(from, width, height, radius, -1, to, scratch),
  );
}

function through(
  values: Float32Array,
  kernel: (kernels: Workspace['kernels'], from: number, to: number, scratch: number) => void,
): Float32Array {
  const space = commonWorkspace();
  const mark = space.mark();
  const plane = space.put(values);
  kernel(space.kernels, plane, plane, space.take(values.byteLength));
  const out = space.floats(plane, values.length).slice();
  space.release(mark);
  return out;
}
