import { distance, type Lab, oklab } from './oklab.ts';

/** Two colours nearer than this, in OKLab, are one in a palette of many pictures, and when one is looked for. */
const SAME = 0.08;

/** A colour of many pictures. */
export interface Prevalent {
  /** 0xrrggbb */
  readonly rgb: number;
  /** How many of the pictures contain it, or one that is nearly the same. */
  readonly images: number;
}

/** Only the pictures that contain all of these colours. Pictures as `Partition.palettes` gives them. */
export function having(palettes: Uint32Array, colors: readonly number[]): Uint32Array {
  const wanted = colors.map(labOf);
  const kept = pictures(palettes).filter((codes) => {
    const held = Array.from(codes, (code) => labOf(code >>> 8));
    return wanted.every((lab) => held.some((other) => distance(lab, other) < SAME));
  });
  return Uint32Array.from(kept.flatMap((codes) => [...codes, 0]));
}

/**
 * The colours that most pictures contain, those of most pictures first. Colours are counted in 4096 cells; the cells that
 * fill most, and are not nearly the same as one before, give the colours; every other cell counts for the nearest.
 */
export function prevalent(palettes: Uint32Array): Prevalent[] {
  const cells = filled(palettes);
  const chosen: { lab: Lab; rgb: number }[] = [];
  const colorOf = new Int32Array(4096);
  for (const { cell, rgb } of cells) {
    const lab = labOf(rgb);
    let best = -1;
    chosen.forEach((other, k) => {
      const d = distance(lab, other.lab);
      if (d < SAME && (best < 0 || d < distance(lab, chosen[best].lab))) best = k;
    });
    colorOf[cell] = best < 0 ? chosen.push({ lab, rgb }) - 1 : best;
  }
  const images = new Uint32Array(chosen.length);
  for (const codes of pictures(palettes)) {
    for (const color of new Set(Array.from(codes, (code) => colorOf[cellOf(code)]))) images[color]++;
  }
  return chosen.map(({ rgb }, k) => ({ rgb, images: images[k] })).sort((a, b) => b.images - a.images || a.rgb - b.rgb);
}

/** The cells that hold colours, those that fill most first, each with the mean of its colours. */
function filled(palettes: Uint32Array): { cell: number; rgb: number }[] {
  const sums = Array.from({ length: 4 }, () => new Float64Array(4096));
  for (const code of palettes) {
    const share = code & 255;
    const parts = [code >>> 24, (code >>> 16) & 255, (code >>> 8) & 255, 1];
    parts.forEach((part, k) => (sums[k][cellOf(code)] += share * part));
  }
  return Array.from(sums[3], (total, cell) => ({ cell, total }))
    .filter(({ total }) => total > 0)
    .sort((a, b) => b.total - a.total || a.cell - b.cell)
    .map(({ cell, total }) => {
      const [red, green, blue] = sums.map((sum) => Math.round(sum[cell] / total));
      return { cell, rgb: (red << 16) | (green << 8) | blue };
    });
}

/** Four bits of each channel. */
function cellOf(code: number): number {
  return ((code >>> 20) & 0xf00) | ((code >>> 16) & 0xf0) | ((code >>> 12) & 0xf);
}

function pictures(palettes: Uint32Array): Uint32Array[] {
  const found: Uint32Array[] = [];
  let start = 0;
  palettes.forEach((code, i) => {
    if (code !== 0) return;
    found.push(palettes.subarray(start, i));
    start = i + 1;
  });
  return found;
}

function labOf(rgb: number): Lab {
  return oklab(rgb >> 16, (rgb >> 8) & 255, rgb & 255);
}
