import { AMOUNTS, LAYOUT } from '../dna/similarity.ts';
import { SIDE } from './grid.ts';
import type { Lab } from './oklab.ts';

const [LIGHTS, TINTS] = [4, 5];
const CELLS = 4;
/**
 * The colours of a picture in OKLab: how much there is of each (a soft histogram, square-rooted), and the mean of each
 * of 4 x 4 cells.
 *
 * @param pixels   SIDE x SIDE
 * @param without  1 for each pixel that does not count, 0 for one at least; a cell of none but such has the layout of grey
 */
export function colorEmbedding(pixels: readonly Lab[], without: Uint8Array | null): Uint8Array {
  const amounts = new Float64Array(AMOUNTS);
  const layout = new Float64Array(LAYOUT);
  const held = new Uint32Array(CELLS * CELLS);
  let total = 0;
  pixels.forEach((lab, i) => {
    if (without?.[i]) return;
    spread(amounts, lab[0] * (LIGHTS - 1), tint(lab[1]), tint(lab[2]));
    const [x, y] = [i % SIDE, Math.floor(i / SIDE)];
    const cell = Math.floor((y * CELLS) / SIDE) * CELLS + Math.floor((x * CELLS) / SIDE);
    for (let k = 0; k < 3; k++) layout[3 * cell + k] += lab[k];
    held[cell]++;
    total++;
  });
  const bytes = new Uint8Array(AMOUNTS + LAYOUT);
  for (let i = 0; i < AMOUNTS; i++) bytes[i] = Math.round(255 * Math.sqrt(Math.min(1, amounts[i] / total)));
  for (let i = 0; i < LAYOUT; i++) {
    const count = held[Math.floor(i / 3)];
    const mean = count > 0 ? layout[i] / count : i % 3 === 0 ? 0.5 : 0;
    bytes[AMOUNTS + i] = Math.max(0, Math.min(255, Math.round(i % 3 === 0 ? 255 * mean : 128 + 400 * mean)));
  }
  return bytes;
}

/** Place of a or b among the steps of 0.1 from -0.2 to 0.2. */
function tint(value: number): number {
  return Math.max(0, Math.min(TINTS - 1, 10 * value + 2));
}

/** Shares one pixel among the eight nearest bins. */
function spread(amounts: Float64Array, L: number, a: number, b: number): void {
  const at = [L, a, b].map((value, k) => Math.max(0, Math.min((k ? TINTS : LIGHTS) - 2, Math.floor(value))));
  const part = [L - at[0], a - at[1], b - at[2]].map((value) => Math.max(0, Math.min(1, value)));
  for (let corner = 0; corner < 8; corner++) {
    const step = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const weight = part.reduce((product, p, k) => product * (step[k] ? p : 1 - p), 1);
    amounts[((at[0] + step[0]) * TINTS + at[1] + step[1]) * TINTS + at[2] + step[2]] += weight;
  }
}
