import { openPalette, writePalette } from '../dna/palette.ts';
import { sampled } from '../features/grid.ts';
import { palette } from '../features/palette.ts';
import { PaletteList } from '../index/palette-list.ts';
import type { Picture } from '../pixels/picture.ts';
import { amountsOf, colorDistance } from '../verify/color-distance.ts';
import { PlainPictureError, type Recipe } from './recipe.ts';
import { type Scan, type Scanned, ScanPartition } from './scan-partition.ts';

/** Pictures of the same colours, in the same shares. */
export const colorSimilarity: Recipe = {
  type: 'color-similarity',
  workingSize: 256,
  exhaustive: true,
  describe(picture: Picture) {
    const colors = palette(sampled(picture));
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

class PaletteScan implements Scan {
  readonly list = new PaletteList();

  get bytes(): number {
    return this.list.bytes;
  }

  put(slot: number, dna: Uint8Array): void {
    this.list.put(slot, openPalette(dna, false));
  }

  compare(query: Uint8Array, slots: Uint32Array): Scanned {
    const asked = amountsOf(openPalette(query, true));
    const scores = Float64Array.from(slots, (slot) => colorDistance(asked, this.list.amounts(slot)));
    return { scores, tell: () => '' };
  }
}

class PalettePartition extends ScanPartition<PaletteScan> {
  constructor() {
    super(new PaletteScan());
  }

  palettes(only: Uint32Array | null): Uint32Array {
    return this.scan.list.codes(this.held(only));
  }
}
