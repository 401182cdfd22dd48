import type { Picture } from '@sosia/engine';
import * as clearances from '@sosia/engine/oracles/clearance';
import * as cornering from '@sosia/engine/oracles/corners';
import * as describing from '@sosia/engine/oracles/descriptor';
import * as lumas from '@sosia/engine/oracles/luma';
import * as orienting from '@sosia/engine/oracles/orientations';
import * as peaking from '@sosia/engine/oracles/peaks';
import type { Point } from '@sosia/engine/oracles/peaks';
import * as projecting from '@sosia/engine/oracles/project';
import * as resampling from '@sosia/engine/oracles/resample';
import * as smoothing from '@sosia/engine/oracles/smooth';
import * as wording from '@sosia/engine/oracles/words';
import { Workspace } from '@sosia/engine/kernels/workspace';
import { vocabulary } from '@sosia/engine/vocabulary';
import { comparing } from './comparing.ts';
import { looking } from './looking.ts';

/** One kernel on the work that it does for one picture. */
export interface Case {
  readonly name: string;
  readonly work: string;
  wasm(): void;
  /** The same in plain TypeScript. */
  twin(): void;
}

const MOST = 2000;
const RADIUS = 8;
const SPACING = 1.25;

/** Every kernel in the order of a description, each fed with what the one before it made of the picture. */
export function casesOf({ width, height, rgb }: Picture): Case[] {
  const workspace = new Workspace();
  const { kernels } = workspace;
  const pixels = width * height;
  const plane = workspace.take(4 * pixels);
  const smooth = workspace.take(4 * pixels);
  const response = workspace.take(4 * pixels);
  const scratch = workspace.take(32 * pixels);
  const found = workspace.take(12 * 20_000);
  const wholePicture = `${width} x ${height} px`;
  const planeAt = (at: number) => ({ width, height, values: workspace.floats(at, pixels).slice() });

  const colours = workspace.put(rgb);
  const luma = () => kernels.luma(colours, pixels, plane);
  luma();
  const grey = planeAt(plane);

  const [coarseWidth, coarseHeight] = [Math.round(width / 1.26), Math.round(height / 1.26)];
  const coarse = workspace.take(4 * coarseWidth * coarseHeight);
  const resample = () => kernels.resample(plane, width, height, coarse, coarseWidth, coarseHeight, scratch);

  const smoothed = () => kernels.smooth(plane, width, height, smooth, scratch);
  smoothed();
  const blurred = planeAt(smooth);
  const corners = () => kernels.corners(smooth, width, height, response, scratch);
  corners();
  const responses = planeAt(response);

  const peaks = () => kernels.peaks(response, width, height, 5, 3, found, 20_000);
  const all = workspace.floats(found, 3 * peaks()).slice();
  const points = Array.from({ length: all.length / 3 }, (_, i): Point => {
    const [x, y, strength] = all.subarray(3 * i);
    return { x: x!, y: y!, response: strength! };
  });
  const strongest = points.sort((a, b) => b.response - a.response).slice(0, MOST);
  const count = strongest.length;
  const places = workspace.put(Float32Array.from(strongest.flatMap(({ x, y, response }) => [x, y, response])));
  const clear = workspace.take(4 * count);
  const clearance = () => kernels.clearance(places, count, clear);

  const oriented = workspace.take(32 * count);
  const orientations = () => kernels.orientations(smooth, width, height, places, count, RADIUS, oriented, 0.85);
  orientations();
  const directed = rowsOf(workspace.floats(oriented, 4 * count).slice(), 4);
  const described = workspace.take(512 * count);
  const describe = () => kernels.describe(smooth, width, height, oriented, count, SPACING, described);
  describe();
  const descriptors = rowsOf(workspace.floats(described, 128 * count).slice(), 128);

  const trained = vocabulary();
  const [axes, mean, step] = [workspace.put(trained.axes), workspace.put(trained.mean), workspace.put(trained.step)];
  const coded = workspace.take(32 * count);
  const project = () => kernels.project(described, count, axes, mean, step, coded);
  project();
  const codes = rowsOf(workspace.bytes(coded, 32 * count).slice(), 32);

  const unpacked = workspace.take(256 * count);
  const unpack = () => kernels.unpack(coded, count, step, unpacked);
  unpack();
  const vectors = rowsOf(workspace.floats(unpacked, 64 * count).slice(), 64);

  const books = [trained.centroids, trained.norms, trained.medians].map((book) => workspace.put(book));
  const entries = workspace.take(16 * 4 * count);
  const words = () => kernels.words(unpacked, count, books[0]!, books[1]!, books[2]!, 4, entries);

  const features = `${count} features`;
  return [
    { name: 'luma', work: wholePicture, wasm: luma, twin: () => lumas.luma(rgb) },
    {
      name: 'resample',
      work: `${wholePicture} to ${coarseWidth} x ${coarseHeight}`,
      wasm: resample,
      twin: () => resampling.resample(grey, coarseWidth, coarseHeight),
    },
    { name: 'smooth', work: wholePicture, wasm: smoothed, twin: () => smoothing.smooth(grey) },
    { name: 'corners', work: wholePicture, wasm: corners, twin: () => cornering.corners(blurred) },
    { name: 'peaks', work: wholePicture, wasm: peaks, twin: () => peaking.peaks(responses, 5, 3, 20_000) },
    { name: 'clearance', work: features, wasm: clearance, twin: () => clearances.clearance(strongest) },
    {
      name: 'orientations',
      work: features,
      wasm: orientations,
      twin: () => strongest.forEach(({ x, y }) => orienting.orientations(blurred, x, y, RADIUS, 0.85)),
    },
    {
      name: 'describe',
      work: features,
      wasm: describe,
      twin: () => directed.forEach(([x, y, turn]) => describing.describe(blurred, x!, y!, turn!, SPACING)),
    },
    {
      name: 'project',
      work: features,
      wasm: project,
      twin: () => descriptors.forEach((descriptor) => projecting.project(descriptor, trained)),
    },
    {
      name: 'unpack',
      work: features,
      wasm: unpack,
      twin: () => codes.forEach((code) => wording.unpack(code, trained.step)),
    },
    {
      name: 'words',
      work: `${features}, 4 words each`,
      wasm: words,
      twin: () => vectors.forEach((vector) => wording.words(vector, trained, 4)),
    },
    looking(vectors.slice(0, 300), trained),
    ...comparing({ width, height, rgb, originalWidth: width, originalHeight: height }),
  ];
}

function rowsOf<T extends Float32Array | Uint8Array>(numbers: T, length: number): T[] {
  return Array.from({ length: numbers.length / length }, (_, i) => numbers.subarray(i * length, (i + 1) * length) as T);
}
