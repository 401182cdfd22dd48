import { kernels as base64 } from './wasm.generated.ts';

/**
 * The functions of `assembly/`, where each is documented. Pointers are byte offsets into the instance's memory, never checked.
 */
export interface Kernels {
  readonly memory: { readonly buffer: ArrayBuffer; grow(pages: number): number };
  memoryBase(): number;
  similarities(block: number, slots: number, n: number, query: number, weight: number, out: number): void;
  vectorSimilarities(
    ...args: [block: number, slots: number, n: number, size: number, query: number, weight: number, out: number]
  ): void;
  mixtures(block: number, slots: number, n: number, query: number, out: number): void;
  measureMixture(entry: number): void;
  luma(rgb: number, n: number, out: number): void;
  channels(rgb: number, n: number, out: number): void;
  means(src: number, w: number, h: number, radius: number, dst: number, scratch: number): void;
  extremes(src: number, w: number, h: number, radius: number, sign: number, dst: number, scratch: number): void;
  unexplained(one: number, other: number, n: number, free: number, share: number, weight: number, out: number): void;
  warp(planes: number, sw: number, sh: number, map: number, w: number, h: number, out: number, inside: number): number;
  resample(src: number, w: number, h: number, dst: number, dw: number, dh: number, scratch: number): void;
  smooth(src: number, w: number, h: number, dst: number, scratch: number): void;
  fourier(re: number, im: number, cosines: number): void;
  convolve(
    src: number,
    w: number,
    h: number,
    taps: number,
    n: number,
    reach: number,
    dst: number,
    scratch: number,
  ): void;
  corners(src: number, w: number, h: number, dst: number, scratch: number): void;
  peaks(response: number, w: number, h: number, margin: number, threshold: number, out: number, most: number): number;
  clearance(points: number, n: number, out: number): void;
  consensus(
    pairs: number,
    angles: number,
    n: number,
    tried: number,
    drift: number,
    cosines: number,
    scratch: number,
    out: number,
  ): number;
  partners(
    map: number,
    keypoints: number,
    signs: number,
    n: number,
    scene: number,
    tables: number,
    quota: number,
    out: number,
  ): number;
  commonGrid(
    map: number,
    grid: number,
    w: number,
    h: number,
    other: number,
    ow: number,
    oh: number,
    samples: number,
    rim: number,
    out: number,
  ): number;
  correlations(
    planes: number,
    w: number,
    h: number,
    radius: number,
    share: number,
    rounding: number,
    least: number,
    table: number,
    out: number,
    agreeing: number,
  ): void;
  tone(planes: number, n: number, inverted: number, table: number, out: number): void;
  agreement(
    planes: number,
    w: number,
    h: number,
    correlation: number,
    tone: number,
    scratch: number,
    out: number,
  ): void;
  orientations(
    src: number,
    w: number,
    h: number,
    points: number,
    n: number,
    radius: number,
    out: number,
    second: number,
  ): number;
  describe(src: number, w: number, h: number, points: number, n: number, spacing: number, out: number): void;
  project(descriptors: number, n: number, axes: number, mean: number, step: number, out: number): void;
  products(rows: number, n: number, pitch: number, length: number, out: number): void;
  pool(
    vectors: number,
    n: number,
    size: number,
    axes: number,
    mean: number,
    even: number,
    dims: number,
    mixture: number,
    count: number,
    sums: number,
  ): void;
  unpack(codes: number, n: number, step: number, out: number): void;
  words(vectors: number, n: number, centroids: number, norms: number, medians: number, most: number, out: number): void;
  wordsBothWays(
    vectors: number,
    mirrored: number,
    n: number,
    centroids: number,
    norms: number,
    medians: number,
    odd: number,
    most: number,
    out: number,
    mirroredOut: number,
  ): void;
  terms(
    vectors: number,
    n: number,
    entries: number,
    medians: number,
    bits: number,
    nearness: number,
    most: number,
    out: number,
  ): void;
  chain(words: number, n: number, pitch: number, table: number): void;
  unchain(words: number, n: number, pitch: number, table: number): void;
  hits(
    entries: number,
    count: number,
    signatures: number,
    table: number,
    reach: number,
    most: number,
    out: number,
  ): number;
  votesOf(query: number, records: number, head: number, features: number, count: number, out: number): void;
  allocate(bytes: number): number;
  openLists(count: number): void;
  usedBytes(): number;
  insert(slot: number, features: number, n: number): void;
  settle(postingsAndLists: number): number;
  spare(bytes: number): number;
  sweep(dead: number, slots: number, postingsAndLists: number): number;
  vote(
    entries: number,
    from: number,
    to: number,
    nearness: number,
    given: number,
    slots: number,
    count: number,
  ): number;
  keepMost(given: number, slots: number, count: number, best: number, every: number, known: number): number;
  scores(slots: number, count: number, votes: number, norms: number, scores: number, bins: number): void;
  select(slots: number, count: number, scores: number, bins: number, limit: number, least: number, out: number): number;
  freeze(postingsAndLists: number): number;
  thaw(): void;
  tableAt(): number;
  baseAt(): number;
  bufferAt(): number;
  settledPostings(): number;
  bufferedPostings(): number;
  restore(basePostings: number, bufferPostings: number): void;
  accept(from: number, slots: number, postingsAndLists: number): number;
  openMain(count: number): void;
  usedByMain(): number;
  spareInMain(bytes: number): number;
  mainTableAt(): number;
  arrivingTableAt(): number;
  mainAt(): number;
  mainBytes(): number;
  expect(): void;
  arrive(first: number, last: number, from: number, slots: number): void;
  beginMerging(): void;
  merge(postingsAndLists: number): number;
  sweepMain(dead: number, slots: number, postingsAndLists: number): number;
  layMain(bytes: number): number;
  acceptMain(from: number, slots: number, postingsAndLists: number): number;
  voteInMain(
    entries: number,
    from: number,
    to: number,
    nearness: number,
    given: number,
    slots: number,
    count: number,
  ): number;
}

let compiled: WebAssembly.Module | undefined;

/** A new instance with a memory of its own. The code is compiled once. */
export function loadKernels(): Kernels {
  compiled ??= new WebAssembly.Module(Uint8Array.from(atob(base64), (c) => c.charCodeAt(0)));
  return new WebAssembly.Instance(compiled).exports as unknown as Kernels;
}
