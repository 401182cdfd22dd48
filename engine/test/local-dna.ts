import fc from 'fast-check';
import { colourGrid } from '../src/dna/colours.ts';
import { type Feature, keypointsOf, type LocalDna, type LocalKind, writeLocalDna } from '../src/dna/local.ts';
import { type Miniature, miniatureBytes, miniatureSize } from '../src/dna/miniature.ts';
import { frameSize, type Size } from '../src/geometry/frame.ts';

/** What a block is written from. */
export interface Content {
  readonly kind: LocalKind;
  readonly width: number;
  readonly height: number;
  readonly features: readonly Feature[];
  readonly miniature: Miniature;
}

/** Contents of blocks: at least one feature of the core; the rest only in queries, and only there on finer levels. */
export function contents(kinds: readonly LocalKind[], most = 40): fc.Arbitrary<Content> {
  const side = fc.integer({ min: 24, max: 3000 });
  return fc.tuple(fc.constantFrom(...kinds), side, side).chain(([kind, width, height]) => {
    const frame = frameSize(width, height);
    const query = kind.endsWith('query');
    const feature = (core: fc.Arbitrary<boolean>): fc.Arbitrary<Feature> =>
      fc
        .record({
          core,
          x: fc.nat(64 * frame.width).map((x) => x / 64),
          y: fc.nat(64 * frame.height).map((y) => y / 64),
          angle: fc.nat(255),
          level: fc.integer({ min: -3, max: 12 }),
          code: fc.uint8Array({ minLength: 32, maxLength: 32 }),
        })
        .map((feature) => (feature.core ? { ...feature, level: Math.max(0, feature.level) } : feature));
    const rest = fc.array(feature(query ? fc.boolean() : fc.constant(true)), { maxLength: most - 1, size: 'max' });
    return fc
      .tuple(feature(fc.constant(true)), rest, miniatures({ width, height }))
      .map(([first, more, miniature]) => ({ kind, width, height, features: [first, ...more], miniature }));
  });
}

/** The miniature of a picture of one colour. */
export function blankMiniature(picture: Size): Miniature {
  const size = miniatureSize(picture);
  return { ...size, packed: new Uint8Array(miniatureBytes(size)) };
}

/** Miniatures of pictures of a size, two cells repeated; some with colours. */
export function miniatures(picture: Size): fc.Arbitrary<Miniature> {
  const size = miniatureSize(picture);
  const grid = colourGrid(picture);
  return fc.tuple(fc.nat(255), fc.option(fc.nat(255), { nil: undefined })).map(([pair, colour]) => ({
    ...size,
    packed: new Uint8Array(miniatureBytes(size)).fill(pair),
    ...(colour !== undefined && {
      colours: { ...grid, packed: new Uint8Array(grid.width * grid.height).fill(colour) },
    }),
  }));
}

/** The features of a block. */
export function featuresOf(dna: LocalDna): Feature[] {
  const { x, y, angle, level } = keypointsOf(dna);
  return Array.from(x, (px, i) => {
    const code = dna.codes.subarray(32 * i, 32 * i + 32);
    return { core: i < dna.core, x: px, y: y[i], angle: angle[i], level: level[i], code };
  });
}

/** The reference of the same picture, for a query with its core features alone. */
export function coreOf(dna: LocalDna): Uint8Array {
  const kind = dna.kind.replace('query', 'reference') as LocalKind;
  const core = featuresOf(dna).filter((feature) => feature.core);
  return writeLocalDna(kind, dna.originalWidth, dna.originalHeight, core, dna.miniature);
}
