import { DnaError } from '../errors.ts';
import { blockKinds, openBlock, sealBlock } from './block.ts';

/** A colour, 0xrrggbb, and how much of the picture it fills, in per cent. */
export interface Color {
  readonly rgb: number;
  readonly share: number;
}

/** Colours of a picture. */
export const MAX_COLORS = 16;
/** Colours of a query. */
const MAX_QUERY_COLORS = 100;

/**
 * The colours of a picture (`palette`) or those of a query (`colors-query`), four bytes each: red, green, blue, share in
 * per cent. In order: the largest share first, then by colour, no two alike. The shares of a picture sum to at most 100.
 */
export function writePalette(kind: 'palette' | 'colors-query', colors: readonly Color[]): Uint8Array {
  const sorted = [...colors].sort((a, b) => b.share - a.share || a.rgb - b.rgb);
  const payload = sorted.flatMap(({ rgb, share }) => [rgb >> 16, (rgb >> 8) & 255, rgb & 255, share]);
  return sealBlock(kind, Uint8Array.from(payload));
}

/** Whether a block is a query by colours, not the palette of a picture. */
export function isColorsQuery(block: Uint8Array): boolean {
  return block[2] === blockKinds['colors-query'];
}

/** @throws DnaError for whatever `writePalette` does not write of a palette */
export function openPalette(block: Uint8Array, asQuery: boolean): Color[] {
  const payload = openBlock(block, asQuery ? ['palette', 'colors-query'] : ['palette']);
  const held = !isColorsQuery(block);
  const most = held ? MAX_COLORS : MAX_QUERY_COLORS;
  if (payload.length % 4 !== 0 || payload.length === 0 || payload.length > 4 * most) {
    throw new DnaError(`DNA of ${payload.length / 4} colours, expected 1 to ${most}`);
  }
  const colors = Array.from({ length: payload.length / 4 }, (_, i): Color => {
    const [red, green, blue, share] = payload.subarray(4 * i);
    return { rgb: (red << 16) | (green << 8) | blue, share };
  });
  colors.forEach(({ rgb, share }, i) => {
    if (share > 100 || (held && share === 0)) throw new DnaError(`DNA has a colour with a share of ${share} per cent`);
    const before = colors[i - 1];
    if (before && (before.share - share || rgb - before.rgb) <= 0)
      throw new DnaError('DNA has its colours out of order');
  });
  const sum = colors.reduce((total, { share }) => total + share, 0);
  if (held && (sum > 100 || new Set(colors.map(({ rgb }) => rgb)).size < colors.length)) {
    throw new DnaError(`DNA has colours that fill ${sum} per cent, or one twice`);
  }
  return colors;
}
