import { COLOR_AMOUNT_BYTES, COLOR_LAYOUT_BYTES } from '../dna/similarity.ts';
import { EMBEDDING_GRID_SIDE } from './grid.ts';
import type { Lab } from './oklab.ts';

const HISTOGRAM_BINS = { lightness: 4, chroma: 5 };
const LAYOUT_CELLS_PER_SIDE = 4;
/**
 * The colours of a picture in OKLab: how much there is of each (a soft histogram, square-rooted), and the mean of each
 * of 4 x 4 cells.
 *
 * @param pixels   EMBEDDING_GRID_SIDE x EMBEDDING_GRID_SIDE
 * @param without  1 for each pixel that does not count, 0 for one at least; a cell of none but such has the layout of grey
 */
export function colorEmbedding(pixels: readonly Lab[], without: Uint8Array | null): Uint8Array {
  const amounts = new Float64Array(COLOR_AMOUNT_BYTES);
  const layout = new Float64Array(COLOR_LAYOUT_BYTES);
  const held = new Uint32Array(LAYOUT_CELLS_PER_SIDE * LAYOUT_CELLS_PER_SIDE);
  let total = 0;
  pixels.forEach((lab, i) => {
    if (without?.[i]) return;
    spread(amounts, lab[0] * (HISTOGRAM_BINS.lightness - 1), tint(lab[1]), tint(lab[2]));
    const [x, y] = [i % EMBEDDING_GRID_SIDE, Math.floor(i / EMBEDDING_GRID_SIDE)];
    const cell =
      Math.floor((y * LAYOUT_CELLS_PER_SIDE) / EMBEDDING_GRID_SIDE) * LAYOUT_CELLS_PER_SIDE +
      Math.floor((x * LAYOUT_CELLS_PER_SIDE) / EMBEDDING_GRID_SIDE);
    for (let k = 0; k < 3; k++) layout[3 * cell + k] += lab[k];
    held[cell]++;
    total++;
  });
  const bytes = new Uint8Array(COLOR_AMOUNT_BYTES + COLOR_LAYOUT_BYTES);
  for (let i = 0; i < COLOR_AMOUNT_BYTES; i++) bytes[i] = Math.round(255 * Math.sqrt(Math.min(1, amounts[i] / total)));
  for (let i = 0; i < COLOR_LAYOUT_BYTES; i++) {
    const count = held[Math.floor(i / 3)];
    const mean = count > 0 ? layout[i] / count : i % 3 === 0 ? 0.5 : 0;
    bytes[COLOR_AMOUNT_BYTES + i] = Math.max(0, Math.min(255, Math.round(i % 3 === 0 ? 255 * mean : 128 + 400 * mean)));
  }
  return bytes;
}

/** Place of a or b among the steps of 0.1 from -0.2 to 0.2. */
function tint(value: number): number {
  return Math.max(0, Math.min(HISTOGRAM_BINS.chroma - 1, 10 * value + 2));
}

/** Shares one pixel among the eight nearest bins. */
function spread(amounts: Float64Array, L: number, a: number, b: number): void {
  const at = [L, a, b].map((value, k) =>
    Math.max(0, Math.min((k ? HISTOGRAM_BINS.chroma : HISTOGRAM_BINS.lightness) - 2, Math.floor(value))),
  );
  const part = [L - at[0], a - at[1], b - at[2]].map((value) => Math.max(0, Math.min(1, value)));
  for (let corner = 0; corner < 8; corner++) {
    const step = [corner & 1, (corner >> 1) & 1, corner >> 2];
    const weight = part.reduce((product, p, k) => product * (step[k] ? p : 1 - p), 1);
    amounts[((at[0] + step[0]) * HISTOGRAM_BINS.chroma + at[1] + step[1]) * HISTOGRAM_BINS.chroma + at[2] + step[2]] +=
      weight;
  }
}
