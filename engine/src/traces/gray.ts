import { commonWorkspace } from '../kernels/workspace.ts';

type Rgb = { readonly width: number; readonly height: number; readonly rgb: Uint8Array };

/** Luma in [0, 255], row by row. */
export interface Gray {
  readonly width: number;
  readonly height: number;
  readonly values: Float32Array;
}

/** Rec. 601. @param rgb  three bytes a pixel */
export function grayOf({ width, height, rgb }: Rgb): Gray {
  const space = commonWorkspace();
  const mark = space.mark();
  const pixels = width * height;
  const planes = space.take(12 * pixels);
  space.kernels.channels(space.put(rgb), pixels, planes);
  const values = space.floats(planes, pixels).slice();
  space.release(mark);
  return { width, height, values };
}
