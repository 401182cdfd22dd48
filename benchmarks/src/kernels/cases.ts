import type { Picture } from '@sosia/engine';
import { Workspace } from '@sosia/engine/kernels/workspace';
import { vocabulary } from '@sosia/engine/local/features/vocabulary';

/** Kernels, each with the work that it does for one picture. */
export type Cases = Readonly<Record<string, () => unknown>>;

const MOST_FEATURES = 2000;
const MOST_PEAKS = 20_000;
const WORDS = 4;

/** In the order of a description, each fed with the results of those before. */
export function describing({ width, height, rgb }: Picture): Cases {
  const workspace = new Workspace();
  const { kernels } = workspace;
  const pixels = width * height;
  const [plane, smooth, response] = [0, 1, 2].map(() => workspace.take(4 * pixels)) as [number, number, number];
  const scratch = workspace.take(32 * pixels);
  const colours = workspace.put(rgb);
  const luma = () => kernels.luma(colours, pixels, plane);
  luma();

  const size = [Math.round(width / 1.26), Math.round(height / 1.26)] as const;
  const coarse = workspace.take(4 * size[0] * size[1]);
  const smoothing = () => kernels.smooth(plane, width, height, smooth, scratch);
  smoothing();
  const corners = () => kernels.corners(smooth, width, height, response, scratch);
  corners();
  const found = workspace.take(12 * MOST_PEAKS);
  const peaks = () => kernels.peaks(response, width, height, 5, 3, found, MOST_PEAKS);

  const all = workspace.floats(found, 3 * peaks()).slice();
  const points = Array.from({ length: all.length / 3 }, (_, i) => all.subarray(3 * i, 3 * i + 3));
  const strongest = points.sort((a, b) => b[2]! - a[2]!).slice(0, MOST_FEATURES);
  const count = strongest.length;
  const places = workspace.put(Float32Array.from(strongest.flatMap((point) => [...point])));
  const clear = workspace.take(4 * count);
  const oriented = workspace.take(32 * count);
  const orientations = () => kernels.orientations(smooth, width, height, places, count, 2 * count, 8, oriented, 0.85);
  orientations();
  const described = workspace.take(512 * count);
  const describe = () => kernels.describe(smooth, width, height, oriented, count, 1.25, described);
  describe();

  const { axes, mean, step, centroids, norms, medians } = vocabulary();
  const [axesAt, meanAt, stepAt] = [axes, mean, step].map((numbers) => workspace.put(numbers)) as [
    number,
    number,
    number,
  ];
  const coded = workspace.take(32 * count);
  const project = () => kernels.project(described, count, axesAt, meanAt, stepAt, coded);
  project();
  const unpacked = workspace.take(256 * count);
  const unpack = () => kernels.unpack(coded, count, stepAt, unpacked);
  unpack();
  const books = [centroids, norms, medians].map((book) => workspace.put(book)) as [number, number, number];
  const entries = workspace.take(16 * WORDS * count);
  return {
    luma,
    resample: () => kernels.resample(plane, width, height, coarse, ...size, scratch),
    smooth: smoothing,
    corners,
    peaks,
    clearance: () => kernels.clearance(places, count, clear),
    orientations,
    describe,
    project,
    unpack,
    words: () => kernels.words(unpacked, count, ...books, WORDS, entries),
  };
}

/** The kernels of FineComparison on two equal pictures, one of them rotated by about a degree. */
export function comparing({ width, height, rgb }: Picture): Cases {
  const workspace = new Workspace();
  const { kernels } = workspace;
  const pixels = width * height;
  const colours = workspace.put(rgb);
  const [planes, out] = [workspace.take(12 * pixels), workspace.take(12 * pixels)];
  const [scratch, inside] = [workspace.take(8 * (pixels + 3)), workspace.take(pixels)];
  const cell = Math.max(2, Math.floor(Math.sqrt(pixels / 9000)));
  const records = workspace.take(112 * Math.ceil(width / cell) * Math.ceil(height / cell));
  const laws = workspace.put(Float64Array.of(0, 255, ...Array<number>(19).fill(1)));
  const rotation = Float64Array.of(0.9998, -0.0175, 4, 0.0175, 0.9998, -3, 0, 0, 1);
  const map = workspace.put(new Uint8Array(rotation.buffer));
  const channels = () => kernels.channels(colours, pixels, planes);
  channels();
  return {
    channels,
    warp: () => kernels.warp(planes, width, height, map, width, height, out, inside),
    level: () => {
      workspace.floats(out, pixels).set(workspace.floats(planes, pixels));
      kernels.level(out, width, height, 7, 6, scratch);
    },
    steepest: () => kernels.steepest(planes, width, height, cell, records),
    likeness: () => kernels.likeness(planes, width, height, planes, width, height, map, scratch),
    relight: () => kernels.relight(planes, width, height, laws, out),
    means: () => kernels.means(planes, width, height, 2, out, scratch),
    extremes: () => kernels.extremes(planes, width, height, 1, 1, out, scratch),
    unexplained: () => kernels.unexplained(planes, planes, pixels & ~3, 5, 0.2, 1, out),
  };
}

/** The products of 64 embeddings, by which profiles are trained. */
export function training({ rgb }: Picture): Cases {
  const [rows, length] = [64, 11_008];
  const workspace = new Workspace();
  const embeddings = workspace.take(rows * length);
  workspace
    .bytes(embeddings, rows * length)
    .set(Uint8Array.from({ length: rows * length }, (_, i) => rgb[i % rgb.length]!));
  const sums = workspace.take(4 * rows * rows);
  return { products: () => workspace.kernels.products(embeddings, rows, length, length, sums) };
}
