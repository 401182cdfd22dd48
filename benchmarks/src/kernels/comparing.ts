import type { Picture } from '@sosia/engine';
import * as taking from '@sosia/engine/oracles/channels';
import * as reaching from '@sosia/engine/oracles/extremes';
import * as laying from '@sosia/engine/oracles/lay';
import * as averaging from '@sosia/engine/oracles/means';
import * as multiplying from '@sosia/engine/oracles/products';
import * as explaining from '@sosia/engine/oracles/unexplained';
import { Workspace } from '@sosia/engine/kernels/workspace';
import type { Case } from './cases.ts';

/** Looks that are multiplied with each other, and bytes of each. */
const [ROWS, LENGTH] = [64, 11_008];
/** A turn by about a degree. */
const MAP = [0.9998, -0.0175, 4, 0.0175, 0.9998, -3, 0, 0, 1] as const;

/** The kernels of FineComparison on two equal pictures, and the one that profiles are trained by. */
export function comparing({ width, height, rgb }: Picture): Case[] {
  const workspace = new Workspace();
  const { kernels } = workspace;
  const pixels = width * height;
  const work = `${width} x ${height} px`;
  const colours = workspace.put(rgb);
  const planes = workspace.take(12 * pixels);
  const [out, scratch] = [workspace.take(12 * pixels), workspace.take(4 * pixels)];
  const inside = workspace.take(pixels);
  const map = workspace.put(new Uint8Array(Float64Array.from(MAP).buffer));
  kernels.channels(colours, pixels, planes);
  const luma = { width, height, values: workspace.floats(planes, pixels).slice() };
  const rows = Array.from({ length: ROWS }, (_, i) =>
    Uint8Array.from({ length: LENGTH }, (_, k) => rgb[(i * 977 + k) % rgb.length]!),
  );
  const looks = workspace.take(ROWS * LENGTH);
  rows.forEach((row, i) => workspace.bytes(looks + i * LENGTH, LENGTH).set(row));
  const sums = workspace.take(4 * ROWS * ROWS);
  const rangeAt = (i: number) => ({ value: rgb[i]!, top: rgb[i + pixels]!, bottom: rgb[i + 2 * pixels]! });
  const told = new Float64Array(pixels); // what nobody keeps is not calculated
  const each = (pixel: (i: number) => number): void => {
    for (let i = 0; i < pixels; i++) told[i] = pixel(i);
  };
  return [
    {
      name: 'channels',
      work,
      wasm: () => kernels.channels(colours, pixels, planes),
      twin: () => each((i) => Math.max(...taking.channels(rgb[3 * i]!, rgb[3 * i + 1]!, rgb[3 * i + 2]!))),
    },
    {
      name: 'lay',
      work: `${work}, three planes`,
      wasm: () => kernels.lay(planes, width, height, map, width, height, out, inside),
      twin: () =>
        [0, 1, 2].forEach(() => each((i) => laying.lay(luma, [...MAP], i % width, Math.floor(i / width)) ?? 0)),
    },
    {
      name: 'means',
      work: `${work}, squares of 5`,
      wasm: () => kernels.means(planes, width, height, 2, out, scratch),
      twin: () => averaging.means(luma, 2),
    },
    {
      name: 'extremes',
      work: `${work}, squares of 3`,
      wasm: () => kernels.extremes(planes, width, height, 1, 1, out, scratch),
      twin: () => reaching.extremes(luma, 1, 1),
    },
    {
      name: 'unexplained',
      work,
      wasm: () => kernels.unexplained(planes, planes, pixels & ~3, 5, 0.2, 1, out),
      twin: () => each((i) => explaining.unexplained(rangeAt(i), rangeAt(pixels - i - 1), 5, 0.2, 1)),
    },
    {
      name: 'products',
      work: `${ROWS} looks`,
      wasm: () => kernels.products(looks, ROWS, LENGTH, LENGTH, sums),
      twin: () => multiplying.products(rows),
    },
  ];
}
