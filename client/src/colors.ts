/** A colour of a picture with its share of the picture. */
export interface Color {
  /** `rrggbb` */
  readonly rgb: string;
  /** 0 to 100 per cent. */
  readonly share: number;
}

/** A colour with the number of pictures that have it. */
export interface PaletteColor {
  /** `rrggbb` */
  readonly rgb: string;
  readonly images: number;
}

/** Reads `rrggbb@share`. */
export function colorOf(text: string): Color {
  const [rgb, share] = text.split('@') as [string, string];
  return { rgb, share: Number(share) };
}
