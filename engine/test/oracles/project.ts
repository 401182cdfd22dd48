/** What descriptors are projected with: 64 axes of 128 numbers, and for each what is taken off and how wide a level is. */
export interface Axes {
  readonly axes: Float32Array;
  readonly mean: Float32Array;
  readonly step: Float32Array;
}

/** The place of a descriptor on each axis, in levels; level 8 begins at the mean. */
export function projected(descriptor: Float32Array, { axes, mean, step }: Axes): number[] {
  return Array.from(mean, (centre, axis) => {
    let dot = 0;
    for (let k = 0; k < 128; k++) dot += descriptor[k] * axes[128 * axis + k];
    return (dot - centre) / step[axis] + 8;
  });
}

/** Twin of assembly/project.ts, for one descriptor. */
export function project(descriptor: Float32Array, axes: Axes): Uint8Array {
  const levels = projected(descriptor, axes).map((place) => Math.min(15, Math.max(0, Math.floor(place))));
  return Uint8Array.from({ length: 32 }, (_, j) => levels[2 * j] | (levels[2 * j + 1] << 4));
}
