import { background } from '../color/background.ts';
import { sampled } from '../color/grid.ts';
import { oklab } from '../color/oklab.ts';
import { PaletteList } from '../color/palette-list.ts';
import { palette } from '../color/palette.ts';
import { emptyFill, type Fill, type Grouping, Holders } from '../color/prevalent.ts';
import { isColorsQuery, openPalette, writePalette } from '../dna/palette.ts';
import { PlainPictureError } from '../errors.ts';
import type { Area } from '../memory/areas.ts';
import { type Scan, ScanPartition } from '../partition/scan-partition.ts';
import type { Selection } from '../partition/selection.ts';
import type { Picture } from '../pixels/picture.ts';
import type { Steps } from '../steps.ts';
import { type DescribeOptions, type Side, type TypeDefinition, usualTraits } from './type-definition.ts';

/** Pictures whose colours are counted in one step. */
const SLOTS_PER_STEP = 4096;

/** Pictures of the same colours, in the same shares. */
export const colorSimilarity: TypeDefinition = {
  traits: { ...usualTraits, title: 'Color similarity', colors: true },
  workingSize: 256,
  exhaustive: true,
  describe(picture: Picture, _side: Side, { ignoreBackground = false }: DescribeOptions = {}) {
    const pixels = sampled(picture);
    const colors = palette(ignoreBackground ? foreground(pixels) : pixels);
    if (colors.length === 0) throw new PlainPictureError('no colour fills one per cent of it');
    return writePalette('palette', colors);
  },
  checkDna: (dna, side) => void openPalette(dna, side === 'query'),
  createPartition: () => new PalettePartition(),
  colors: {
    of: (dna) => openPalette(dna, true),
    asQuery: (colors) => writePalette('colors-query', colors),
  },
};

/** The pixels before a plain background; all where there is none. */
function foreground(pixels: Uint8Array): Uint8Array {
  const labs = Array.from({ length: pixels.length / 3 }, (_, i) =>
    oklab(pixels[3 * i], pixels[3 * i + 1], pixels[3 * i + 2]),
  );
  const mask = background(labs);
  return mask ? pixels.filter((_, i) => mask[Math.floor(i / 3)] === 0) : pixels;
}

class PaletteScan implements Scan {
  readonly list = new PaletteList();

  get bytes(): number {
    return this.list.bytes;
  }

  put(slot: number, dna: Uint8Array): void {
    this.list.put(slot, openPalette(dna, false));
  }

  scores(query: Uint8Array, slots: Uint32Array): Float64Array {
    const colors = openPalette(query, true);
    return isColorsQuery(query) ? this.list.missing(colors, slots) : this.list.apart(colors, slots);
  }

  areas(slots: number): Area[] {
    return [this.list.area(slots)];
  }

  /** The interface gives no structure for this type. */
  infoOf(): null {
    return null;
  }
}

class PalettePartition extends ScanPartition<PaletteScan> {
  constructor() {
    super(new PaletteScan());
  }

  *fill(only: Selection | null, colors: readonly number[]): Steps<Fill> {
    const fill = emptyFill();
    for (const slots of this.#having(only, colors)) {
      this.scan.list.addFill(slots, fill);
      yield;
    }
    return fill;
  }

  *holders(only: Selection | null, colors: readonly number[], grouping: Grouping): Steps<Uint32Array> {
    const holders = new Holders(grouping);
    for (const slots of this.#having(only, colors)) {
      this.scan.list.countHolders(slots, holders);
      yield;
    }
    return holders.counts;
  }

  /** All pictures that contain the given colours, `SLOTS_PER_STEP` at a time. */
  *#having(only: Selection | null, colors: readonly number[]): Iterable<Uint32Array> {
    const slots = this.among(only);
    for (let from = 0; from < slots.length; from += SLOTS_PER_STEP) {
      yield this.scan.list.having(slots.subarray(from, from + SLOTS_PER_STEP), colors);
    }
  }
}
