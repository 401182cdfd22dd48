import { packMiniature } from '../src/dna/miniature.ts';
import { stream } from './planted.ts';

/** The luma at a place of a frame. */
export type Scene = (x: number, y: number) => number;

export const frame = { width: 480, height: 360 };
const grid = { width: 48, height: 36 };

/** Waves of several lengths and directions, different for each seed. */
export function waves(seed: number): Scene {
  const random = stream(seed);
  const waves = Array.from({ length: 12 }, () => [random() - 0.5, random() - 0.5, 6 * random()]);
  return (x, y) => waves.reduce((sum, [a, b, c]) => sum + Math.sin(0.12 * (a * x + b * y) + c), 0);
}

/** A picture of the size of the frame with its miniature. */
export function sideOf(luma: Scene) {
  const cell = 10;
  const plane = Array.from({ length: grid.width * grid.height }, (_, i) =>
    luma(cell * ((i % grid.width) + 0.5), cell * (Math.floor(i / grid.width) + 0.5)),
  );
  return { ...frame, miniature: packMiniature(grid, Float32Array.from(plane)) };
}
